import { definePanel } from "../manifest.ts";
import { words } from "./words.ts";

export const tokens = definePanel({
  id: "tokens",
  title: "Conversation",
  about: "Who said what, and the response token by token: probability and credit of each.",
  terms: ["token", "log-prob", "ratio", "entropy", "advantage", "value", "clip"],
  keys: [
    { id: "foldThought", name: words.fold.name, keys: ["b"], scope: "turns" },
    { id: "foldThoughts", name: words.fold.all, keys: ["B"], scope: "turns" },
  ],
  needsEpisodes: {
    empty: "No episodes yet. Press Run to read the model's responses token by token.",
  },
});
