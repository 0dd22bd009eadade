import { definePanel } from "../manifest.ts";

export const ribbon = definePanel({
  id: "ribbon",
  title: "Ribbon",
  about: "One episode as a row of turns: the critic's values and surprises.",
  terms: ["turn", "value", "td-error", "advantage", "return", "truth", "clip"],
  needsEpisodes: {
    empty: "No episodes yet. Press Run; episodes appear after the first iteration.",
  },
});
