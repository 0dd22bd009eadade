// `node test/bench/recipes/table.mjs`: the paper's table in miniature, from the results that are kept here; writes TABLE.md.
// `--run CELL --work DIR [--method M] [--jobs N] [--nice N]` trains a cell's missing runs first.
// `--again CELL --work DIR [--method M] [--seed N]` trains kept runs again and compares the fingerprints.
import { withBundle } from "../bundle.mjs";

await withBundle("recipes/table", ({ main }) => main(process.argv.slice(2)));
