/**
 * Columnar recordings among selected files: a folder with a manifest, or the zip of one that the
 * page has saved. Their curves are read at once and here, not in a worker, since they are small;
 * other files are checked in the background.
 */
import { RefusedError } from "../interchange/import/refused.ts";
import { words } from "../interchange/import/words.ts";
import { isManifest, MANIFEST } from "../interchange/columnar/manifest.ts";
import { startsAsColumnarZip, unzipColumnar, ZIP_START } from "../interchange/columnar/zip.ts";
import { InputError } from "../numeric/inputError.ts";
import { readColumnar, type RecordedSource } from "../reading/log/columnar.ts";
import { filePath, type ImportListener } from "./importFiles.ts";

/** One recording: its files by name, read on demand. */
interface Found {
  /** Name of its folder or zip. */
  name: string;
  read: (name: string) => Promise<Uint8Array>;
  /** Whether a file is part of it, or in its folder. */
  holds: (file: File) => boolean;
}

/** Empty if there is none; then the files are handled elsewhere. */
export async function findColumnar(files: readonly File[]): Promise<Found[]> {
  const found = await Promise.all(files.map((file) => recordingAt(file, files)));
  return found.filter((one) => one !== null);
}

async function recordingAt(file: File, all: readonly File[]): Promise<Found | null> {
  const path = filePath(file);
  if (path.endsWith(".zip")) return (await isZipOfOne(file)) ? zipped(file) : null;
  if (path !== MANIFEST && !path.endsWith(`/${MANIFEST}`)) return null;
  if (!isManifest(await file.slice(0, MANIFEST_START).text())) return null;
  const folder = path.slice(0, -MANIFEST.length);
  const beside = new Map(all.map((other) => [filePath(other), other]));
  const read = async (name: string) => {
    const part = beside.get(folder + name);
    if (!part) throw new InputError(words.columnar.missing(name));
    return new Uint8Array(await part.arrayBuffer());
  };
  // Without a folder, files selected with it may be logs.
  const holds = (other: File) =>
    filePath(other).startsWith(folder) &&
    (folder !== "" || !/\.(?:jsonl|ndjson)$/i.test(other.name));
  return { name: folder.replace(/\/$/, "") || MANIFEST, read, holds };
}

/** Enough bytes to recognise a manifest. */
const MANIFEST_START = 100;

async function isZipOfOne(file: File): Promise<boolean> {
  return startsAsColumnarZip(new Uint8Array(await file.slice(0, ZIP_START).arrayBuffer()));
}

function zipped(file: File): Found {
  let opened: Promise<Map<string, Uint8Array>> | null = null;
  const open = async () => unzipColumnar(new Uint8Array(await file.arrayBuffer()));
  const read = async (name: string) => {
    const part = (await (opened ??= open())).get(name);
    if (!part) throw new InputError(words.columnar.missing(name));
    return part;
  };
  return { name: filePath(file), read, holds: (other) => other === file };
}

/** One after the other; `isOver` returns true once no more are wanted. */
export async function readFound(
  found: readonly Found[],
  listener: ImportListener,
  isOver: () => boolean,
  files: readonly File[],
): Promise<void> {
  const others = files.filter((file) => !found.some(({ holds }) => holds(file)));
  const left = others.length > 0 ? [words.columnar.others(others.map(filePath))] : [];
  for (const one of found) {
    if (isOver()) return;
    const name = found.length === 1 ? null : one.name;
    try {
      await readOne(one, name, listener, one === found[0] ? left : []);
    } catch (error) {
      listener.onRefused(refusalOf(error), name);
    }
  }
}

async function readOne(
  { read }: Found,
  name: string | null,
  to: ImportListener,
  warnings: string[],
): Promise<void> {
  const manifest = new TextDecoder().decode(await read(MANIFEST));
  const { log, source } = await readColumnar(manifest, read);
  const facts = { title: "Turnbook", command: source.command, absent: [], warnings };
  to.onRead(log, { ...facts, notes: [words.columnar.kept] }, name);
  await readRest(source);
  to.onChecked(log, { warnings: [], integrity: { state: "file", ...source.check } });
}

/** The source records damage. */
async function readRest(source: RecordedSource): Promise<void> {
  for (const read of source.rest) await read().catch(() => null);
}

function refusalOf(error: unknown) {
  const isOurs = error instanceof InputError || error instanceof RefusedError;
  const why = error instanceof Error ? error.message : "";
  if (isOurs) return { why: words.columnar.refused(why), action: words.columnar.again };
  const [said, action] = words.refused.failed(why);
  return { why: said, action };
}
