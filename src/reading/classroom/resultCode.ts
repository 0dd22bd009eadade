/**
 * The result code that a student submits after a run, a short text that can be typed, pasted, or
 * read from a QR code:
 *
 *     TB1~3fA9-_xQ~2s~1~Zk3v...~heldout,0.1,0.5,0.10.11,AAbC...,...~x9Qa
 *
 * The experiment (a hash of its spec without the seed), the seed in base 36, the prediction (the
 * number of an option, 0 for none), the first 96 bits of the run's fingerprint, one metric's curves
 * (linkCurves.ts), and a checksum. It contains nothing about the student.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { bytesToBase64url } from "../../numeric/base64.ts";
import { canonicalJson } from "../../spec/canonical.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import {
  curvesFromText,
  curvesToText,
  type LinkMetric,
  type SentCurve,
} from "../../spec/linkCurves.ts";
import { learnerNames } from "../../spec/preference.ts";
import { linkCurveOf } from "../fingerprintCurves.ts";
import type { RunLog } from "../log/runLog.ts";

export interface ResultCode {
  /** The experiment that it belongs to: `setupOf`. */
  setup: string;
  seed: number;
  /** Number of the predicted option, from 1; null for none. */
  prediction: number | null;
  /** First 96 bits of the last hash, base64url. */
  fingerprint: string;
  curve: SentCurve;
}

/** Maximum length of a generated code, in characters. */
export const MOST_OF_CODE = 200;
/** Maximum number of options to predict. */
const MOST_PREDICTIONS = 9;

const MARK = "TB1";
/** Between the tildes. */
const PARTS = 7;
const SIZES = { setup: 8, fingerprint: 16, check: 4 };
/** Maximum length of everything except the curves: mark, setup, seed of 32 bits, prediction, fingerprint, checksum, and separators. */
const FIXED = MARK.length + SIZES.setup + 7 + 1 + SIZES.fingerprint + SIZES.check + 6;

/** As in a run's own log, whatever was requested: the only engine that gives codes. */
const ENGINE: ExperimentSpec["engine"] = { name: "wasm", backend: "wasm" };

/** Identifies a code's experiment: 48 bits of the SHA-256 of its canonical JSON, without seed and engine. */
export function setupOf(spec: ExperimentSpec): string {
  return hashOf(canonicalJson({ ...spec, seed: 0, engine: ENGINE }), SIZES.setup);
}

/** @param size digits in base64url, 6 bits each. */
function hashOf(text: string, size: number): string {
  return bytesToBase64url(sha256(utf8ToBytes(text))).slice(0, size);
}

/** The part of a fingerprint that a code contains. @param chain 64 hexadecimal digits. */
export function shortFingerprint(chain: string): string {
  const bytes = Array.from({ length: 12 }, (_, i) => parseInt(chain.slice(2 * i, 2 * i + 2), 16));
  return bytesToBase64url(Uint8Array.from(bytes));
}

/** Iterations that a finished run's code carries: all if there is room, else every n-th from the last. */
export function codeOfRun(log: RunLog, metric: LinkMetric, prediction: number | null): string {
  const { start, end } = log;
  if (!start || !end) throw new InputError("the run has not ended, so it has no code yet");
  const room = MOST_OF_CODE - FIXED;
  const methods = learnerNames(start.spec).length;
  let curves = "";
  // The length around the digits depends on the values.
  for (let digits = room; digits > 0 && (curves === "" || curves.length > room); digits -= 2)
    curves = curvesToText([linkCurveOf(log, metric)], digits);
  if (curves === "" || curves.length > room)
    throw new InputError(
      `a code of ${methods} methods is longer than ${MOST_OF_CODE} characters, or the run has no ${metric}`,
    );
  const parts = [
    ...[MARK, setupOf(start.spec), start.spec.seed.toString(36), String(prediction ?? 0)],
    ...[shortFingerprint(end.chain), curves],
  ];
  return sealed(parts.join("~"));
}

/** Appends its checksum. */
export function sealed(text: string): string {
  return `${text}~${hashOf(text, SIZES.check)}`;
}

/** The content of a code that can be read without its experiment; the curves need it. */
export interface CodeFacts extends Omit<ResultCode, "curve"> {
  curves: string;
}

/**
 * Reads a code. @param methods the number of methods of the class's experiment. @throws InputError
 * that says what is wrong with it.
 */
export function readCode(text: string, methods: number): ResultCode {
  const { curves, ...rest } = readFacts(text);
  const [curve] = curvesFromText(curves, methods) as [SentCurve];
  return { ...rest, curve };
}

/** @throws InputError that says what is wrong with the code, except its curves. */
export function readFacts(text: string): CodeFacts {
  const code = text.trim();
  if (code.length > 2 * MOST_OF_CODE) throw new InputError(`the code is longer than a code can be`);
  const parts = code.split("~");
  const [mark = "", setup = "", seedText = "", predicted = "", fingerprint = "", curves = ""] =
    parts;
  if (mark !== MARK) throw new InputError(notOurs(code, mark));
  if (parts.length !== PARTS)
    throw new InputError(`the code has ${parts.length} parts of ${PARTS}: copy it whole`);
  if (sealed(parts.slice(0, -1).join("~")) !== code)
    throw new InputError(`the check does not fit: a character is wrong or missing`);
  const seed = /^[0-9a-z]{1,7}$/.test(seedText) ? parseInt(seedText, 36) : NaN;
  if (!(seed < 2 ** 32)) throw new InputError(`the seed ${show(seedText)} must be below 2^32`);
  if (!/^\d$/.test(predicted))
    throw new InputError(`the prediction ${show(predicted)} must be 0 to ${MOST_PREDICTIONS}`);
  return { setup, seed, prediction: Number(predicted) || null, fingerprint, curves };
}

/** Why a text with another mark is refused. */
function notOurs(code: string, mark: string): string {
  return /^TB\d+$/.test(mark)
    ? `the code is of version ${mark}; this page reads ${MARK}`
    : `${show(code.slice(0, 24))} is not a code: it must begin with ${MARK}~`;
}

/** Of any version, cut or longer than a code can be. */
const CODE = /TB\d{1,2}~[\w.,~+-]{8,400}/g;

/** Escapes that chats and tables use for characters of a link. */
const ESCAPED = /%(7E|2B|2C|2D|2E)/gi;

/** The codes in any text, such as a chat, a table or links; words that only begin like one are kept, so that they can be refused. */
export function codesIn(text: string): string[] {
  return text.replaceAll(ESCAPED, (sign) => decodeURIComponent(sign)).match(CODE) ?? [];
}
