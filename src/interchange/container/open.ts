/**
 * Opens what trainers pack their rollouts in: CSV, gzip, Zstandard, zip (also Inspect's logs and
 * torch.save), Parquet and pickles. Text is read line by line; the libraries for Zstandard and
 * Parquet are loaded only for such a file.
 */
import { append } from "../../numeric/lists.ts";
import { isRecord } from "../../spec/jsonText.ts";
import type { ItemFile } from "../import/foreign.ts";
import { listItems, placedValues } from "../import/items.ts";
import { asUtf8, utf16In } from "../import/utf16.ts";
import { advice } from "../import/advice.ts";
import { RefusedError, kindOfBinary } from "../import/refused.ts";
import { words } from "../import/words.ts";
import { csvItems } from "./csv.ts";
import { checkPages, Unpacking } from "./parquetPages.ts";
import { unpickle } from "./pickle.ts";
import { numbersFrom } from "./tensors.ts";
import {
  gunzip,
  inflate,
  loadZstd,
  MOST_WHOLE,
  unpacked,
  wholeOf,
  zipEntries,
  type ZipEntry,
} from "./unpack.ts";

/** A file whose bytes can be read more than once. */
interface RawFile {
  /** Path: the name after its folders. */
  name: string;
  chunks: () => Iterable<Uint8Array>;
}

/** How pickles of protocols 0 and 1 begin: ( ] } c */
const OLD_PICKLE = [0x28, 0x5d, 0x7d, 0x63];

/** Archives in archives. */
const DEEPEST = 2;

/** The files of values in it, each with the name that it has inside. @throws RefusedError */
export async function openPacked(file: RawFile, depth = 0): Promise<ItemFile[]> {
  const { name, chunks } = file;
  const head = headOf(chunks());
  const kind = kindOfBinary(head);
  const order = utf16In(head);
  if (order !== null) return [textFile(name, () => asUtf8(chunks(), order))];
  // Protocols 0 and 1 have no signature; JSON begins otherwise.
  const isOldPickle = /\.(?:pkl|pickle)$/i.test(name) && OLD_PICKLE.includes(head[0]!);
  if (kind === null && isOldPickle) return [valueFile(name, () => unpickle(wholeOf(chunks())))];
  if (kind === null && isTar(head)) throw new RefusedError(words.refused.tar(name));
  if (kind === null && isNoText(head)) throw new RefusedError(words.refused.noText);
  if (kind === null) return [textFile(name, chunks)];
  if (kind === "gzip" || kind === "zstandard") return inner((await decompressed(file))!, depth);
  if (kind === "pickle") return [valueFile(name, () => unpickle(wholeOf(chunks())))];
  if (kind === "parquet") return [await parquetFile(name, wholeOf(chunks()))];
  if (kind === "zip") return openZip(file, depth);
  throw new RefusedError(advice[kind](name));
}

/** Where a tar archive has its signature (POSIX ustar). */
const USTAR = 257;

const isTar = (head: Uint8Array) =>
  [...head.subarray(USTAR, USTAR + 5)].every((byte, i) => byte === "ustar".charCodeAt(i)) &&
  head.length > USTAR + 5;

/** Bytes of 0 are no text, but a machine's crash may leave them after lines of JSON. */
function isNoText(head: Uint8Array): boolean {
  const zero = head.indexOf(0);
  return zero >= 0 && !/^\s*[{[].*\n/.test(new TextDecoder().decode(head.subarray(0, zero)));
}

function textFile(name: string, chunks: RawFile["chunks"]): ItemFile {
  const [, kind] = /\.([ct]sv)$/i.exec(name) ?? [];
  const [names = ""] = new TextDecoder().decode(headOf(chunks())).split("\n", 1);
  // Some name lines of JSON so.
  const isTable = kind !== undefined && !/^\s*[{[]/.test(names);
  const separator = kind?.toLowerCase() === "tsv" ? "\t" : separatorIn(names);
  return { name, items: () => (isTable ? csvItems(chunks(), separator) : placedValues(chunks())) };
}

/** Spreadsheets of some countries write semicolons. */
function separatorIn(names: string): string {
  return [";", "\t"].find((one) => !names.includes(",") && names.includes(one)) ?? ",";
}

/** The one file in a gzip or Zstandard file; null if it is neither. Damage shows when it is read. */
export async function decompressed({ name, chunks }: RawFile): Promise<RawFile | null> {
  const kind = kindOfBinary(headOf(chunks()));
  if (kind !== "gzip" && kind !== "zstandard") return null;
  const make = kind === "gzip" ? gunzip : await loadZstd();
  return { name: name.replace(/\.(?:gz|zst)$/i, ""), chunks: () => unpacked(make, chunks()) };
}

function inner(file: RawFile, depth: number): Promise<ItemFile[]> {
  if (depth >= DEEPEST) throw new RefusedError(words.refused.nested);
  return openPacked(file, depth + 1);
}

/** Bytes at the start that identify a file. */
const HEAD = 1 << 16;

export function headOf(chunks: Iterable<Uint8Array>): Uint8Array {
  try {
    for (const chunk of chunks) if (chunk.length > 0) return chunk.subarray(0, HEAD);
  } catch (error) {
    // A damaged file says so when it is read.
    if (!(error instanceof RefusedError)) throw error;
  }
  return new Uint8Array(0);
}

function valueFile(name: string, read: () => unknown): ItemFile {
  return {
    name,
    *items() {
      const value = read();
      if (Array.isArray(value)) yield* listItems(value);
      else yield { value, notFinite: 0, kind: "entry", number: 1 };
    },
  };
}

const isPickled = ({ name }: ZipEntry) => /(?:^|\/)data\.pkl$/.test(name);

async function openZip({ name, chunks }: RawFile, depth: number): Promise<ItemFile[]> {
  const entries = zipEntries(wholeOf(chunks()));
  const zstd = entries.some(({ method }) => method === 93) ? await loadZstd() : inflate;
  const read = ({ method, packed }: ZipEntry): Iterable<Uint8Array> => {
    if (method === 0) return [packed];
    if (method !== 8 && method !== 93) throw new RefusedError(words.refused.damaged(0));
    return unpacked(method === 93 ? zstd : inflate, [packed]);
  };
  const data = entries.find(isPickled);
  if (data) return [valueFile(name, () => torchValue(data, entries, read))];
  const stem = name.replace(/\.(?:zip|eval)$/i, "");
  const files: ItemFile[] = [];
  let fault: RefusedError | null = null;
  let opened = 0;
  // Finder adds a shadow of each file.
  for (const entry of entries.filter((one) => !one.name.startsWith("__MACOSX/"))) {
    // An archive of one file is that file: its folder names the step.
    const path =
      entries.length === 1
        ? `${stem.replace(/[^/\\]*$/, "")}${entry.name}`
        : `${stem}/${entry.name}`;
    try {
      append(files, await inner({ name: path, chunks: () => read(entry) }, depth));
      opened++;
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      fault ??= error;
      // Named with those of no known format.
      files.push(refusing(path, error));
    }
  }
  if (fault && opened === 0) throw fault;
  return files;
}

function refusing(name: string, error: RefusedError): ItemFile {
  return {
    name,
    items() {
      throw error;
    },
  };
}

/** What torch.save wrote, from its bytes. @throws RefusedError */
export function torchSaved(bytes: Uint8Array): unknown {
  const entries = zipEntries(bytes);
  const data = entries.find(isPickled);
  if (!data) throw new RefusedError(words.refused.damaged(0));
  return torchValue(data, entries, ({ method, packed }) =>
    method === 0 ? [packed] : unpacked(inflate, [packed]),
  );
}

/** What torch.save wrote: a pickle whose tensors' numbers are files beside it. */
function torchValue(
  data: ZipEntry,
  entries: readonly ZipEntry[],
  read: (entry: ZipEntry) => Iterable<Uint8Array>,
): unknown {
  const folder = data.name.replace(/data\.pkl$/, "");
  const storages = new Map<string, number[]>();
  return unpickle(wholeOf(read(data)), ([kind, storage, key]) => {
    const path = `${folder}data/${String(key)}`;
    const entry = kind === "storage" ? entries.find((one) => one.name === path) : undefined;
    if (!entry) throw new RefusedError(words.refused.damaged(0));
    const type = String(storage).replace(/^torch\.(\w+)Storage$/, "$1");
    const numbers = storages.get(path) ?? numbersFrom(type, wholeOf(read(entry)));
    storages.set(path, numbers);
    return numbers;
  });
}

async function parquetFile(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<ItemFile> {
  const { parquetMetadata, parquetReadObjects } = await import("hyparquet");
  const zstd = await loadZstd();
  const compressors = {
    GZIP: (packed: Uint8Array) => wholeOf(unpacked(gunzip, [packed])),
    ZSTD: (packed: Uint8Array) => wholeOf(unpacked(zstd, [packed])),
  };
  try {
    const metadata = parquetMetadata(bytes.buffer);
    const size = metadata.row_groups.reduce((sum, group) => sum + Number(group.total_byte_size), 0);
    if (size > MOST_WHOLE) throw new RefusedError(words.refused.largePart(MOST_WHOLE >> 20));
    const unpacking = new Unpacking(bytes.length);
    await checkPages(bytes, metadata, compressors, unpacking);
    const rows = await parquetReadObjects({ file: bytes.buffer, metadata, compressors });
    const values = rows.map((row) => withoutBigints(row, unpacking));
    return { name, items: () => listItems(values) };
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new RefusedError(words.refused.parquet(error instanceof Error ? error.message : ""));
  }
}

/** Parquet's integers have 64 bits, and its floats may be NaN, which counts as unknown later. A dictionary may repeat a text. */
function withoutBigints(value: unknown, unpacking: Unpacking): unknown {
  if (typeof value === "string") unpacking.take(value.length);
  if (typeof value === "bigint") return Number(value);
  const inner = (one: unknown) => (unpacking.take(1), withoutBigints(one, unpacking));
  if (Array.isArray(value)) return value.map(inner);
  if (!isRecord(value) || value instanceof Date || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
}
