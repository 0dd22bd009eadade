/**
 * Whether a log still is what the run wrote: recomputes the chain, event by event. It covers all of an event but its
 * clock readings. Whoever changes a log on purpose can recompute it too: the run's fingerprint, kept elsewhere, cannot be.
 */
import { show } from "../spec/inputError.ts";
import { nextChain } from "./chain.ts";

export type Integrity =
  /** Every chain is that of the events so far; `fingerprint` is the last. `ended`: the run's last event is there. */
  | { state: "intact"; events: number; fingerprint: string; ended: boolean }
  /** Not one event carries a chain, as in logs of other programs. */
  | { state: "none" }
  /** The first line, counted from 1, that does not belong where it is. */
  | { state: "altered"; line: number; why: string };

/** Takes the events of a log in order; what it says is of those so far. */
export class ChainCheck {
  #chain = "";
  #events = 0;
  #ended = false;
  #unchained: number | null = null;
  #altered: Extract<Integrity, { state: "altered" }> | null = null;

  /** `line`: where the event stands in its file, counted from 1. */
  take(event: unknown, line: number): void {
    if (this.#altered) return;
    const { chain, type } = Object(event) as { chain?: unknown; type?: unknown };
    if (chain === undefined && this.#events === 0) {
      this.#unchained ??= line;
      return;
    }
    const why = this.#fault(event, chain);
    if (why !== null) this.#altered = { state: "altered", line: this.#unchained ?? line, why };
    else {
      this.#chain = chain as string;
      this.#events += 1;
      this.#ended = type === "end";
    }
  }

  #fault(event: unknown, chain: unknown): string | null {
    if (this.#unchained !== null) return "an event without a chain stands before it";
    if (this.#ended) return "it comes after the run's end";
    if (typeof chain !== "string") return "it has no chain";
    const right = nextChainOf(this.#chain, event);
    if (right === chain) return null;
    return `its chain is ${show(chain.slice(0, 8))}, but the events up to it give ${show(right?.slice(0, 8))}`;
  }

  /** A line that cannot be read as an event. */
  refuse(line: number, why: string): void {
    if (this.#events > 0) this.#altered ??= { state: "altered", line, why };
    else this.#unchained ??= line;
  }

  /** The file ends with the fingerprint that its run gave. */
  close(fingerprint: string, line: number): void {
    if (this.#events === 0 || fingerprint === this.#chain) return;
    this.refuse(line, "its fingerprint is not that of the events before it");
  }

  get result(): Integrity {
    if (this.#altered) return this.#altered;
    if (this.#events === 0) return { state: "none" };
    const [events, fingerprint, ended] = [this.#events, this.#chain, this.#ended];
    return { state: "intact", events, fingerprint, ended };
  }
}

/** Null for what no run writes. */
function nextChainOf(previous: string, event: unknown): string | null {
  try {
    return nextChain(previous, event as object);
  } catch {
    return null;
  }
}
