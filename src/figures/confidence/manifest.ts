import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../manifest.ts";

export const confidence = definePanel({
  id: "confidence",
  pane: "critic",
  openAtFirst: false,
  title: "Confidence",
  about: "Is the model surer in turns of solved episodes?",
  terms: ["turn", "token", "calibration"],
  needsEpisodes: {
    empty: "No turns yet. Press Run; they appear after the first iteration.",
  },
  settings: {
    /** How many iterations up to the cursor's are taken together. */
    span: oneOf(["1", "5", "20"], "5"),
  },
});
