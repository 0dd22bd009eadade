/**
 * One file of a columnar recording: any JSON value as columns, gzipped. The length of the columns'
 * description (32 bits, little-endian), the description as JSON, the bytes of the numbers.
 */
import { gzipSync, strFromU8, strToU8 } from "fflate";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { InputError } from "../../numeric/inputError.ts";
import { inSlices } from "../../numeric/sliced.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";
import { shred, unshred, type StoredColumn, type PrecisionOf } from "./shred.ts";

export function encodePart(value: unknown, precision: PrecisionOf): Uint8Array {
  const numbers = new ByteWriter();
  const column = shred(numbers, [value], precision);
  const description = strToU8(JSON.stringify(column));
  const out = new ByteWriter();
  out.bytes(lengthBytes(description.length));
  out.bytes(description);
  out.bytes(numbers.whole);
  // A fixed time, so that the same recording gives the same file.
  return gzipSync(out.whole, { level: 9, mtime: 0 });
}

function lengthBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, length, true);
  return bytes;
}

/**
 * The value that `encodePart` was given, within its precision. `most`: maximum unpacked bytes.
 * @throws InputError if the bytes are not such a file.
 */
export async function decodePart(file: Uint8Array, most: number): Promise<unknown> {
  const from = new ByteReader(await unzip(file, most));
  const length = from.bytes(4);
  const size = new DataView(length.buffer, length.byteOffset).getUint32(0, true);
  const column = jsonOrNothing(strFromU8(from.bytes(size)));
  if (typeof column !== "object" || column === null)
    throw new InputError("the description of the columns is not a JSON object");
  const [value] = await inSlices(unshred(from, column as StoredColumn, 1)).catch(asInputError);
  from.end();
  return value;
}

/** An error caused by an invalid description is an input error too. */
function asInputError(error: unknown): never {
  if (error instanceof InputError) throw error;
  throw new InputError("the description of the columns is invalid");
}

async function unzip(file: Uint8Array, most: number): Promise<Uint8Array> {
  const stream = new Blob([file as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
  const out = new ByteWriter();
  let size = 0;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > most) throw new InputError(`it unpacks to more than ${most} bytes`);
      out.bytes(next.value);
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError("it is not a complete gzip file");
  } finally {
    void reader.cancel().catch(() => {});
  }
  return out.whole;
}
