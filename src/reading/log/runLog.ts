/**
 * One run as its panels see it: events go in at the end, columns come out. Lives outside the store, because it
 * grows; the store holds a `RunView`, a handle that changes when the log has.
 */
import { finite } from "../../numeric/finite.ts";
import { least } from "../../numeric/lists.ts";
import type {
  CrashEvent,
  EndEvent,
  EngineEvent,
  EpisodeRecord,
  FindingEvent,
  IterationEvent,
  Metrics,
  RunEvent,
  StartEvent,
  UpdateRecord,
  WarmStartEvent,
} from "../../record/runEvent.ts";
import { learnerNames } from "../../spec/preference.ts";
import { DetailStore, type Unread } from "./iterationDetails.ts";
import { slices } from "./slices.ts";
import { newClock, tick, usedBy, type RunClock, type Used } from "./runClock.ts";

/** One metric of one algorithm over iterations; a y of null was not finite. Same length, x ascending. */
export interface Series {
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
}

/** Where a number was measured: on the episodes that train, or on held-out levels. */
export type MetricSource = "train" | "heldout";

/** Clock readings of an iteration: seconds per phase, bytes held, and whatever else its log says. */
export interface IterationTime {
  readonly iteration: number;
  readonly time: IterationEvent["time"];
  /** What there was to do in that time. */
  readonly used: Used;
}

interface SeriesColumns {
  x: number[];
  y: (number | null)[];
}

const EMPTY: Series = { x: [], y: [] };
const NO_EPISODES: readonly EpisodeRecord[] = [];
const NO_CLOCK: RunClock = newClock();

let logs = 0;

export class RunLog {
  /** Another one for each log of the page. */
  readonly id = ++logs;
  #start: StartEvent | null = null;
  #warmStart: WarmStartEvent | null = null;
  #end: EndEvent | null = null;
  #crashes: CrashEvent[] = [];
  #findings: FindingEvent[] = [];
  #engines: EngineEvent[] = [];
  #columns = new Map<string, SeriesColumns>();
  #metrics = new Map<string, Set<string>>();
  #details = new DetailStore();
  #times = new Map<string, IterationTime[]>();
  #iterations = new Map<string, number[]>();
  #clocks = new Map<string, RunClock>();
  /** Chain after the last event of each iteration. */
  #chains: string[] = [];
  #lastChain = "";
  /** All of them, iterations without episodes and updates. */
  #events: RunEvent[] = [];
  /** Names of the events that have a chain, see `#isKnown`. */
  #known = new Set<string>();

  /**
   * Appends an event, unless the log has it: lines that stand twice in a file count once. `unread`: where the episodes and
   * updates of an iteration are, when the event came without them.
   */
  append(event: RunEvent, unread?: Unread): void {
    if (this.#isKnown(event)) return;
    this.#events.push(event.type === "iteration" ? withoutDetails(event) : event);
    this.#lastChain = event.chain;
    switch (event.type) {
      case "start":
        this.#start = event;
        return;
      case "warmStart":
        this.#warmStart = event;
        return;
      case "eval":
        this.#appendMetrics("heldout", event.algorithm, event.iteration, event.metrics);
        return;
      case "iteration":
        this.#appendIteration(event, unread);
        return;
      case "crash":
        this.#crashes.push(event);
        return;
      case "finding":
        this.#findings.push(event);
        return;
      case "engine":
        this.#engines.push(event);
        return;
      case "end":
        this.#end = event;
    }
  }

  /** By chain, which no two events of a run share; another program's log has none. Notes that it is known from now on. */
  #isKnown(event: RunEvent): boolean {
    if (event.chain === "") return false;
    const { algorithm = "", iteration = "" } = event as Partial<IterationEvent>;
    const name = key(event.chain, event.type, algorithm, iteration);
    const known = this.#known.has(name);
    this.#known.add(name);
    return known;
  }

  #appendIteration(event: IterationEvent, unread?: Unread): void {
    const { algorithm, iteration, episodes, updates } = event;
    this.#appendMetrics("train", algorithm, iteration, event.metrics);
    this.#chains[iteration] = event.chain;
    listIn(this.#iterations, algorithm).push(iteration);
    const used = usedBy(event.metrics, this.episodesPerIteration);
    listIn(this.#times, algorithm).push({ iteration, time: event.time, used });
    this.#tick(event, used);
    const place = key(algorithm, iteration);
    if (unread) this.#details.keepUnread(place, unread);
    else if (episodes.length > 0 || updates)
      this.#details.keep(place, { episodes, updates: updates ?? null });
  }

  #tick(event: IterationEvent, used: Used): void {
    const clock = this.#clocks.get(event.algorithm) ?? newClock();
    this.#clocks.set(event.algorithm, clock);
    tick(clock, event, used);
  }

  #appendMetrics(
    source: MetricSource,
    algorithm: string,
    iteration: number,
    metrics: Metrics,
  ): void {
    for (const [metric, value] of Object.entries(metrics)) {
      const name = key(source, algorithm, metric);
      let columns = this.#columns.get(name);
      if (!columns) {
        columns = { x: [], y: [] };
        this.#columns.set(name, columns);
        const known = this.#metrics.get(source) ?? new Set();
        this.#metrics.set(source, known.add(metric));
      }
      columns.x.push(iteration);
      columns.y.push(Number.isFinite(value) ? value : null);
    }
  }

  /** Grows with every event. */
  get version(): number {
    return this.#events.length;
  }
  /** Chain after event n, counting from 0. */
  chainOf(event: number): string | null {
    return this.#events[event]?.chain ?? null;
  }

  /** The first events as a log of their own, made piece by piece so that the page stays responsive. */
  async upTo(count: number): Promise<RunLog> {
    const log = new RunLog();
    const pause = slices();
    for (const event of this.#events.slice(0, count)) {
      const isLong = event.type === "iteration";
      const place = isLong ? key(event.algorithm, event.iteration) : "";
      log.append(event, isLong ? this.#details.asUnread(place) : undefined);
      await pause();
    }
    return log;
  }
  get start(): StartEvent | null {
    return this.#start;
  }
  get warmStart(): WarmStartEvent | null {
    return this.#warmStart;
  }
  get end(): EndEvent | null {
    return this.#end;
  }
  /** What the collapse doctor has found, in the order it was found. */
  get findings(): readonly FindingEvent[] {
    return this.#findings;
  }

  /** Engines that took over midway. */
  get engines(): readonly EngineEvent[] {
    return this.#engines;
  }

  get crashes(): readonly CrashEvent[] {
    return this.#crashes;
  }
  /** Chain of the newest event: the fingerprint once the run has ended. */
  get lastChain(): string {
    return this.#lastChain;
  }

  /** The algorithms of the run in their spec's order, then its methods on preference pairs. */
  get algorithms(): string[] {
    return this.#start ? learnerNames(this.#start.spec) : [...this.#iterations.keys()];
  }

  /** Every method of a run plays as many, recorded or not; null where the log does not say, as foreign ones do not. */
  get episodesPerIteration(): number | null {
    const { tasksPerIteration, groupSize } = this.#start?.spec.optimisation ?? {};
    const [tasks, group] = [finite(tasksPerIteration), finite(groupSize)];
    return tasks === null || group === null ? null : tasks * group;
  }

  /** Metrics seen so far, in order of appearance. */
  metrics(source: MetricSource): string[] {
    return [...(this.#metrics.get(source) ?? [])];
  }

  series(algorithm: string, metric: string, source: MetricSource = "train"): Series {
    return this.#columns.get(key(source, algorithm, metric)) ?? EMPTY;
  }

  /** Finished iterations of an algorithm, ascending. */
  iterations(algorithm: string): readonly number[] {
    return this.#iterations.get(algorithm) ?? [];
  }

  /** What has been used up to each finished iteration. */
  clock(algorithm: string): RunClock {
    return this.#clocks.get(algorithm) ?? NO_CLOCK;
  }

  /** Recorded episodes; none when the iteration recorded none, or is too long ago. */
  episodes(algorithm: string, iteration: number): readonly EpisodeRecord[] {
    return this.#details.get(key(algorithm, iteration))?.episodes ?? NO_EPISODES;
  }

  /** The same for who goes through all iterations: those around the cursor stay held. Null: it is being read. */
  peekEpisodes(algorithm: string, iteration: number): readonly EpisodeRecord[] | null {
    const known = this.#details.peek(key(algorithm, iteration));
    return known?.episodes ?? (this.isReading(algorithm, iteration) ? null : NO_EPISODES);
  }

  /** Whether its line is so long that it is being read in slices: until then it has no episodes. */
  isReading(algorithm: string, iteration: number): boolean {
    return this.#details.isReading(key(algorithm, iteration));
  }

  /** Something beside the log that panels wait for has come. */
  noteRead(): void {
    this.#details.onRead();
  }

  /** Calls back whenever a long line has been read. */
  set onRead(listener: () => void) {
    this.#details.onRead = listener;
  }

  /**
   * The actor's optimiser steps of an iteration, as the log has them: a foreign log may have anything there. None in
   * an iteration that held the actor still; null where the log says nothing of them, or it is too long ago.
   */
  updates(algorithm: string, iteration: number): readonly UpdateRecord[] | null {
    return this.#details.get(key(algorithm, iteration))?.updates ?? null;
  }

  /** What the clock said of each finished iteration of an algorithm, ascending. */
  times(algorithm: string): readonly IterationTime[] {
    return this.#times.get(algorithm) ?? [];
  }

  /** Iterations of an algorithm whose episodes can be shown, ascending. */
  iterationsWithEpisodes(algorithm: string): number[] {
    return this.iterations(algorithm).filter((n) => this.hasEpisodes(algorithm, n));
  }

  /** Whether `episodes` has any; reads no line. */
  hasEpisodes(algorithm: string, iteration: number): boolean {
    return this.#details.hasEpisodes(key(algorithm, iteration));
  }

  /** Chain after the last event of an iteration; final only once a later event is there. */
  chainAt(iteration: number): string | null {
    return this.#chains[iteration] ?? null;
  }

  /** Iterations that every algorithm (that has not crashed) has finished. */
  get finishedIterations(): number {
    const crashed = new Set(this.#crashes.map(({ algorithm }) => algorithm));
    const last = this.algorithms
      .filter((name) => !crashed.has(name))
      .map((name) => this.iterations(name).at(-1) ?? 0);
    return last.length === 0 ? this.#chains.length - 1 : least(last);
  }
}

function withoutDetails(event: IterationEvent): IterationEvent {
  if (event.episodes.length === 0 && !event.updates) return event;
  const { updates: _updates, ...light } = event;
  return { ...light, episodes: [] };
}

/** The list under a name, there from the first time it is asked for. */
function listIn<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? [];
  if (list.length === 0) lists.set(name, list);
  return list;
}

function key(...parts: (string | number)[]): string {
  return parts.join("\u0000");
}

/** What panels read: the same for live and recorded runs. A new handle says that the log has grown. */
export interface RunView {
  readonly log: RunLog;
  readonly version: number;
  readonly origin: "none" | "recorded" | "live" | "imported";
}

export function viewOf(log: RunLog, origin: RunView["origin"]): RunView {
  return { log, version: log.version, origin };
}

export function noRun(): RunView {
  return viewOf(new RunLog(), "none");
}
