/**
 * Reads a large JSON array or object member by member, so that neither its size nor a broken row
 * prevents reading the others.
 */
import { InputError, show } from "../../numeric/inputError.ts";
import { isTooDeep, jsonOrNothing, MAX_DEPTH, withNull } from "../../spec/jsonText.ts";

/** A file to read: a `File` of the page, or a file on disk. */
export interface DataSource {
  /** For messages. */
  name: string;
  /** Bytes; null if unknown. */
  size: number | null;
  /** The bytes from the start. */
  open(): AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
}

export interface Member {
  /** From 0. */
  index: number;
  /** Key of an object's member; null in an array. */
  key: string | null;
  value: unknown;
  /** Why the member could not be read; `value` is undefined then. */
  problem: string | null;
}

/** Maximum length of one member, in UTF-16 units. */
const MAX_MEMBER = 16 * 1024 * 1024;

/** A dropped file, as a source. */
export function fileSource(file: File): DataSource {
  return { name: file.name, size: file.size, open: () => file.stream() };
}

/**
 * The members in order; the last one has a problem if the file ends early or continues after its
 * end. `onBytes` receives the number of bytes read. @throws InputError if the file is neither an
 * array nor an object.
 */
export async function* jsonMembers(
  source: DataSource,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Member> {
  const splitter = new MemberSplitter(source.name);
  const decoder = new TextDecoder();
  let bytes = 0;
  let index = 0;
  for await (const chunk of memberChunks(source.open())) {
    bytes += chunk.length;
    onBytes(bytes);
    for (const text of splitter.push(decoder.decode(chunk, { stream: true }))) {
      yield parseMember(text, index++, splitter.isObject);
    }
  }
  const problem = splitter.finish();
  if (problem !== null) yield { index, key: null, value: undefined, problem };
}

/** Safari's streams are not iterable. */
async function* memberChunks(stream: ReturnType<DataSource["open"]>): AsyncGenerator<Uint8Array> {
  if (Symbol.asyncIterator in stream) {
    yield* stream;
    return;
  }
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

function parseMember(text: string, index: number, isObject: boolean): Member {
  const whole = isObject ? `{${text}}` : text;
  // Python also writes NaN and Infinity, which JSON lacks: they become null.
  const value = jsonOrNothing(whole) ?? jsonOrNothing(withNull(whole).text);
  const [key, own] = isObject ? (Object.entries(Object(value) as object)[0] ?? []) : [null, value];
  if (value !== undefined && key !== undefined) return { index, key, value: own, problem: null };
  const problem = isTooDeep(whole) ? TOO_DEEP : "is not valid JSON";
  return { index, key: null, value: undefined, problem };
}

const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

const CODE = {
  quote: 0x22,
  comma: 0x2c,
  backslash: 0x5c,
  openList: 0x5b,
  closeList: 0x5d,
  open: 0x7b,
  close: 0x7d,
};

/** The closing bracket of each opening bracket. */
const CLOSER: Record<number, number> = {
  [CODE.openList]: CODE.closeList,
  [CODE.open]: CODE.close,
};

/**
 * Splits a growing text at the commas of its outermost level. An unmatched closing bracket is left
 * to its member, which is then invalid JSON: only the partner of the first bracket ends the file.
 */
class MemberSplitter {
  isObject = false;
  /** The closing brackets still expected, the file's own first. */
  #due: number[] = [];
  #ended = false;
  #trailing = false;
  #inString = false;
  #escaped = false;
  /** Parts of the incomplete member. */
  #pieces: string[] = [];
  #length = 0;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** The members that this chunk completes. */
  push(chunk: string): string[] {
    const members: string[] = [];
    let from = this.#due.length === 0 ? this.#start(chunk) : 0;
    for (let i = from; i < chunk.length && !this.#ended; i++) {
      if (!this.#endsMember(chunk.charCodeAt(i))) continue;
      this.#keep(chunk.slice(from, i));
      const member = this.#pieces.join("");
      if (member.trim() !== "") members.push(member);
      this.#pieces = [];
      this.#length = 0;
      from = i + 1;
    }
    if (this.#ended) this.#trailing ||= /\S/.test(chunk.slice(from));
    else if (this.#due.length > 0) this.#keep(chunk.slice(from));
    return members;
  }

  /** What is wrong if the text ends here; null if nothing is. */
  finish(): string | null {
    if (this.#ended) return this.#trailing ? "is text after the end of the JSON" : null;
    if (this.#due.length === 0) throw new InputError(`${this.#name} is empty; it must be JSON`);
    return "is cut off: the file ends early";
  }

  /** Enters the outermost level; returns the start of its first member. */
  #start(chunk: string): number {
    if (this.#ended) return 0;
    const at = chunk.search(/\S/);
    if (at < 0) return chunk.length;
    const code = chunk.charCodeAt(at);
    if (code !== CODE.openList && code !== CODE.open) {
      const shown = show(chunk.slice(at, at + 20));
      throw new InputError(`${this.#name} begins with ${shown}; it must be a JSON list or object`);
    }
    this.isObject = code === CODE.open;
    this.#due = [CLOSER[code]!];
    return at + 1;
  }

  /** Whether this character ends a member of the outermost level. */
  #endsMember(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === CODE.backslash) this.#escaped = true;
      else if (code === CODE.quote) this.#inString = false;
      return false;
    }
    if (code === CODE.quote) this.#inString = true;
    else if (code === CODE.openList || code === CODE.open) this.#due.push(CLOSER[code]!);
    else if (code === this.#due.at(-1)) this.#due.pop();
    this.#ended = this.#due.length === 0;
    return this.#ended || (code === CODE.comma && this.#due.length === 1);
  }

  #keep(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > MAX_MEMBER) {
      throw new InputError(`${this.#name} holds a row of more than ${MAX_MEMBER} characters`);
    }
  }
}
