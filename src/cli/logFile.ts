/**
 * A run's log on disk. Each append is atomic; `sync` waits for the disk and records the number of
 * bytes and their SHA-256 (hashed as they arrive), so that damage to clock readings is detected
 * too.
 */
import { createHash, type Hash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunEvent } from "../record/runEvent.ts";
import { ChainCheck, type Integrity } from "../train/integrity.ts";
import { decodeLogHash, encodeLogHash, RUN_FILES, type LogHash } from "../train/runFiles.ts";
import { onFiles } from "./fileError.ts";
import { chunksOf, textLines, type TextLine } from "./textLines.ts";
import { replaceFile, writeAll } from "./wholeFile.ts";

/** What a log contains. */
export interface LogReport {
  integrity: Integrity;
  /** The hash after each event, and the bytes up to its end. */
  chains: string[];
  ends: number[];
  iterations: number;
  /** Complete lines, events or not. */
  lines: number;
  /** A last line truncated by a kill; "" if there is none. */
  torn: string;
}

/** Reads one of our logs from its chunks: only events, one per line. */
export function readLog(
  chunks: Iterable<Uint8Array>,
  hash: LogHash | null,
  onEvent: (event: RunEvent) => void = () => {},
): LogReport {
  const check = new ChainCheck();
  const prefix = hash && new PrefixHash(hash);
  const report = { chains: [] as string[], ends: [0], iterations: 0, lines: 0, torn: "" };
  for (const line of textLines(prefix ? prefix.through(chunks) : chunks)) {
    if (!line.whole) report.torn = line.text;
    else takeLine(line, check, report, onEvent);
  }
  const found = check.result;
  const fault = found.state === "altered" ? null : (prefix?.fault(report.ends.length) ?? null);
  return { ...report, integrity: fault ? { state: "altered", ...fault } : found };
}

function takeLine(
  { text, number, end }: TextLine,
  check: ChainCheck,
  report: Omit<LogReport, "integrity">,
  onEvent: (event: RunEvent) => void,
): void {
  report.lines += 1;
  const event = parseObject(text);
  if (event === null) return check.refuse(number, "it is not a JSON object");
  check.take(event, number);
  report.chains.push(String(event["chain"]));
  report.ends.push(end);
  if (event["type"] === "iteration") report.iterations += 1;
  onEvent(event as unknown as RunEvent);
}

/** Null for anything but a JSON object. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Hashes the first bytes that pass through it. */
class PrefixHash {
  #expected: LogHash;
  #hash = createHash("sha256");
  #left: number;

  constructor(expected: LogHash) {
    this.#expected = expected;
    this.#left = expected.bytes;
  }

  *through(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
    for (const chunk of chunks) {
      const part = chunk.subarray(0, this.#left);
      this.#hash.update(part);
      this.#left -= part.length;
      yield chunk;
    }
  }

  /** Null if the bytes are as expected; `next`: the line after the last. */
  fault(next: number): { line: number; why: string } | null {
    if (this.#left > 0) return { line: next, why: `its last ${this.#left} bytes are missing` };
    if (this.#hash.digest("hex") === this.#expected.sha256) return null;
    const { bytes } = this.#expected;
    const why = `its chain is intact, but its first ${bytes} bytes do not match ${RUN_FILES.logHash}: clock readings or line ends were changed`;
    return { line: 1, why };
  }
}

/** The hash file of a log: null if there is none. @throws InputError if it is damaged. */
export function readLogHash(directory: string): LogHash | null {
  const path = join(directory, RUN_FILES.logHash);
  return existsSync(path) ? decodeLogHash(readFileSync(path, "utf8")) : null;
}

/** A file's chunks; empty if there is no file. */
export function logChunks(path: string): Iterable<Uint8Array> {
  return existsSync(path) ? chunksOf(path) : [];
}

/** The log of the process that holds the run's lock. */
export class LogWriter {
  #path: string;
  #file: number;
  #size = 0;
  #hash: Hash = createHash("sha256");

  /** Opens a log at its first `bytes`, and truncates the rest. */
  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#file = onFiles(`${path} cannot be opened`, () => openSync(path, "a"));
    try {
      this.#hashPrefix(bytes);
      // Written first: it must never claim more bytes than there are.
      this.seal();
      onFiles(`${path} cannot be cut`, () => ftruncateSync(this.#file, bytes));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #hashPrefix(bytes: number): void {
    for (const chunk of chunksOf(this.#path)) {
      const part = chunk.subarray(0, bytes - this.#size);
      this.#hash.update(part);
      this.#size += part.length;
    }
  }

  append(events: readonly RunEvent[]): void {
    const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
    onFiles(`${this.#path} cannot be written`, () => this.#appendBytes(bytes));
    this.#hash.update(bytes);
    this.#size += bytes.length;
  }

  #appendBytes(bytes: Uint8Array): void {
    try {
      writeAll(this.#file, bytes);
    } catch (error) {
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
  }

  /** Waits until everything is on disk. */
  sync(): void {
    onFiles(`${this.#path} cannot be written`, () => fsyncSync(this.#file));
  }

  /** Records the current state of the log. */
  seal(): void {
    const path = join(dirname(this.#path), RUN_FILES.logHash);
    const text = encodeLogHash({ bytes: this.#size, sha256: this.#hash.copy().digest("hex") });
    onFiles(`${path} cannot be written`, () => replaceFile(path, text));
  }

  close(): void {
    closeSync(this.#file);
  }
}
