import { definePanel } from "../manifest.ts";

export const turns = definePanel({
  id: "turns",
  pane: "ribbon",
  openAtFirst: false,
  title: "Turn by turn",
  about: "Observation, response and reward of each turn of one episode.",
  terms: ["turn", "observation", "reward", "value", "advantage", "return", "ratio"],
  needsEpisodes: {
    empty: "No episodes yet. Press Run; episodes appear after the first iteration.",
  },
});
