import { creditChanges } from "../../store/creditChanges.ts";
import { ALGORITHM_NAME, names, oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../manifest.ts";

export const credits = definePanel({
  id: "credits",
  title: "Credits",
  about: "The credit that each algorithm gives the same turns, with sliders and the truth.",
  terms: ["credit", "advantage", "granularity", "normalisation", "ratio", "clip", "truth"],
  needsEpisodes: {
    empty: "No episodes yet. Press Run; credits appear after the first iteration.",
  },
  settings: {
    quantity: oneOf(["advantage", "ratio", "clip"], "advantage"),
    grain: oneOf(["token", "turn", "episode"], "turn"),
    /** Rows in addition to those that are always there. */
    rows: names(ALGORITHM_NAME),
    /** The slider values. */
    set: creditChanges,
  },
});
