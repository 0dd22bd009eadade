// Prepares `npm pack`: the page in dist, as `npm run build` makes it, and in dist/cli the command line as JavaScript with its kernels.
import { copyFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buildKernels, buildNodeWorker } from "../engine/wasm/build.mjs";
import { bundle } from "./bundle.mjs";
import { ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
await import("./build.mjs");
const target = join(root, "dist", "cli");
rmSync(target, { recursive: true, force: true });
const built = [await buildKernels(), await buildNodeWorker()];
await bundle(target, "../..");
copyFileSync(built[0], join(target, "kernels.wasm"));
copyFileSync(
  createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm"),
  join(target, "quickjs.wasm"),
);
copyFileSync(built[1], join(target, "worker.mjs"));
copyFileSync(join(root, "src", "cli", "packed.mjs"), join(target, "turnbook.mjs"));
copyFileSync(join(root, "src", "cli", "README.md"), join(target, "README.md"));
