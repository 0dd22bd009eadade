import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../shared/manifest.ts";
import "./critic.css";

export const critic = definePanel({
  id: "critic",
  title: "Critic",
  about: "Was the critic right? Its guesses beside what came, and beside the truth.",
  settings: {
    /** How many iterations up to the cursor's are taken together. */
    span: oneOf(["1", "5", "20"], "1"),
    against: oneOf(["target", "came"], "target"),
  },
});
