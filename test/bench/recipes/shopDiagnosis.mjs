// `node test/bench/recipes/shopDiagnosis.mjs [SPEC | --run DIR] [--levels N] [--group G] [--workers N]`: what a shop's first weights, or
// those of a run, do wrong on validation goals, and how much room they leave. One JSON line each.
import { withBundle } from "../bundle.mjs";

await withBundle("recipes/shopDiagnosis", ({ main }) => main(process.argv.slice(2)));
