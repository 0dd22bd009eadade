import { definePanel } from "../shared/manifest.ts";

export const turns = definePanel({
  id: "turns",
  title: "Turn by turn",
  about: "What was seen, written and earned in each turn of one episode.",
  needsEpisodes: {
    empty:
      "No episodes yet. Press Run; after the first iteration each turn of some episodes is shown here.",
  },
  openAtFirst: true,
});
