// `npm run turnbook -- COMMAND`: silently bundles the TypeScript sources if they changed, and runs
// them.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "./bundle.mjs";
import { ensureInstalled, root } from "./setup.mjs";
import { buildKernels, buildNodeWorker } from "../engine/wasm/build.mjs";

const BUNDLES_KEPT = 3;
const HOUR = 3600 * 1000;

/** A digest of every source file's path, size and time: changes if the bundle would. */
function sourceStamp() {
  const hash = createHash("sha256");
  for (const entry of readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(ts|json)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  for (const file of ["package-lock.json", "src/cli/turnbook.mjs", "src/cli/bundle.mjs"]) {
    hash.update(`${statSync(join(root, file)).mtimeMs}`);
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * Removes bundles older than an hour, except for the newest few. Recent ones stay: a running
 * command may load its parts late, and another one may be writing its bundle.
 */
function removeOldBundles(cache) {
  const aged = readdirSync(cache)
    .map((name) => join(cache, name))
    // Another command may have removed it since it was listed.
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .filter(({ time }) => time < Date.now() - HOUR)
    .sort((a, b) => b.time - a.time);
  for (const { path } of aged.slice(BUNDLES_KEPT)) rmSync(path, { recursive: true, force: true });
}

/**
 * A reader that stops early, as in `| head`, ends the command; any other failed write is reported
 * in one line.
 */
function endOnFailedWrite(error) {
  if (error.code === "EPIPE") process.exit(0);
  console.error(`cannot write the output: ${error.message}`);
  process.exit(1);
}

/** The bundled command line, rebuilt if the sources have changed. */
async function load() {
  ensureInstalled();
  await buildKernels();
  await buildNodeWorker();
  const cache = join(root, "node_modules", ".cache", "turnbook");
  const outdir = join(cache, sourceStamp());
  if (!existsSync(outdir)) {
    mkdirSync(cache, { recursive: true });
    await bundle(outdir);
    removeOldBundles(cache);
  }
  return import(pathToFileURL(join(outdir, "main.mjs")).href);
}

/** A full disk, or a folder without write permission: the command has not started. */
function endUnbuilt(error) {
  const message = String(error.message).replace(/[\s\u0000-\u001f]+/g, " ");
  console.error(`Turnbook could not be prepared: ${message}`);
  process.exit(1);
}

process.stdout.on("error", endOnFailedWrite);
process.stderr.on("error", () => {}); // progress is lost; the result still counts

const { main } = await load().catch(endUnbuilt);
process.exitCode = await main(process.argv.slice(2));
