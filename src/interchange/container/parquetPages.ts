/**
 * The pages of a Parquet file before their values are read: hyparquet believes the counts, sizes and runs that they
 * declare, and a few bytes may declare two thousand million values.
 */
import type { Compressors, DataReader, FileMetaData, PageHeader } from "hyparquet";
import { RefusedError } from "../import/refused.ts";
import { words } from "../import/words.ts";
import { ALLOWED, MOST_RATIO, MOST_WHOLE } from "./unpack.ts";

/** Bytes of a value in memory, at least. */
const CELL = 8;

/** Bytes that a file may take once it is read: as many as any packed file's. */
export class Unpacking {
  #left: number;
  readonly #isLarge: boolean;

  constructor(packed: number) {
    const allowed = ALLOWED + MOST_RATIO * packed;
    // Once as pages, once as values.
    this.#left = Math.min(allowed, 2 * MOST_WHOLE);
    this.#isLarge = this.#left < allowed;
  }

  /** @throws RefusedError if it is too much */
  take(bytes: number): void {
    if (!(bytes >= 0)) throw new RangeError("a size in it is negative");
    if ((this.#left -= bytes) >= 0) return;
    const { largePart, bomb } = words.refused;
    throw new RefusedError(this.#isLarge ? largePart(MOST_WHOLE >> 20) : bomb(MOST_RATIO));
  }
}

/** Types that hyparquet unfolds from offsets, which may share their bytes. */
const UNFOLDED = ["VARIANT", "GEOMETRY", "GEOGRAPHY"];
/** Encodings whose values may be longer than their bytes by any factor. */
const UNBOUNDED = ["DELTA_BYTE_ARRAY", "ALP"];

/** @throws RefusedError if it is a bomb; Error if it cannot be read */
export async function checkPages(
  bytes: Uint8Array<ArrayBuffer>,
  metadata: FileMetaData,
  compressors: Compressors,
  unpacking: Unpacking,
): Promise<void> {
  const [{ parquetSchema }, { parquetHeader }, { decompressPage }, schemas] = await Promise.all([
    import("hyparquet"),
    import("hyparquet/src/column.js"),
    import("hyparquet/src/datapage.js"),
    import("hyparquet/src/schema.js"),
  ]);
  for (const { logical_type: logical } of metadata.schema)
    if (logical && UNFOLDED.includes(logical.type)) throw new Error(`${logical.type} is not read`);
  const tree = parquetSchema(metadata);
  let packed = 0;
  for (const { columns, num_rows: rows } of metadata.row_groups) {
    unpacking.take(Number(rows) * columns.length * CELL);
    for (const { meta_data: column } of columns) {
      if (!column) throw new Error("a column has no metadata");
      const start = Number(column.dictionary_page_offset || column.data_page_offset);
      const size = Number(column.total_compressed_size);
      packed += size;
      // Columns that share their bytes make a bomb of any size.
      if (!(size >= 0) || packed > bytes.length) throw new Error("its columns overlap");
      const reader = {
        view: new DataView(bytes.buffer, bytes.byteOffset + start, size),
        offset: 0,
      };
      const path = schemas.getTreePath(tree, column.path_in_schema);
      const levels = {
        repetition: widthOf(schemas.getMaxRepetitionLevel(path)),
        definition: widthOf(schemas.getMaxDefinitionLevel(path)),
      };
      while (reader.offset < size - 1) {
        const header = parquetHeader(reader);
        const body = pageOf(reader, header);
        const unpack = (part: Uint8Array, to: number) =>
          decompressPage(part, to, column.codec, compressors);
        checkPage(body, header, { levels, unpack, unpacking });
      }
    }
  }
}

interface ColumnOfPage {
  levels: { repetition: number; definition: number };
  unpack: (part: Uint8Array, size: number) => Uint8Array;
  unpacking: Unpacking;
}

/** Bits of a level. */
const widthOf = (most: number) => 32 - Math.clz32(most);

function pageOf(reader: DataReader, { compressed_page_size: size }: PageHeader): Uint8Array {
  const { view, offset } = reader;
  reader.offset += size;
  // A size that is negative, or beyond the column, has no array.
  return new Uint8Array(view.buffer, view.byteOffset + offset, size);
}

function checkPage(
  body: Uint8Array,
  header: PageHeader,
  { levels, unpack, unpacking }: ColumnOfPage,
): void {
  const {
    data_page_header: v1,
    data_page_header_v2: v2,
    dictionary_page_header: dictionary,
  } = header;
  const size = Number(header.uncompressed_page_size);
  unpacking.take(size);
  const count = (v1 ?? v2 ?? dictionary)?.num_values ?? 0;
  unpacking.take(count * CELL);
  if (dictionary || (!v1 && !v2)) return;
  const { encoding } = (v1 ?? v2)!;
  if (UNBOUNDED.includes(encoding)) throw new Error(`the encoding ${encoding} is not read`);
  if (v2) {
    const [repetition, definition] = [
      v2.repetition_levels_byte_length,
      v2.definition_levels_byte_length,
    ];
    if (!(v2.num_nulls >= 0)) throw new RangeError("a size in it is negative");
    const runs = new Runs(body, count, unpacking);
    if (levels.repetition > 0) runs.read(0, levels.repetition);
    if (levels.definition > 0) runs.read(repetition, levels.definition);
    const rest = body.subarray(repetition + definition);
    const left = size - repetition - definition;
    const values = v2.is_compressed !== false && left ? unpack(rest, left) : rest;
    return checkValues(new Runs(values, count, unpacking), 0, encoding, true);
  }
  const runs = new Runs(unpack(body, size), count, unpacking);
  let at = 0;
  if (levels.repetition > 0) at = runs.readCounted(at, levels.repetition);
  if (levels.definition > 0) at = runs.readCounted(at, levels.definition);
  checkValues(runs, at, encoding, false);
}

function checkValues(runs: Runs, at: number, encoding: string, isV2: boolean): void {
  if (encoding.endsWith("_DICTIONARY")) {
    const width = runs.view.getUint8(at);
    if (width > 0 || isV2) runs.read(at + 1, width);
  } else if (encoding === "RLE") runs.readCounted(at, 1);
  else if (encoding.startsWith("DELTA")) {
    const [block, next] = runs.varint(at);
    const [parts] = runs.varint(next);
    // Else the place in the page may go back, without end.
    if (!(block > 0 && parts > 0 && block % parts === 0)) throw new Error("a block in it is empty");
  }
}

/** Runs of a repeated value and of packed bits, in turn (RLE of Parquet's `Encodings.md`). */
class Runs {
  readonly view: DataView;
  readonly #count: number;
  readonly #unpacking: Unpacking;

  constructor({ buffer, byteOffset, length }: Uint8Array, count: number, unpacking: Unpacking) {
    this.view = new DataView(buffer, byteOffset, length);
    this.#count = count;
    this.#unpacking = unpacking;
  }

  /** With their bytes before them; returns where they end. */
  readCounted(at: number, width: number): number {
    this.read(at + 4, width);
    return at + 4 + this.view.getUint32(at, true);
  }

  /** What is beyond the page's values counts, too: it is read. */
  read(from: number, width: number): void {
    let [at, seen] = [from, 0];
    while (seen < this.#count && at < this.view.byteLength) {
      const [header, next] = this.varint(at);
      const isPacked = (header & 1) === 1;
      const run = (header >>> 1) * (isPacked ? 8 : 1);
      seen += run;
      // Bits take bytes, unless they have no width.
      if ((!isPacked || width === 0) && seen > this.#count)
        this.#unpacking.take((seen - this.#count) * CELL);
      if (isPacked && width === 0 && header < 0) throw new RangeError("a size in it is negative");
      at = next + (isPacked ? (run / 8) * width : (width + 7) >> 3);
    }
  }

  /** As hyparquet reads it: beyond 31 bits it is negative. */
  varint(from: number): readonly [value: number, next: number] {
    let [value, at] = [0, from];
    for (let shift = 0; ; shift += 7) {
      const byte = this.view.getUint8(at++);
      value |= (byte & 0x7f) << shift;
      if (!(byte & 0x80)) return [value, at];
    }
  }
}
