// `npm run bench`: bundles the bench for Node and runs it; `-- --help` lists its options.
import { root } from "../../src/cli/setup.mjs";
import { withBundle } from "./bundle.mjs";

const code = await withBundle("main", ({ main }) => main(process.argv.slice(2), root));
// Dawn keeps the process alive.
process.exit(code);
