import { ALGORITHM_NAME, nameOrNone, oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../../figures/manifest.ts";
import "./formula.css";

export const formula = definePanel({
  id: "formula",
  title: "Formula",
  about: "An algorithm's objective with the values of the current turn or token.",
  terms: ["advantage", "gae", "gamma", "lambda", "baseline", "ratio", "clip", "aggregation"],
  needsEpisodes: {
    empty: "No episodes yet. Press Run; the formula's values appear after the first iteration.",
  },
  settings: {
    /** Null is the method at the cursor. */
    row: nameOrNone({ ...ALGORITHM_NAME, allowed: "the name of an algorithm" }),
    step: oneOf(
      [
        ...(["all", "rollout", "reward", "value", "tdError"] as const),
        ...(["advantage", "ratio", "clip", "loss", "update"] as const),
      ],
      "all",
    ),
  },
  keys: [
    { id: "nextStep", name: "Formula: next step", keys: ["i"], scope: "turns" },
    { id: "previousStep", name: "Formula: previous step", keys: ["u"], scope: "turns" },
  ],
});
