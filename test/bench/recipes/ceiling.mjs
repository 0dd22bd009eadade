// `node test/bench/recipes/ceiling.mjs public/runs/nano`: what the best critic could explain of a recorded run, and what its own does.
import { withBundle } from "../bundle.mjs";

await withBundle("recipes/ceiling", ({ main }) => main(process.argv.slice(2)));
