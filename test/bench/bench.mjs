// `npm run bench`: bundles the bench for Node and runs it; `-- --help` lists its options.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "../../src/cli/setup.mjs";
import { buildKernels, buildNodeWorker } from "../../src/engine/wasm/build.mjs";

ensureInstalled();
await buildKernels();
await buildNodeWorker();
const { build } = await import("esbuild");
// Inside node_modules, so that packages are found; one per process, since two may run at once.
const outdir = join(root, "node_modules", ".cache", "turnbook-bench");
const outfile = join(outdir, `bench-${process.pid}.mjs`);
mkdirSync(outdir, { recursive: true });
await build({
  entryPoints: [join(root, "test", "bench", "main.ts")],
  outfile,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
});
const { main } = await import(pathToFileURL(outfile).href);
const code = await main(process.argv.slice(2), root);
rmSync(outfile);
// Dawn keeps the process alive.
process.exit(code);
