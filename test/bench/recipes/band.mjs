// `node test/bench/recipes/band.mjs CELL --out FILE`: the kept five seeds of a cell as the file that the page draws a band of. It holds
// scores of evaluations on test levels, not of training, since that is what is kept.
import { withBundle } from "../bundle.mjs";

await withBundle("recipes/band", ({ main }) => main(process.argv.slice(2)));
