/**
 * Zip files that detect damage: the archive's comment (at the very end of the file) is the SHA-256
 * of all bytes before it. Any other zip program can read them.
 */
import { textOfCodes } from "../numeric/lists.ts";
import { sha256Hex } from "../numeric/sha256.ts";

const LABEL = "sha256:";
const COMMENT = LABEL.length + 64;
/** Bytes of the end record that fflate writes last; its last two bytes are the comment's length. */
const END_RECORD = 22;

type Seal = "whole" | "none" | "broken";

/** `zip`: as written by fflate, without a comment. */
export async function seal(zip: Uint8Array): Promise<Uint8Array> {
  const bytes = new Uint8Array(zip.length + COMMENT);
  bytes.set(zip);
  new DataView(bytes.buffer).setUint16(zip.length - 2, COMMENT, true);
  const hash = await sha256Hex(bytes.subarray(0, zip.length));
  bytes.set(new TextEncoder().encode(LABEL + hash), zip.length);
  return bytes;
}

/** none: an archive without a seal, as older versions wrote. */
export async function checkSeal(bytes: Uint8Array): Promise<Seal> {
  const body = bytes.subarray(0, -COMMENT);
  const comment = textOfCodes(bytes.subarray(-COMMENT));
  if (!comment.startsWith(LABEL)) return endsBare(bytes) ? "none" : "broken";
  return comment === LABEL + (await sha256Hex(body)) ? "whole" : "broken";
}

/** Whether the file ends as an archive without a comment does. */
function endsBare(bytes: Uint8Array): boolean {
  const end = bytes.subarray(-END_RECORD);
  const signature = [0x50, 0x4b, 0x05, 0x06];
  return signature.every((byte, i) => end[i] === byte) && end[20] === 0 && end[21] === 0;
}
