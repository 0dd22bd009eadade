// Vitest's global set-up: the wasm kernels and Node's worker are built before any test needs them, and the browser
// tests get a folder for the pages that several of them share.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildKernels, buildNodeWorker } from "../src/engine/wasm/build.mjs";

export async function setup() {
  await buildKernels();
  await buildNodeWorker();
  if (process.env.TURNBOOK_TEST_PAGES) return undefined;
  const pages = mkdtempSync(join(tmpdir(), "turnbook-pages-"));
  process.env.TURNBOOK_TEST_PAGES = pages;
  return () => rmSync(pages, { recursive: true, force: true });
}
