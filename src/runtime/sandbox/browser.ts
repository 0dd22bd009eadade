/**
 * Locates the interpreter's binary for a page's worker; it is fetched when the first code is read.
 */
import address from "@jitl/quickjs-wasmfile-release-sync/wasm?url";
import type { DefinedCodes } from "../../record/definitions.ts";
import type { Definition } from "../../spec/definitions.ts";
import { AssetError } from "../errors.ts";
import { openDefinedCodes } from "./definitions.ts";

export async function openPageDefinitions(
  definitions: readonly Definition[],
): Promise<DefinedCodes> {
  return openDefinedCodes(await browserQuickJs(), definitions);
}

let compiled: Promise<WebAssembly.Module> | null = null;

/** @throws AssetError when the file cannot be fetched. */
export function browserQuickJs(): Promise<WebAssembly.Module> {
  compiled ??= load().catch((error: unknown) => {
    compiled = null; // so that the next call can succeed
    throw error;
  });
  return compiled;
}

async function load(): Promise<WebAssembly.Module> {
  const url = new URL(address, self.location.href);
  const response = await fetch(url).catch(() => null);
  if (!response?.ok)
    throw new AssetError("The interpreter of code cells could not be fetched (quickjs.wasm).");
  return WebAssembly.compile(await response.arrayBuffer());
}
