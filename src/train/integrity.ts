/**
 * Whether a log is still what the run wrote: recomputes the hash chain, event by event. It covers
 * everything in an event except its clock readings. Whoever changes a log on purpose can recompute
 * the chain too, but not a fingerprint that is stored elsewhere.
 */
import { sha256Hex } from "../numeric/sha256.ts";
import { show } from "../numeric/inputError.ts";
import { nextChain } from "./chain.ts";

export type Integrity =
  /** Every hash matches the events so far; `fingerprint` is the last. `ended`: the run's last event is present. */
  | { state: "intact"; events: number; fingerprint: string; ended: boolean }
  /** No event has a hash, as in logs of other programs and in forks. */
  | { state: "none" }
  /** The first line, counted from 1, that does not match. */
  | { state: "altered"; line: number; why: string };

/** Takes the events of a log in order; its result is for those so far. */
export class ChainCheck {
  #chain = "";
  #events = 0;
  #ended = false;
  #unchained: number | null = null;
  #altered: Extract<Integrity, { state: "altered" }> | null = null;

  /** `line`: the event's line in its file, counted from 1. */
  take(event: unknown, line: number): void {
    if (this.#altered) return;
    const { chain, type } = Object(event) as { chain?: unknown; type?: unknown };
    if ((chain === undefined || chain === "") && this.#events === 0) {
      this.#unchained ??= line;
      return;
    }
    const why = this.#fault(event, chain, type);
    if (why !== null) this.#altered = { state: "altered", line: this.#unchained ?? line, why };
    else {
      this.#chain = chain as string;
      this.#events += 1;
      this.#ended = type === "end";
    }
  }

  #fault(event: unknown, chain: unknown, type: unknown): string | null {
    if (this.#unchained !== null) return "an event without a chain precedes it";
    if (this.#ended) return "it comes after the run's end";
    if (typeof chain !== "string") return "it has no chain";
    const right = nextChainOf(this.#chain, event);
    if (right === chain) return null;
    if (this.#events === 0 && type !== "start") return "the run's first events are missing";
    const from = firstUnlike(chain, right ?? "");
    const digits = (text: string | undefined) => show(text?.slice(from, from + 8));
    return `its chain has ${digits(chain)} but the events up to it give ${digits(right ?? undefined)}`;
  }

  /** A line that cannot be read as an event. */
  refuse(line: number, why: string): void {
    if (this.#events > 0) this.#altered ??= { state: "altered", line, why };
    else this.#unchained ??= line;
  }

  /** The file ends with the fingerprint that its run reported. */
  close(fingerprint: unknown, line: number): void {
    if (this.#events === 0 || fingerprint === this.#chain) return;
    this.refuse(line, "its fingerprint does not match the events before it");
  }

  /** A line of a file: an event, the header that names the command, or the closing line with the fingerprint. */
  takeLine(text: string, line: number): void {
    const value = parsed(text);
    if (value === null) this.refuse(line, "it is not a whole JSON object");
    else if ("type" in value) this.take(value, line);
    else if ("fingerprint" in value) this.close(value["fingerprint"], line);
    else if (this.#events > 0) this.refuse(line, "it is not an event");
  }

  get result(): Integrity {
    if (this.#altered) return this.#altered;
    if (this.#events === 0) return { state: "none" };
    const [events, fingerprint, ended] = [this.#events, this.#chain, this.#ended];
    return { state: "intact", events, fingerprint, ended };
  }
}

/**
 * Checks a whole file: a log, or a recording with its header and closing line. The closing line may carry the SHA-256 of
 * all bytes before it, which covers the clock readings too.
 */
export async function checkRecording(bytes: Uint8Array): Promise<Integrity> {
  const check = new ChainCheck();
  const decoder = new TextDecoder();
  let [last, lastStart] = ["", 0];
  let count = 0;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    const text = decoder.decode(bytes.subarray(start, end));
    count += 1;
    if (text.trim() !== "") {
      check.takeLine(text, count);
      [last, lastStart] = [text, start];
    }
    start = end + 1;
  }
  const promised = parsed(last)?.["sha256"];
  if (promised !== undefined && promised !== (await sha256Hex(bytes.subarray(0, lastStart))))
    check.refuse(count, "its SHA-256 does not match the lines before it");
  return check.result;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Index of the first difference between two strings. */
function firstUnlike(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Null for an event that no run writes. */
function nextChainOf(previous: string, event: unknown): string | null {
  try {
    return nextChain(previous, event as object);
  } catch {
    return null;
  }
}
