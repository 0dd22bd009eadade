import { creditChanges } from "../../store/creditChanges.ts";
import { ALGORITHM_NAME, names, oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../shared/manifest.ts";
import "./credits.css";

export const credits = definePanel({
  id: "credits",
  title: "One episode, many credits",
  about: "What each algorithm would make of the same turns, with sliders and the truth.",
  needsEpisodes: {
    empty:
      "No episodes yet. Press Run; after the first iteration there is something to give credit for.",
  },
  settings: {
    quantity: oneOf(["advantage", "ratio", "clip"], "advantage"),
    grain: oneOf(["token", "turn", "episode"], "turn"),
    /** Rows beside those that are always there. */
    rows: names(ALGORITHM_NAME),
    /** What the sliders say. */
    set: creditChanges,
  },
});
