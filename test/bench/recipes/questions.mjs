// `node test/bench/recipes/questions.mjs`: writes the sweep files of open questions and ablations (src/spec).
import { withBundle } from "../bundle.mjs";

await withBundle("recipes/questions", ({ main }) => main());
