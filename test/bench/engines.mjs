// `node test/bench/engines.mjs [wasm] [tfjs]`: milliseconds per training step and decode rates on this machine, in Node.
import { build } from "esbuild";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildKernels } from "../../src/engine/wasm/build.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const outdir = join(root, "node_modules", ".cache", "turnbook-bench");

await buildKernels();
mkdirSync(outdir, { recursive: true });
await build({
  entryPoints: [join(here, "engines.ts")],
  outdir,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"],
  external: ["webgpu"],
  banner: {
    js: [
      'import { createRequire as __createRequire } from "node:module";',
      'import { dirname as __dirnameOf } from "node:path";',
      'import { fileURLToPath as __toPath } from "node:url";',
      "const require = __createRequire(import.meta.url);",
      "const __filename = __toPath(import.meta.url); const __dirname = __dirnameOf(__filename);",
    ].join(" "),
  },
  outExtension: { ".js": ".mjs" },
  logLevel: "error",
});
const { main } = await import(pathToFileURL(join(outdir, "engines.mjs")).href);
await main(process.argv.slice(2));
