/**
 * Reads the files that a command line names: ordinary files and pipes, up to a limit that also
 * applies if the size is unknown. Anything else that could be read without end is refused.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import type { RangedFile } from "../model/safetensors.ts";
import { InputError } from "../numeric/inputError.ts";
import { parseJsonText } from "../spec/jsonText.ts";
import { userPath } from "./args.ts";

const MIB = 1024 * 1024;
const MAX_TEXT = 64 * MIB;
/** A run's log is read line by line. */
const MAX_LOG = 4096 * MIB;
const CHUNK = 4 * MIB;

/** How long a pipe may be silent before reading gives up. */
export const SILENCE = { seconds: 30 };

/** The text of the file that option `--key` names. @throws InputError */
export function readOption(key: string, path: string): string {
  return readText(`option --${key}`, path);
}

/**
 * The text of a file, without the byte-order mark that some editors put before it. `what` starts
 * the sentence if it cannot be read. @throws InputError
 */
export function readText(what: string, path: string): string {
  return decoded(readBytes(what, path), `${what}: ${path}`);
}

/** The value in a JSON file. @throws InputError */
export function readJsonFile(what: string, path: string): unknown {
  return parseJsonText(readText(what, path), `${what}: ${path}`);
}

/** The whole file. @throws InputError if it cannot be read, or is larger than MAX_TEXT bytes. */
function readBytes(what: string, path: string): Buffer<ArrayBuffer> {
  return Buffer.concat([...fileChunks(what, path, MAX_TEXT)]);
}

/** A file that is read in parts, into one buffer. @throws InputError if it cannot be read, or has no size */
export function rangedFile(what: string, path: string): RangedFile {
  const { fd } = open(what, path);
  const stats = fstatSync(fd);
  closeSync(fd);
  if (!stats.isFile()) throw new InputError(`${what}: ${path} is a pipe; it must be a file`);
  let buffer = Buffer.alloc(0);
  const read = (start: number, end: number) => {
    const wanted = end - start;
    if (buffer.length < wanted) buffer = Buffer.allocUnsafeSlow(wanted);
    const file = open(what, path);
    try {
      let done = 0;
      for (let got = -1; got !== 0 && done < wanted; done += got)
        got = readSync(file.fd, buffer, done, wanted - done, start + done);
      return buffer.subarray(0, done);
    } catch (error) {
      throw readable(error, what, path);
    } finally {
      closeSync(file.fd);
    }
  };
  return { size: stats.size, read: async (start, end) => read(start, end) };
}

/** One line of a log, counted from 1; `ended` if a line break follows. */
export interface LogLine {
  text: string;
  line: number;
  ended: boolean;
}

/** The lines of a log that are not blank. @throws InputError */
export function* readLines(what: string, path: string): Generator<LogLine> {
  const place = `${what}: ${path}`;
  let line = 0;
  let held: Buffer[] = [];
  let length = 0;
  const hold = (piece: Buffer): void => {
    held.push(piece);
    length += piece.length;
    if (length > MAX_TEXT) throw tooLarge(`${what}: line ${line + 1} of ${path}`, MAX_TEXT);
  };
  const release = (): string => {
    const bytes = held.length === 1 ? held[0]! : Buffer.concat(held);
    [held, length] = [[], 0];
    return ++line === 1 ? decoded(bytes, place) : bytes.toString("utf8");
  };
  for (const chunk of fileChunks(what, path, MAX_LOG)) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      hold(chunk.subarray(start, end));
      start = end + 1;
      const text = release();
      if (text.trim() !== "") yield { text, line, ended: true };
    }
    hold(chunk.subarray(start));
  }
  const text = release();
  if (text.trim() !== "") yield { text, line, ended: false };
}

function decoded(bytes: Buffer, place: string): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new InputError(`${place} is in UTF-16; save it as UTF-8`);
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

function tooLarge(place: string, limit: number): InputError {
  return new InputError(`${place} is larger than ${limit / MIB} MiB`);
}

/** Piece by piece, so that a limit also applies to pipes and to the system's virtual files. */
function* fileChunks(what: string, path: string, limit: number): Generator<Buffer<ArrayBuffer>> {
  const file = open(what, path);
  try {
    let bytes = 0;
    for (;;) {
      const chunk = nextChunk(file, `${what}: ${path}`);
      if (chunk.length === 0) return;
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(`${what}: ${path}`, limit);
      yield chunk;
    }
  } catch (error) {
    throw readable(error, what, path);
  } finally {
    closeSync(file.fd);
  }
}

interface OpenFile {
  fd: number;
  /** Whether its end may come before its start: a named pipe that nobody has opened for writing yet. */
  awaited: boolean;
}

function open(what: string, path: string): OpenFile {
  const full = userPath(path);
  try {
    const stats = statSync(full);
    if (!stats.isFile() && !stats.isDirectory() && !stats.isFIFO() && nameOf(full) !== "/dev/null")
      throw new InputError(`${what}: ${path} is a device; it must be a file or a pipe`);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    // Opening a pipe without a writer would block for ever.
    const fd = openSync(full, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return { fd, awaited: stats.isFIFO() && nameOf(full) !== null };
  } catch (error) {
    throw readable(error, what, path);
  }
}

/** With all links resolved; null for a pipe between two commands, which has no name. */
function nameOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** Empty at the end. */
function nextChunk(file: OpenFile, place: string): Buffer<ArrayBuffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  const until = Date.now() + SILENCE.seconds * 1000;
  for (;;) {
    const length = readSome(file.fd, buffer);
    if (length !== null && (length > 0 || !file.awaited)) {
      file.awaited = false;
      return buffer.subarray(0, length);
    }
    if (Date.now() > until)
      throw new InputError(`${place} produced no data for ${SILENCE.seconds} seconds`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

/** Null if there is no data yet. */
function readSome(fd: number, buffer: Buffer): number | null {
  try {
    return readSync(fd, buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return null;
    throw error;
  }
}

function readable(error: unknown, what: string, path: string): unknown {
  if (error instanceof InputError) return error;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new InputError(`${what}: cannot read ${path} (${code})`);
}
