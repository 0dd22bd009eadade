// `node test/bench/recipes/questions.mjs`: writes the sweep files of the open questions from src/spec/openQuestions.ts.
import { withBundle } from "../bundle.mjs";

await withBundle("recipes/questions", ({ main }) => main());
