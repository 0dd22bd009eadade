/** Locates the interpreter's binary in Node: beside this file in the package, or in node_modules. Never imported by browser code. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SANDBOX_BINARY = "quickjs.wasm";

/** Compiled once per process. */
let compiled: Promise<WebAssembly.Module> | null = null;

export function nodeQuickJs(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(readFileSync(binaryPath()));
  return compiled;
}

function binaryPath(): string {
  const beside = join(dirname(fileURLToPath(import.meta.url)), SANDBOX_BINARY);
  if (existsSync(beside)) return beside;
  return createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
}
