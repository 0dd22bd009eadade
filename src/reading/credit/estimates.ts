/**
 * Results of what rows have of their own, for display. Their code runs off the page's thread: a row is
 * requested once, is pending until the answer arrives, and is then cached by its request.
 */
import type { RowCall } from "../../algorithm/registry.ts";
import type { Definition } from "../../spec/definitions.ts";
import { InputError } from "../../numeric/inputError.ts";
import { words } from "./words.ts";

/** Runs the code. Rejects with an InputError if the code fails. */
export type EstimateSource = (definition: Definition, input: object) => Promise<unknown>;

/** Pending: the answer is on its way, or the reader has not allowed the code to run yet. */
export class Estimating extends InputError {
  override name = "Estimating";
}

type EstimateState =
  { state: "asked" } | { state: "done"; result: unknown } | { state: "failed"; error: InputError };

/** Maximum number of cached answers; the oldest are dropped first. */
const MOST_KNOWN = 256;

/** Whether the code may run: code from elsewhere waits until the reader has agreed. */
type MayRun = (definition: Definition) => boolean;

let source: EstimateSource | null = null;
let mayRun: MayRun = () => true;
let answered = 0;
const known = new Map<string, EstimateState>();
const listeners = new Set<() => void>();

/** Sets what runs the code, and which code may run. */
export function answerEstimates(by: EstimateSource | null, allows: MayRun = () => true): void {
  source = by;
  mayRun = allows;
  known.clear();
}

/** More code may run than before: rows that waited for that are retried. */
export function moreMayRun(): void {
  announce();
}

/** Number of answers so far: it changes when a pending row may have arrived. */
export function estimatesAnswered(): number {
  return answered;
}

/** Subscribes to answers. Returns the unsubscribe function. */
export function onEstimate(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The call of a definition; it throws `Estimating` until the answer has arrived. */
export function shownCode(definition: Definition): RowCall {
  return (input) => {
    if (!mayRun(definition)) throw new Estimating(words.codeWaits(definition.name));
    const key = keyOf(definition, input);
    const found = known.get(key) ?? ask(key, definition, input);
    if (found.state === "done") return found.result;
    if (found.state === "failed") throw found.error;
    throw new Estimating(words.estimating(definition.name));
  };
}

function ask(key: string, definition: Definition, input: object): EstimateState {
  if (!source) return { state: "failed", error: new InputError(words.noCode(definition.name)) };
  const asked: EstimateState = { state: "asked" };
  note(key, asked);
  source(definition, input).then(
    (result) => hear(key, { state: "done", result }),
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      hear(key, { state: "failed", error: new InputError(why) });
    },
  );
  return asked;
}

function hear(key: string, answer: EstimateState): void {
  note(key, answer);
  announce();
}

function announce(): void {
  answered += 1;
  for (const listener of listeners) listener();
}

function note(key: string, one: EstimateState): void {
  known.delete(key);
  known.set(key, one);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
}

/**
 * A key of the code and its numbers: 64 bits over all columns, so collisions do not occur in
 * practice.
 */
function keyOf({ name, source: text }: Definition, input: object): string {
  const hash = new Hash();
  addTo(hash, input);
  return `${name}\n${text}\n${hash.text}`;
}

function addTo(hash: Hash, value: unknown): void {
  if (value instanceof Float64Array) hash.add(value);
  else if (typeof value === "string")
    hash.add(Float64Array.from(value, (sign) => sign.codePointAt(0)!));
  else if (typeof value === "object" && value !== null)
    for (const one of Object.values(value)) addTo(hash, one);
  else hash.add(Float64Array.of(Number(value ?? NaN)));
}

/** FNV-1a over 32-bit words, twice with different seeds. */
class Hash {
  #a = 0x811c9dc5;
  #b = 0x2545f491;

  add(column: Float64Array): void {
    const bits = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
    this.#word(column.length);
    for (const word of bits) this.#word(word);
  }

  #word(word: number): void {
    this.#a = Math.imul(this.#a ^ word, 0x01000193);
    this.#b = Math.imul(this.#b ^ (word >>> 7) ^ (word << 5), 0x85ebca6b);
    this.#b ^= this.#b >>> 15;
  }

  get text(): string {
    return `${this.#a >>> 0}:${this.#b >>> 0}`;
  }
}
