// Bundles a bench written in TypeScript for Node and loads it.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "../../src/cli/setup.mjs";
import { buildKernels, buildNodeWorker } from "../../src/engine/wasm/build.mjs";

/** Imports of src lead to another checkout's. */
const sourcesOf = (checkout) => ({
  name: "sources",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/src\// }, ({ path, resolveDir }) => {
      const file = relative(join(root, "src"), resolve(resolveDir, path));
      return file.startsWith("..") ? null : { path: join(resolve(checkout), "src", file) };
    }),
});

/** Vite's addresses of files are their paths here. */
const urls = {
  name: "urls",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\?url$/ }, ({ path, resolveDir }) => {
      const from = createRequire(join(resolveDir, "package.json"));
      return { path: from.resolve(path.replace(/\?url$/, "")), namespace: "url" };
    });
    onLoad({ filter: /./, namespace: "url" }, ({ path }) => ({
      contents: `export default ${JSON.stringify(path)}`,
    }));
  },
};

/** From its package.json, which it does not export. */
function jaxVersion() {
  const file = join(root, "node_modules", "@jax-js", "jax", "package.json");
  return JSON.parse(readFileSync(file, "utf8")).version;
}

/** Installs and builds what is missing, then runs `use` on the exports of test/bench/NAME.ts, `checkout`: with the src of that one; the bundle is removed afterwards. */
export async function withBundle(name, use, checkout = null) {
  ensureInstalled();
  // After that: an install removes what was built.
  await buildKernels();
  await buildNodeWorker();
  const { build } = await import("esbuild");
  // Inside node_modules, so that packages are found; one per process, since two may run at once.
  const outdir = join(root, "node_modules", ".cache", "turnbook-bench");
  const folder = join(outdir, `${name}-${process.pid}${checkout ? "-other" : ""}`);
  mkdirSync(outdir, { recursive: true });
  await build({
    entryPoints: { bench: join(root, "test", "bench", `${name}.ts`) },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // What is imported late is loaded late.
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    define: {
      __TURNBOOK_ROOT__: JSON.stringify(root),
      __JAX_VERSION__: JSON.stringify(jaxVersion()),
    },
    logLevel: "error",
    plugins: checkout ? [sourcesOf(checkout), urls] : [urls],
  });
  try {
    return await use(await import(pathToFileURL(join(folder, "bench.mjs")).href));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
