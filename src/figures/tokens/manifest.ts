import { definePanel } from "../manifest.ts";

export const tokens = definePanel({
  id: "tokens",
  title: "Conversation",
  about: "Who said what, and the response token by token: probability and credit of each.",
  terms: ["token", "log-prob", "ratio", "entropy", "advantage", "value", "clip"],
  keys: [
    { id: "foldThought", name: "Open or fold the thought", keys: ["b"], scope: "turns" },
    { id: "foldThoughts", name: "Open or fold all thoughts", keys: ["B"], scope: "turns" },
  ],
  needsEpisodes: {
    empty: "No episodes yet. Press Run to read the model's responses token by token.",
  },
});
