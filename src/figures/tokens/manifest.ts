import { definePanel } from "../manifest.ts";

export const tokens = definePanel({
  id: "tokens",
  title: "Tokens",
  about: "The response token by token: probability and credit of each.",
  terms: ["token", "log-prob", "ratio", "entropy", "advantage", "value", "clip"],
  needsEpisodes: {
    empty: "No episodes yet. Press Run to read the model's responses token by token.",
  },
});
