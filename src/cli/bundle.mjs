// The command line as one folder of JavaScript: for the cache of a checkout, and for the package.
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

/** Emscripten's glue code (tfjs wasm) still expects CommonJS's names. */
const BANNER = [
  'import { createRequire as __createRequire } from "node:module";',
  'import { dirname as __dirnameOf, resolve as __resolvePath } from "node:path";',
  'import { fileURLToPath as __toPath } from "node:url";',
  "const require = __createRequire(import.meta.url);",
  "const __filename = __toPath(import.meta.url); const __dirname = __dirnameOf(__filename);",
];

/**
 * Built in another folder and renamed, so that two commands started together never see a partial
 * bundle. `above`: the folder of public/ relative to the bundle's, if both move together; without
 * it the checkout's, wherever the bundle is.
 */
export async function bundle(outdir, above = null) {
  const { build } = await import("esbuild");
  const scratch = `${outdir}.${process.pid}`;
  const place = above === null ? JSON.stringify(root) : `__resolvePath(__dirname, "${above}")`;
  await build({
    entryPoints: [join(root, "src", "cli", "main.ts")],
    outdir: scratch,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    // Packages with native code or assets stay in place, so that they find their files.
    external: ["webgpu"],
    banner: { js: [...BANNER, `const __TURNBOOK_ROOT__ = ${place};`].join(" ") },
    outExtension: { ".js": ".mjs" },
    // Only the panels' names are needed.
    loader: { ".css": "empty" },
    sourcemap: false,
    logLevel: "error",
  });
  try {
    renameSync(scratch, outdir);
  } catch {
    rmSync(scratch, { recursive: true, force: true }); // another process was faster
  }
}
