import { definePanel } from "../manifest.ts";

export const group = definePanel({
  id: "group",
  title: "Group",
  about: "The rollouts of one task side by side: their rewards and what follows from them.",
  terms: ["group", "silent-group", "task", "reward", "baseline", "normalisation"],
  needsEpisodes: {
    empty: "No episodes yet. Press Run to compare the rollouts of each task here.",
  },
});
