/** Reads the episodes of many iterations piece by piece, and keeps only what the table needs. */
import type { Sliced } from "../../numeric/sliced.ts";
import type { Fork } from "../../store/forkTypes.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { scanFacts, type EpisodeFacts } from "./facts.ts";
import { finder } from "./find.ts";

/** Episodes between two looks at the clock. */
const PORTION = 1000;

/** What is read of one iteration. */
interface ScannedPart {
  facts: EpisodeFacts[];
  /** Its episodes read so far, found or not. */
  episodes: number;
  isDone: boolean;
  rest: Generator<EpisodeFacts | null, void>;
}

export interface SearchHit {
  rows: EpisodeFacts[];
  /** Number of recorded episodes searched. */
  episodes: number;
  /** Number of iterations searched. */
  done: number;
}

export class Scan {
  readonly #log: RunLog;
  readonly #algorithm: string;
  readonly #find: ReturnType<typeof finder>;
  readonly #fork: Fork | null;
  readonly #parts = new Map<number, ScannedPart>();

  /** `fork`: its continuations replace the recorded episodes. */
  constructor(log: RunLog, algorithm: string, query: string, fork: Fork | null = null) {
    this.#log = log;
    this.#algorithm = algorithm;
    this.#fork = fork;
    this.#find = finder(query);
  }

  /** How many of those iterations it has read. */
  done(iterations: readonly number[]): number {
    return iterations.filter((iteration) => this.#parts.get(iteration)?.isDone).length;
  }

  /** Reads what it has not read of those iterations, in portions, as far as their lines are read. */
  *work(iterations: readonly number[]): Sliced<void> {
    for (const iteration of iterations) {
      const part = this.#parts.get(iteration) ?? this.#start(iteration);
      // The log reports when it has arrived.
      if (!part) return;
      while (!part.isDone) {
        readPortion(part);
        yield;
      }
    }
  }

  #start(iteration: number): ScannedPart | null {
    const episodes = this.#fork?.answer.kept ?? this.#log.peekEpisodes(this.#algorithm, iteration);
    if (!episodes) return null;
    const source = { spec: this.#log.start?.spec, algorithm: this.#algorithm, iteration };
    const rest = scanFacts(episodes, source, this.#find);
    const part: ScannedPart = { facts: [], episodes: 0, isDone: false, rest };
    this.#parts.set(iteration, part);
    return part;
  }

  /** The results so far for those iterations, in order. */
  found(iterations: readonly number[]): SearchHit {
    const parts = iterations.flatMap((iteration) => this.#parts.get(iteration) ?? []);
    return {
      rows: parts.flatMap(({ facts }) => facts),
      episodes: parts.reduce((sum, { episodes }) => sum + episodes, 0),
      done: parts.filter(({ isDone }) => isDone).length,
    };
  }
}

function readPortion(part: ScannedPart): void {
  for (let i = 0; i < PORTION; i++) {
    const { value, done } = part.rest.next();
    if (done) {
      part.isDone = true;
      return;
    }
    part.episodes++;
    if (value) part.facts.push(value);
  }
}

/** Remembered scans of a run, or of a fork. */
const REMEMBERED = 8;

const known = new WeakMap<object, Map<string, Scan>>();

/** The scan for a search text, which goes on where it was. */
export function scanFor(log: RunLog, algorithm: string, query: string, fork: Fork | null): Scan {
  const scans = known.get(fork ?? log) ?? new Map<string, Scan>();
  known.set(fork ?? log, scans);
  const key = `${algorithm} ${query}`;
  const scan = scans.get(key) ?? new Scan(log, algorithm, query, fork);
  // The newest last.
  scans.delete(key);
  scans.set(key, scan);
  if (scans.size > REMEMBERED) scans.delete(scans.keys().next().value!);
  return scan;
}
