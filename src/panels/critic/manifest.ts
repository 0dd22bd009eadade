import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../shared/manifest.ts";
import "./critic.css";

export const critic = definePanel({
  id: "critic",
  title: "Critic",
  about: "Was the critic right? Its guesses beside what came, and beside the truth.",
  needsEpisodes: {
    empty:
      "No values yet. Press Run; after the first iteration the critic's guesses can be judged.",
  },
  settings: {
    /** How many iterations up to the cursor's are taken together. */
    span: oneOf(["1", "5", "20"], "1"),
    against: oneOf(["target", "came"], "target"),
  },
});
