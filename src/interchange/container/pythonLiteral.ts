/** Lists, dicts and scalars as Python writes them (`str`, and pandas in a cell of a CSV file). Nothing is executed. */
import { InputError } from "../../numeric/inputError.ts";

const DEEPEST = 32;
const NAMED = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
]);
const PLAIN = /(?:True|False|None)\b|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/y;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]?))/g;
const ESCAPED = new Map([..."\\'\""].map((one) => [one, one]));
for (const [name, text] of ["n\n", "t\t", "r\r"]) ESCAPED.set(name!, text!);

/** The value of a text; undefined if it is anything but one such literal. */
export function pythonLiteral(text: string): unknown {
  try {
    const literal = new Literal(text);
    const value = literal.value(0);
    return literal.next() === undefined ? value : undefined;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

class Literal {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character that is no space; undefined at the end. */
  next(): string | undefined {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
    return this.#text[this.#at];
  }

  value(depth: number): unknown {
    const first = this.next();
    if (depth > DEEPEST) throw new InputError("it is nested too deeply");
    if (first === "'" || first === '"') return this.#string(first);
    if (first === "[") return this.#items("]", () => this.value(depth + 1));
    if (first === "(") return this.#items(")", () => this.value(depth + 1));
    if (first === "{") return Object.fromEntries(this.#items("}", () => this.#entry(depth + 1)));
    PLAIN.lastIndex = this.#at;
    const [found] = PLAIN.exec(this.#text) ?? [];
    if (found === undefined) throw new InputError("it is not a literal");
    this.#at += found.length;
    return NAMED.has(found) ? NAMED.get(found) : Number(found);
  }

  #items<T>(end: string, one: () => T): T[] {
    const items: T[] = [];
    this.#at++;
    while (this.next() !== end) {
      items.push(one());
      if (this.next() === ",") this.#at++;
      else if (this.next() !== end) throw new InputError("an item has no end");
    }
    this.#at++;
    return items;
  }

  #entry(depth: number): [string, unknown] {
    const quote = this.next();
    if (quote !== "'" && quote !== '"') throw new InputError("a key is not a text");
    const key = this.#string(quote);
    if (this.next() !== ":") throw new InputError("a key has no value");
    this.#at++;
    return [key, this.value(depth)];
  }

  #string(quote: string): string {
    const from = ++this.#at;
    while (this.#at < this.#text.length && this.#text[this.#at] !== quote)
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    if (this.#at >= this.#text.length) throw new InputError("a text has no end");
    return this.#text.slice(from, this.#at++).replace(ESCAPE, unescaped);
  }
}

function unescaped(_: string, x?: string, u?: string, U?: string, name?: string): string {
  const code = parseInt(x ?? u ?? U ?? "", 16);
  const text = code <= 0x10ffff ? String.fromCodePoint(code) : ESCAPED.get(name ?? "");
  if (text === undefined) throw new InputError("a text has an unknown escape");
  return text;
}
