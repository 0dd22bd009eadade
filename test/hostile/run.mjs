// `node test/hostile/run.mjs [AREA]... [--full]`: hostile tests, area by area, with fixed seeds; prints what was tried and
// what survived as a table, and ends with exit code 1 where anything did not. Not part of `npm test`.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "../../src/cli/setup.mjs";
import { buildKernels, buildNodeWorker } from "../../src/engine/wasm/build.mjs";

ensureInstalled();
await buildKernels();
await buildNodeWorker();
const { build } = await import("esbuild");
// Inside node_modules, so that packages are found.
const cache = join(root, "node_modules", ".cache", "turnbook-hostile");
const outfile = join(cache, `main-${process.pid}.mjs`);
mkdirSync(cache, { recursive: true });
await build({
  entryPoints: [join(root, "test", "hostile", "main.ts")],
  outfile,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  define: {
    __TURNBOOK_ROOT__: JSON.stringify(root),
    // As if the bundle lay here: helpers of test/browser look for the repository from where they are.
    "import.meta.dirname": JSON.stringify(join(root, "test", "hostile")),
  },
  logLevel: "error",
});
try {
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(outfile, { force: true });
}
