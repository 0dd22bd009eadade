// `node test/bench/oracle.mjs [--branches K] [--tasks N] [--group G] [--critic-iterations C] [--workers N] [--json FILE]`:
// every algorithm's advantages against the truth on fixed episodes of the warm-started nano policy, as a Markdown table.
import { buildKernels, buildNodeWorker } from "../../src/engine/wasm/build.mjs";
import { withBundle } from "./bundle.mjs";

await buildKernels();
await buildNodeWorker();
await withBundle("oracle", ({ main }) => main(process.argv.slice(2)));
