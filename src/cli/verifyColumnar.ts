/** `verify` of a columnar recording: its manifest, and each part by its SHA-256. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeManifest, MANIFEST } from "../interchange/columnar/manifest.ts";
import { ColumnarRecording } from "../interchange/columnar/open.ts";
import { InputError } from "../spec/inputError.ts";
import type { Verdict } from "./verifyFiles.ts";

/** One verdict a file; no chain is checked, because it is the full run's. */
export async function verifyColumnar(folder: string): Promise<Verdict[]> {
  const text = readFileSync(join(folder, MANIFEST), "utf8");
  try {
    const { parts, fingerprint, events } = decodeManifest(text);
    const recording = new ColumnarRecording(text, (name) => readPart(folder, name));
    const verdicts: Verdict[] = [{ file: MANIFEST, state: "intact", events, fingerprint }];
    for (const { name } of parts) verdicts.push(await verdictOf(recording, name));
    return verdicts;
  } catch (error) {
    return [alteredBy(MANIFEST, error)];
  }
}

function readPart(folder: string, name: string): Promise<Uint8Array> {
  const path = join(folder, name);
  if (!existsSync(path)) return Promise.reject(new InputError("it is missing"));
  return Promise.resolve(new Uint8Array(readFileSync(path)));
}

async function verdictOf(recording: ColumnarRecording, name: string): Promise<Verdict> {
  try {
    await recording.file(name);
    return { file: name, state: "intact" };
  } catch (error) {
    return alteredBy(name, error);
  }
}

function alteredBy(file: string, error: unknown): Verdict {
  if (!(error instanceof InputError)) throw error;
  return { file, state: "altered", why: error.message };
}
