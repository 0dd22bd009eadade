// Silently builds what changed: the kernels (assembly/*.ts, AssemblyScript), and Node's worker.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "assembly");
const root = join(folder, "..", "..", "..", "..");
const cache = join(root, "node_modules", ".cache", "turnbook-wasm");
const target = join(cache, "kernels.wasm");
const worker = join(cache, "worker.mjs");

// prettier-ignore
const OPTIONS = ["-O3", "--enable", "simd", "--noAssert", "--runtime", "stub", "--importMemory", "--use", "abort=", "--disableWarning", "AS112"];

function kernelStamp() {
  const hash = createHash("sha256").update(OPTIONS.join(" "));
  const version = join(root, "node_modules", "assemblyscript", "package.json");
  hash.update(JSON.parse(readFileSync(version, "utf8")).version);
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

async function compile() {
  const asc = await import("assemblyscript/asc");
  let binary = null;
  const { error, stderr } = await asc.main(
    [join(folder, "index.ts"), ...OPTIONS, "--outFile", "kernels.wasm"],
    {
      readFile: (name, base) => {
        const path = join(base, name);
        return existsSync(path) ? readFileSync(path, "utf8") : null;
      },
      writeFile: (_name, contents) => void (binary = contents),
      listFiles: () => [],
    },
  );
  if (error || !binary)
    throw new Error(`the kernels do not compile:\n${stderr.toString() || error}`);
  return binary;
}

/**
 * Written to a temporary name and renamed, so that two processes that build together never see a
 * partial file.
 */
function place(file, contents) {
  const scratch = `${file}.${process.pid}`;
  writeFileSync(scratch, contents);
  renameSync(scratch, file);
}

/** Identifies the worker's bundle: the two rooms' sources by size and time. */
function workerStamp() {
  const hash = createHash("sha256");
  for (const room of ["engine", "numeric"]) {
    const from = join(root, "src", room);
    for (const name of readdirSync(from, { recursive: true }).sort()) {
      if (!name.endsWith(".ts")) continue;
      const { size, mtimeMs } = statSync(join(from, name));
      hash.update(`${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

async function bundleWorker() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [join(folder, "..", "nodeWorker.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
  return outputFiles[0].contents;
}

/** Rebuilds the file unless its stamp file matches. */
async function keep(file, stamp, make) {
  const stampFile = `${file}.stamp`;
  const current =
    existsSync(file) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
  if (current) return file;
  const contents = await make();
  mkdirSync(cache, { recursive: true });
  place(file, contents);
  place(stampFile, stamp);
  return file;
}

/** Path of the compiled kernels, rebuilt first if needed. */
export function buildKernels() {
  return keep(target, kernelStamp(), compile);
}

/** Path of the bundle that a worker thread in Node runs, rebuilt first if needed. */
export function buildNodeWorker() {
  return keep(worker, workerStamp(), bundleWorker);
}
