/**
 * JSON from outside: files, lines of logs, cells of notebooks. Text nested deeper than any of our
 * formats is refused before it is parsed: recursive code (checks, hashes, messages) would overflow
 * the stack.
 */
import { InputError, show } from "../numeric/inputError.ts";

/** Maximum nesting of lists and objects; our own formats and imported ones have under 20. */
export const MAX_DEPTH = 200;

/** The value, or why there is none, worded to follow the name of what was read. */
type JsonRead = { value: unknown; problem: null } | { value: undefined; problem: string };

export function readJson(text: string): JsonRead {
  if (isTooDeep(text)) return fails(`is nested deeper than ${MAX_DEPTH} levels`);
  try {
    const value = JSON.parse(text) as unknown;
    const twice = repeatedKey(text);
    return twice === null ? { value, problem: null } : fails(saysTwice(twice));
  } catch (error) {
    if (text.trim() === "") return fails("is empty; it must be JSON");
    const comma = danglingComma(text);
    const why =
      comma === null ? (error as Error).message : `line ${comma} ends a list with a comma`;
    return fails(`is not valid JSON (${why})`);
  }
}

function fails(problem: string): JsonRead {
  return { value: undefined, problem };
}

/** @param what the file or field, as the sentence names it. @throws InputError */
export function parseJsonText(text: string, what: string): unknown {
  const { value, problem } = readJson(text);
  if (problem !== null) throw new InputError(`${what} ${problem}`);
  return value;
}

/** An object, as every settings file is. @param what the file, as the sentence names it. @throws InputError */
export function parseJsonObject(text: string, what: string): JsonObject {
  const value = jsonOrNothing(text);
  if (!isRecord(value))
    throw new InputError(`${what} starts ${show(text.slice(0, 30))}; it must be a JSON object`);
  const twice = repeatedKey(text);
  if (twice !== null) throw new InputError(`${what} ${saysTwice(twice)}`);
  return value;
}

const saysTwice = (key: string): string =>
  `has the field ${show(key)} twice; it must be given once`;

/** A duplicate key in one object, of which JSON.parse silently keeps the last. For valid JSON. */
export function repeatedKey(text: string): string | null {
  const open: (Set<string> | null)[] = []; // the keys so far of each object, null for a list
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPEN) open.push(new Set());
    else if (code === OPEN_LIST) open.push(null);
    else if (code === CLOSE || code === CLOSE_LIST) open.pop();
    if (code !== QUOTE) continue;
    const end = endOfString(text, at);
    const keys = open.at(-1);
    let next = end + 1;
    while (text.charCodeAt(next) <= 0x20) next++;
    if (keys && text.charCodeAt(next) === COLON) {
      const raw = text.slice(at, end + 1);
      const key = raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
      if (keys.has(key)) return key;
      keys.add(key);
    }
    at = end;
  }
  return null;
}

/** A word or number, or how another value of JSON begins: an exception for each of a million lines that are none takes long. */
const BEGINS =
  /^\s*(?:(?:-?\d[\d.eE+-]*|true|false|null)\s*$|"|\{\s*["}]|\[\s*(?:["{[\]]|-?\d|true|false|null))/;
const ENDS: Readonly<Record<string, string>> = { "{": "}", "[": "]", '"': '"' };

/** By its first characters and its last one. */
function mayBeJson(text: string): boolean {
  if (!BEGINS.test(text)) return false;
  const end = ENDS[text.trimStart()[0]!];
  return end === undefined || text.trimEnd().endsWith(end);
}

/** Undefined if it is invalid JSON, or nested too deep. */
export function jsonOrNothing(text: string): unknown {
  if (!mayBeJson(text) || isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The text in the format of Python's own module, with null for each NaN and Infinity outside its strings. */
export function withNull(text: string): { text: string; count: number } {
  if (!text.includes("NaN") && !text.includes("Infinity")) return { text, count: 0 };
  const next = /"|-?\b(?:NaN|Infinity)\b/g;
  const pieces: string[] = [];
  let from = 0;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    if (found[0] === '"') {
      next.lastIndex = endOfString(text, found.index) + 1;
      continue;
    }
    pieces.push(text.slice(from, found.index), "null");
    from = next.lastIndex;
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(""), count: (pieces.length - 1) / 2 };
}

/** Whether lists and objects are nested deeper than allowed. For invalid JSON the answer is meaningless. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  // No function call per character: a log has a hundred million.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_LIST || code === OPEN) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_LIST || code === CLOSE) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Calls `visit` for each character outside strings, until it returns true. */
function scan(text: string, visit: (code: number, at: number) => boolean): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    if (visit(code, at)) return;
  }
}

/** Position of the quote that ends the string starting at `start`; the text's length if there is none. */
function endOfString(text: string, start: number): number {
  // The platform finds a quote many times faster than a loop here.
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let from = at;
    while (from > start + 1 && text.charCodeAt(from - 1) === BACKSLASH) from--;
    if ((at - from) % 2 === 0) return at;
  }
  return text.length;
}

/** The number of the line with a comma directly before a closing bracket, the most common mistake; null without one. */
function danglingComma(text: string): number | null {
  let comma = -1;
  let found: number | null = null;
  scan(text, (code, at) => {
    if (code === COMMA) comma = at;
    else if (comma >= 0 && (code === CLOSE || code === CLOSE_LIST)) found = comma;
    else if (code > 0x20) comma = -1;
    return found !== null;
  });
  return found === null ? null : text.slice(0, found).split("\n").length;
}

/** A file's object, before anything is known of its fields. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object with named fields, not a list. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
