import { definePanel } from "../shared/manifest.ts";
import "./group.css";

export const group = definePanel({
  id: "group",
  title: "Group",
  about: "The rollouts of one task side by side: who earned more, and what that teaches.",
  needsEpisodes: {
    empty: "No episodes yet. Press Run, and the rollouts of each task stand side by side here.",
  },
});
