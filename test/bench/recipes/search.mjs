// `node test/bench/recipes/search.mjs CONFIG --work DIR [--jobs N] [--nice N]`: finds settings for each method by the same
// search, and scores them on the sealed test levels. Every outcome becomes a line of NAME.jsonl beside CONFIG. Resumable.
import { withBundle } from "../bundle.mjs";

await withBundle("recipes/search", ({ main }) => main(process.argv.slice(2)));
