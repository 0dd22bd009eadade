import { definePanel } from "../shared/manifest.ts";
import "./tokens.css";

export const tokens = definePanel({
  id: "tokens",
  title: "Tokens",
  about: "What was said, token by token: how likely each was, and the credit it got.",
  needsEpisodes: {
    empty: "No episodes yet. Press Run, and what the model writes can be read here token by token.",
  },
});
