// Bundles a bench written in TypeScript for Node and loads it.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "../../src/cli/setup.mjs";

/** Runs `use` on the exports of test/bench/NAME.ts; the bundle is removed afterwards. */
export async function withBundle(name, use) {
  ensureInstalled();
  const { build } = await import("esbuild");
  // Inside node_modules, so that packages are found; one per process, since two may run at once.
  const outdir = join(root, "node_modules", ".cache", "turnbook-bench");
  const outfile = join(outdir, `${name}-${process.pid}.mjs`);
  mkdirSync(outdir, { recursive: true });
  await build({
    entryPoints: [join(root, "test", "bench", `${name}.ts`)],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    define: { __TURNBOOK_ROOT__: JSON.stringify(root) },
    logLevel: "error",
  });
  try {
    return await use(await import(pathToFileURL(outfile).href));
  } finally {
    rmSync(outfile);
  }
}
