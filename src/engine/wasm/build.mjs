// Compiles the kernels (assembly/*.ts, AssemblyScript) when their sources changed, silently.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "assembly");
const root = join(folder, "..", "..", "..", "..");
const cache = join(root, "node_modules", ".cache", "turnbook-wasm");
const target = join(cache, "kernels.wasm");
const stampFile = join(cache, "kernels.stamp");

// prettier-ignore
const OPTIONS = ["-O3", "--enable", "simd", "--noAssert", "--runtime", "stub", "--importMemory", "--use", "abort=", "--disableWarning", "AS112"];

function sourceStamp() {
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

/** Written aside and renamed, so that two processes that build together cannot see half a file. */
function place(file, contents) {
  const scratch = `${file}.${process.pid}`;
  writeFileSync(scratch, contents);
  renameSync(scratch, file);
}

/** Path of the compiled kernels, brought up to date first. */
export async function buildKernels() {
  const stamp = sourceStamp();
  const current =
    existsSync(target) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
  if (current) return target;
  const binary = await compile();
  mkdirSync(cache, { recursive: true });
  place(target, binary);
  place(stampFile, stamp);
  return target;
}
