// `node test/bench/alignment.mjs [--seeds 1,2] [--iterations N] [--preset nano] [--only CHANGE] [--json FILE.jsonl]`: where the noise of an
// update comes from, by the alignment metric, one setting changed at a time.
import { withBundle } from "./bundle.mjs";

await withBundle("alignment", ({ main }) => main(process.argv.slice(2)));
