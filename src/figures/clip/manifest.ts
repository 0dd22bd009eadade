import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../manifest.ts";

export const clip = definePanel({
  id: "clip",
  pane: "health",
  openAtFirst: false,
  title: "Clip",
  about: "How far ratios went, and what the clip cut.",
  terms: ["ratio", "clip", "dual-clip", "clip-fraction", "log-prob"],
  needsEpisodes: {
    empty:
      "No updates yet. Press Run: after the first iteration its optimiser steps can be seen here.",
    none: "This run recorded no episodes for this method, and without them no optimiser steps. Set “episodes recorded” above 0.",
  },
  settings: {
    /** Whether bars' heights are logarithmic. */
    heights: oneOf(["log", "linear"], "log"),
  },
});
