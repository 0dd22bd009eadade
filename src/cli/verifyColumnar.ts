/** `verify` for a columnar recording: its manifest, and each part by its SHA-256. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeManifest, MANIFEST } from "../interchange/columnar/manifest.ts";
import { ColumnarRecording } from "../interchange/columnar/open.ts";
import { InputError } from "../numeric/inputError.ts";
import type { FileVerdict } from "./verifyFiles.ts";

/** One verdict per file; the hash chain is not checked, because it belongs to the full run. */
export async function verifyColumnar(folder: string): Promise<FileVerdict[]> {
  return verifyParts((name) => {
    const path = join(folder, name);
    return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined;
  });
}

/** `bytesOf`: a file's bytes by name; undefined if there is none. */
export async function verifyParts(
  bytesOf: (name: string) => Uint8Array | undefined,
): Promise<FileVerdict[]> {
  const text = new TextDecoder().decode(bytesOf(MANIFEST));
  const readPart = async (name: string) => {
    const bytes = bytesOf(name);
    if (!bytes) throw new InputError("it is missing");
    return Promise.resolve(bytes);
  };
  try {
    const { parts, fingerprint, events } = decodeManifest(text);
    const recording = new ColumnarRecording(text, readPart);
    const verdicts: FileVerdict[] = [{ file: MANIFEST, state: "intact", events, fingerprint }];
    for (const { name } of parts) verdicts.push(await verdictOf(recording, name));
    return verdicts;
  } catch (error) {
    return [alteredBy(MANIFEST, error)];
  }
}

async function verdictOf(recording: ColumnarRecording, name: string): Promise<FileVerdict> {
  try {
    await recording.file(name);
    return { file: name, state: "intact" };
  } catch (error) {
    return alteredBy(name, error);
  }
}

function alteredBy(file: string, error: unknown): FileVerdict {
  if (!(error instanceof InputError)) throw error;
  return { file, state: "altered", why: error.message };
}
