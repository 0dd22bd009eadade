// `npm run turnbook -- COMMAND`: bundles the TypeScript sources when they changed, silently, and runs them.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "./setup.mjs";

/** A digest of every source file's path, size and time: changes when the bundle would. */
function sourceStamp() {
  const hash = createHash("sha256");
  for (const entry of readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(ts|json)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  for (const file of ["package-lock.json", "src/cli/turnbook.mjs"]) {
    hash.update(`${statSync(join(root, file)).mtimeMs}`);
  }
  return hash.digest("hex").slice(0, 16);
}

async function bundle(outdir) {
  const { build } = await import("esbuild");
  // Built aside and renamed, so that two commands started together cannot see half a bundle.
  const scratch = `${outdir}.${process.pid}`;
  await build({
    entryPoints: [join(root, "src", "cli", "main.ts")],
    outdir: scratch,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    // Native or asset-carrying packages stay where they are, so that they find their files.
    external: ["webgpu"],
    // Emscripten's glue code (tfjs wasm) still expects CommonJS's names.
    banner: {
      js: [
        'import { createRequire as __createRequire } from "node:module";',
        'import { dirname as __dirnameOf } from "node:path";',
        'import { fileURLToPath as __toPath } from "node:url";',
        "const require = __createRequire(import.meta.url);",
        "const __filename = __toPath(import.meta.url); const __dirname = __dirnameOf(__filename);",
      ].join(" "),
    },
    define: { __TURNBOOK_ROOT__: JSON.stringify(root) },
    outExtension: { ".js": ".mjs" },
    sourcemap: false,
    logLevel: "error",
  });
  try {
    renameSync(scratch, outdir);
  } catch {
    rmSync(scratch, { recursive: true, force: true }); // another process was first
  }
}

ensureInstalled();
const cache = join(root, "node_modules", ".cache", "turnbook");
const outdir = join(cache, sourceStamp());
if (!existsSync(outdir)) {
  mkdirSync(cache, { recursive: true });
  const old = readdirSync(cache).filter((name) => /^[0-9a-f]{16}$/.test(name));
  await bundle(outdir);
  // Keep a few older bundles: a command that is still running may load its parts late.
  const byAge = old.sort(
    (a, b) => statSync(join(cache, a)).mtimeMs - statSync(join(cache, b)).mtimeMs,
  );
  for (const name of byAge.slice(0, -3))
    rmSync(join(cache, name), { recursive: true, force: true });
}
const { main } = await import(pathToFileURL(join(outdir, "main.mjs")).href);
process.exitCode = await main(process.argv.slice(2));
