// Bundles a bench written in TypeScript for Node and loads it.
import { mkdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "../../src/cli/setup.mjs";

/** Imports of src lead to another checkout's. */
const sourcesOf = (checkout) => ({
  name: "sources",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/src\// }, ({ path, resolveDir }) => {
      const file = relative(join(root, "src"), resolve(resolveDir, path));
      return file.startsWith("..") ? null : { path: join(resolve(checkout), "src", file) };
    }),
});

/** Runs `use` on the exports of test/bench/NAME.ts, `checkout`: with the src of that one; the bundle is removed afterwards. */
export async function withBundle(name, use, checkout = null) {
  ensureInstalled();
  const { build } = await import("esbuild");
  // Inside node_modules, so that packages are found; one per process, since two may run at once.
  const outdir = join(root, "node_modules", ".cache", "turnbook-bench");
  const outfile = join(outdir, `${name}-${process.pid}${checkout ? "-other" : ""}.mjs`);
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
    plugins: checkout ? [sourcesOf(checkout)] : [],
  });
  try {
    return await use(await import(pathToFileURL(outfile).href));
  } finally {
    rmSync(outfile);
  }
}
