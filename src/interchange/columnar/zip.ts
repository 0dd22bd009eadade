/** A columnar recording as one sealed zip: unzipping gives its files back as a folder. */
import { unzipSync, zipSync, type Zippable } from "fflate";
import { textOfCodes } from "../../numeric/lists.ts";
import { InputError } from "../../numeric/inputError.ts";
import { checkSeal, seal } from "../../train/sealedZip.ts";
import { MANIFEST, MOST_PACKED } from "./manifest.ts";

/** Offset of an archive's first name. */
const FIRST_NAME = 30;

/** Bytes of a zip that `startsAsColumnarZip` needs to recognise it. */
export const ZIP_START = FIRST_NAME + MANIFEST.length;

/** The manifest comes first, so that a zip can be recognised by its start. The parts are compressed already. */
export async function zipColumnar(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const rest = [...files].filter(([name]) => name !== MANIFEST);
  const all: Zippable = { [MANIFEST]: files.get(MANIFEST)!, ...Object.fromEntries(rest) };
  return seal(zipSync(all, { level: 0 }));
}

export function startsAsColumnarZip(start: Uint8Array): boolean {
  const isZip = textOfCodes(start.subarray(0, 4)) === "PK\x03\x04";
  return isZip && textOfCodes(start.subarray(FIRST_NAME, ZIP_START)) === MANIFEST;
}

/** The files by name. @throws InputError if the zip is damaged. */
export async function unzipColumnar(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  if ((await checkSeal(bytes)) === "broken")
    throw new InputError("the zip is damaged: its SHA-256 does not match");
  try {
    const isPart = ({ originalSize }: { originalSize: number }) => originalSize <= MOST_PACKED;
    return new Map(Object.entries(unzipSync(bytes, { filter: isPart })));
  } catch {
    throw new InputError("the zip is damaged: it cannot be opened");
  }
}
