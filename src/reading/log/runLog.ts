/**
 * One run as its panels see it: events are appended, columns are read. Not in the store, because it
 * grows; the store has a `RunView`, a handle that changes when the log has grown.
 */
import type { ShownPart } from "../../interchange/import/foreign.ts";
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

/** One metric of one algorithm over iterations; y is null if not finite. Same length, x ascending. */
export interface Series {
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
}

/** Where a number was measured: on training episodes, or on held-out levels. */
export type MetricSource = "train" | "heldout";

/** Clock readings of an iteration: seconds per phase, bytes held, and other fields of its log. */
export interface IterationTime {
  readonly iteration: number;
  readonly time: IterationEvent["time"];
  /** The amount of work done in that time. */
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
  /** Unique among all logs of the page. */
  readonly id = ++logs;
  /** Of an import; null: all that its files had. */
  part: ShownPart | null = null;
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
  /** Hash after the last event of each iteration. */
  #chains: string[] = [];
  #lastChain = "";
  /** All of them, iterations without episodes and updates. */
  #events: RunEvent[] = [];
  /** Names of the events with a hash, see `#isKnown`. */
  #known = new Set<string>();

  /**
   * Appends an event, unless the log has it: duplicate lines in a file count once. `unread`: the
   * position of an iteration's episodes and updates, if the event came without them.
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

  /** By its hash, which is unique within a run; another program's log has none. Marks the event as known. */
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
  /** Hash after event n, counting from 0. */
  chainOf(event: number): string | null {
    return this.#events[event]?.chain ?? null;
  }

  /** The first events as a separate log, made piece by piece so that the page stays responsive. */
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

  /** Takes the episodes that a log of the same files, as they were before, holds in memory. */
  adopt(before: RunLog): void {
    this.#details.adopt(before.#details);
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
  /** The collapse doctor's findings, in the order it found them. */
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
  /** Hash of the newest event: the fingerprint once the run has ended. */
  get lastChain(): string {
    return this.#lastChain;
  }

  /** The algorithms of the run in their spec's order, then its methods on preference pairs. */
  get algorithms(): string[] {
    return this.#start ? learnerNames(this.#start.spec) : [...this.#iterations.keys()];
  }

  /** The same for every method of a run, recorded or not; null if the log does not have it, as with foreign logs. */
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

  /** Cumulative cost up to each finished iteration. */
  clock(algorithm: string): RunClock {
    return this.#clocks.get(algorithm) ?? NO_CLOCK;
  }

  /** Recorded episodes; empty if the iteration recorded none, or is too old. */
  episodes(algorithm: string, iteration: number): readonly EpisodeRecord[] {
    return this.#details.get(key(algorithm, iteration))?.episodes ?? NO_EPISODES;
  }

  /** The same for callers that go through all iterations: those around the cursor stay cached. Null: it is being read. */
  peekEpisodes(algorithm: string, iteration: number): readonly EpisodeRecord[] | null {
    const known = this.#details.peek(key(algorithm, iteration));
    return known?.episodes ?? (this.isReading(algorithm, iteration) ? null : NO_EPISODES);
  }

  /** Whether its line is so long that it is being read in slices: until then it has no episodes. */
  isReading(algorithm: string, iteration: number): boolean {
    return this.#details.isReading(key(algorithm, iteration));
  }

  /** Whether the episodes of all iterations may be gone through: of files that are too large to be held, each time reads them anew. */
  get holdsAll(): boolean {
    return this.#details.fits;
  }

  /** Whether any line is. */
  get isReadingSome(): boolean {
    return this.#details.isReadingSome;
  }

  /** Data outside the log that panels wait for has arrived. */
  noteRead(): void {
    this.#details.onRead();
  }

  /** Called whenever a long line has been read. */
  set onRead(listener: () => void) {
    this.#details.onRead = listener;
  }

  /**
   * The actor's optimiser steps of an iteration, unchecked: a foreign log may contain anything
   * there. Empty for an iteration that did not train the actor; null if the log lacks them, or it
   * is too old.
   */
  updates(algorithm: string, iteration: number): readonly UpdateRecord[] | null {
    return this.#details.get(key(algorithm, iteration))?.updates ?? null;
  }

  /** Clock readings of each finished iteration of an algorithm, ascending. */
  times(algorithm: string): readonly IterationTime[] {
    return this.#times.get(algorithm) ?? [];
  }

  /** Iterations of an algorithm whose episodes can be shown, ascending. */
  iterationsWithEpisodes(algorithm: string): number[] {
    return this.iterations(algorithm).filter((n) => this.hasEpisodes(algorithm, n));
  }

  /** Whether `episodes` would return any; reads no line. */
  hasEpisodes(algorithm: string, iteration: number): boolean {
    return this.#details.hasEpisodes(key(algorithm, iteration));
  }

  /** Hash after the last event of an iteration; final only after a later event. */
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

/** The list under a name, created when it is first requested. */
function listIn<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? [];
  if (list.length === 0) lists.set(name, list);
  return list;
}

function key(...parts: (string | number)[]): string {
  return parts.join("\u0000");
}

/** What panels read: the same for live and recorded runs. A new handle means that the log has grown. */
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
