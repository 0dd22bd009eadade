import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../manifest.ts";

export const critic = definePanel({
  id: "critic",
  title: "Critic",
  about: "Was the critic right? Its values beside the returns and the truth.",
  terms: ["critic", "value", "return", "td-error", "explained-variance", "calibration", "truth"],
  needsEpisodes: {
    empty: "No values yet. Press Run; the critic's values appear after the first iteration.",
  },
  settings: {
    /** How many iterations up to the cursor's are taken together. */
    span: oneOf(["1", "5", "20"], "1"),
    against: oneOf(["target", "came"], "target"),
  },
});
