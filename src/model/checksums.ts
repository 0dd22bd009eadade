/** SHA256SUMS, in the format of `sha256sum`: checksums of a model folder's files. */
import { sha256Hex, sha256OfParts } from "../numeric/sha256.ts";
import { InputError } from "../numeric/inputError.ts";
import type { RangedFile } from "./safetensors.ts";

export const CHECKSUMS = "SHA256SUMS";

/** File name to SHA-256. */
export type Checksums = ReadonlyMap<string, string>;

/** The checksums as a file's text. */
export async function formatChecksums(files: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const lines: string[] = [];
  for (const [name, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    lines.push(`${await sha256Hex(bytes)}  ${name}\n`);
  return lines.join("");
}

/**
 * Null for a text without any checksum: a web server may answer anything for a missing file.
 * @throws InputError if only some lines are checksums, or two of them contradict each other.
 */
export function parseChecksums(text: string): Checksums | null {
  const lines = text.split("\n").filter((line) => line !== "");
  const read = lines.map((line) => /^([0-9a-f]{64}) [ *](\S.*)$/.exec(line));
  const bad = read.indexOf(null);
  if (read.every((line) => line === null)) return null;
  if (bad >= 0) throw new InputError(`line ${bad + 1} of ${CHECKSUMS} is not a checksum`);
  const sums = new Map<string, string>();
  for (const found of read) {
    const sum = found![1]!;
    const name = found![2]!.replace(/^\.\//, "");
    if ((sums.get(name) ?? sum) !== sum)
      throw new InputError(`${CHECKSUMS} has two checksums of ${name}, which differ`);
    sums.set(name, sum);
  }
  return sums;
}

/** @throws InputError if the file does not match its folder's checksums. */
export async function checkFile(
  checksums: Checksums | null,
  name: string,
  file: RangedFile,
): Promise<void> {
  const expected = checksums?.get(name);
  if (expected !== undefined && expected !== (await sha256OfParts(fileParts(file))))
    throw new InputError(
      `${name} is damaged: its SHA-256 does not match ${CHECKSUMS}; download the folder again`,
    );
}

/** Bytes hashed at a time. */
const PART = 2 ** 24;

/** A file's bytes in order. */
export async function* fileParts(file: RangedFile) {
  for (let at = 0; at < file.size; at += PART)
    yield await file.read(at, Math.min(file.size, at + PART));
}

interface FileState {
  file: string;
  state: "intact" | "no hash" | "altered";
  why?: string;
}

/** Every file of a folder, and missing files that its checksums name. */
export async function checkModelFolder(
  names: readonly string[],
  read: (name: string) => Promise<Uint8Array>,
): Promise<FileState[]> {
  const has = names.includes(CHECKSUMS);
  let checksums: Checksums | null = null;
  const states: FileState[] = [];
  if (has) {
    try {
      checksums = parseChecksums(new TextDecoder().decode(await read(CHECKSUMS)));
      if (!checksums) throw new InputError("it holds no checksum");
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      states.push({ file: CHECKSUMS, state: "altered", why: error.message });
    }
  }
  const files = new Set([...names, ...(checksums?.keys() ?? [])]);
  files.delete(CHECKSUMS);
  for (const file of [...files].sort())
    states.push(await stateOf(file, names.includes(file) ? await read(file) : null, checksums));
  return states;
}

async function stateOf(
  file: string,
  bytes: Uint8Array | null,
  checksums: Checksums | null,
): Promise<FileState> {
  if (!bytes) return { file, state: "altered", why: "it is missing" };
  const expected = checksums?.get(file);
  if (expected === undefined) return { file, state: "no hash" };
  if (expected === (await sha256Hex(bytes))) return { file, state: "intact" };
  return { file, state: "altered", why: `its SHA-256 does not match ${CHECKSUMS}` };
}
