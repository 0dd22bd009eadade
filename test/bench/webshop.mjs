// `node test/bench/webshop.mjs`: page clicks and searches per second of the shop, in lockstep.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "../../src/cli/setup.mjs";

ensureInstalled();
const { build } = await import("esbuild");
// Inside node_modules, so that packages are found; one per process, since two may run at once.
const outdir = join(root, "node_modules", ".cache", "turnbook-bench");
const outfile = join(outdir, `webshop-${process.pid}.mjs`);
mkdirSync(outdir, { recursive: true });
await build({
  entryPoints: [join(root, "test", "bench", "webshop.ts")],
  outfile,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "error",
});
try {
  const { main } = await import(pathToFileURL(outfile).href);
  main();
} finally {
  rmSync(outfile);
}
