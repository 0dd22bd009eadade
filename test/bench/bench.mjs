// `npm run bench`: bundles the bench for Node and runs it; `-- --help` lists its options.
import { ensureInstalled, root } from "../../src/cli/setup.mjs";
import { buildKernels, buildNodeWorker } from "../../src/engine/wasm/build.mjs";
import { withBundle } from "./bundle.mjs";

ensureInstalled();
await buildKernels();
await buildNodeWorker();
const code = await withBundle("main", ({ main }) => main(process.argv.slice(2), root));
// Dawn keeps the process alive.
process.exit(code);
