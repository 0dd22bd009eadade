// `node test/bench/integrity.mjs [--iterations N] [--out DIR]`: what hashing, syncing and locking a run's folder costs beside
// training nano with Turn-PPO alone and without evaluations, as a Markdown table.
import { withBundle } from "./bundle.mjs";

await withBundle("integrity", ({ main }) => main(process.argv.slice(2)));
