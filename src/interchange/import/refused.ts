/** Files that cannot be shown, and what to do about it. */
import { advice, type BinaryKind, type Advice } from "./advice.ts";

/** Maximum number of unreadable places that are named. */
export const MOST_PLACES = 3;

/** A file that cannot be shown: why, and what to do about it. */
export class RefusedError extends Error {
  readonly action: string;

  /** `where`: a sentence with the position in the file, if known. */
  constructor([why, action]: Advice, where = "") {
    super(where === "" ? why : `${why} ${where}`);
    this.name = "RefusedError";
    this.action = action;
  }
}

/** First bytes of files that are not text. */
const SIGNATURES: readonly [kind: BinaryKind, bytes: readonly number[]][] = [
  ["gzip", [0x1f, 0x8b]],
  ["zstandard", [0x28, 0xb5, 0x2f, 0xfd]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["parquet", [0x50, 0x41, 0x52, 0x31]], // PAR1
  ["torch", [0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc]], // before its zip archives
  ["pickle", [0x80, 0x02]],
  ["pickle", [0x80, 0x03]],
  ["pickle", [0x80, 0x04]],
  ["pickle", [0x80, 0x05]],
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
  ["numpy", [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]],
  ["arrow", [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31]], // ARROW1
  ["sqlite", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20]],
];

/** Bytes at the start or the end that are searched for names. */
const LOOKED_AT = 65_536;

/** Null if it may be text. */
export function refusalOfBinary({
  name,
  bytes,
}: {
  name: string;
  bytes: Uint8Array;
}): RefusedError | null {
  const found = SIGNATURES.find(([, signature]) => signature.every((byte, i) => bytes[i] === byte));
  return found ? new RefusedError(advice[writerOf(found[0], name, bytes)](name)) : null;
}

/** The program that wrote a container file, from its content and its name. */
function writerOf(kind: BinaryKind, name: string, bytes: Uint8Array): BinaryKind {
  const latin = new TextDecoder("latin1");
  const has = (part: Uint8Array, ...words: string[]) => {
    const text = latin.decode(part);
    return words.every((word) => text.includes(word));
  };
  const start = bytes.subarray(0, LOOKED_AT);
  const first = bytes.subarray(0, 256);
  if (kind === "parquet") {
    // The names of its columns are at its end.
    const end = bytes.subarray(Math.max(0, bytes.length - LOOKED_AT));
    if (has(end, "completion", "advantage")) return "trlCompletions";
    if (has(end, "responses")) return "verlGenerations";
    return has(end, "data_source", "reward_model") ? "verlPrompts" : kind;
  }
  if (kind === "pickle") {
    if (has(start, "skyrl")) return "skyrlPickle";
    return has(start, "DataProto") ? "ragenPickle" : kind;
  }
  if (kind === "zip" && has(first, "_journal/")) return "inspect";
  if (kind === "zip" && has(first, ".npy")) return "numpy";
  const isTorch = kind === "torch" || (kind === "zip" && has(first, "/data.pkl"));
  if (!isTorch) return kind;
  if (/(?:^|[\\/])rollout_\d+\.pt$/.test(name)) return "slimeRollout";
  return /(?:^|[\\/])train_\d+\.pt$/.test(name) ? "slimeTraining" : "torch";
}
