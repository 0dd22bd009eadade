/**
 * The collapse doctor's findings for a run, computed from its log: for recorded and imported runs,
 * which no doctor watched, and for detectors that a watched run could not evaluate.
 */
import { append } from "../numeric/lists.ts";
import { DETECTORS, type Detector } from "../train/doctor/detectors.ts";
import { Doctor, type Diagnosis } from "../train/doctor/doctor.ts";
import { ruleMatches } from "../train/doctor/rule.ts";
import type { CrashEvent, Finding, Metrics, RunEvent } from "../record/runEvent.ts";
import { withCutOff } from "../train/doctor/cutOff.ts";
import { soundFindings, tokenLimit } from "./cutOff.ts";
import type { RunLog, Series, MetricSource } from "./log/runLog.ts";

export type { Diagnosis };

/** What the doctor looks for. */
export const detectors: readonly Pick<Detector, "name" | "title" | "says" | "about">[] = DETECTORS;

const PATTERNS = DETECTORS.flatMap(({ signs }) =>
  signs.flatMap(({ rules, unless = [] }) => [...rules, ...unless].map(({ metric }) => metric)),
);

/** A column of the log, read from its beginning. */
interface MetricReader {
  metric: string;
  watched: boolean;
  series: Series;
  /** Points read so far. */
  read: number;
}

/** The reader's position in one algorithm's numbers of one source. */
interface WatchedMethod {
  algorithm: string;
  source: MetricSource;
  readers: Map<string, MetricReader>;
}

/** Reads a log piece by piece, and continues where it stopped when the log has grown. */
export class LogDoctor {
  #log: RunLog;
  #doctor = new Doctor();
  #places: WatchedMethod[] = [];
  #crashes = 0;
  /** Version of the log that the readers belong to. */
  #opened = -1;
  #findings: Finding[] = [];
  #watched = new Map<string, boolean>();

  constructor(log: RunLog) {
    this.#log = log;
  }

  /** Works until the clock passes `until`; returns whether the end of the log is reached. */
  advance(until: number, now: () => number = () => performance.now()): boolean {
    for (;;) {
      const event = this.#next();
      if (!event) return true;
      append(this.#findings, this.#doctor.observe(event));
      if (now() >= until) return false;
    }
  }

  get diagnosis(): Diagnosis {
    return { findings: [...this.#findings], notMeasured: this.#doctor.notMeasured };
  }

  /** The next iteration or evaluation of any algorithm, in order; crashes come last. */
  #next(): RunEvent | null {
    this.#open();
    const waiting = this.#places
      .map((place) => ({ place, iteration: nextIteration(place) }))
      .filter(({ iteration }) => iteration < Infinity);
    // Training before the evaluation that follows it.
    const first = waiting.toSorted((a, b) => a.iteration - b.iteration)[0];
    if (first) return this.#eventAt(first.place, first.iteration);
    const crash = this.#log.crashes[this.#crashes];
    if (crash) this.#crashes += 1;
    return (crash as CrashEvent | undefined) ?? null;
  }

  /** Opens readers for what the log has so far. */
  #open(): void {
    if (this.#opened === this.#log.version) return;
    this.#opened = this.#log.version;
    for (const algorithm of this.#log.algorithms)
      for (const source of ["train", "heldout"] as const) {
        const place = this.#placeOf(algorithm, source);
        for (const metric of this.#log.metrics(source)) {
          if (place.readers.has(metric)) continue;
          const series = this.#log.series(algorithm, metric, source);
          if (series.x.length === 0) continue;
          const watched = this.#isWatched(metric);
          place.readers.set(metric, { metric, watched, series, read: 0 });
        }
      }
  }

  #placeOf(algorithm: string, source: MetricSource): WatchedMethod {
    const known = this.#places.find(
      (place) => place.algorithm === algorithm && place.source === source,
    );
    if (known) return known;
    const place = { algorithm, source, readers: new Map<string, MetricReader>() };
    this.#places.push(place);
    return place;
  }

  #isWatched(metric: string): boolean {
    const known = this.#watched.get(metric);
    if (known !== undefined) return known;
    const watched = PATTERNS.some((pattern) => ruleMatches(pattern, metric));
    this.#watched.set(metric, watched);
    return watched;
  }

  /**
   * Of the many numbers of an iteration, only those that a detector uses, and any that is not
   * finite.
   */
  #eventAt({ algorithm, source, readers }: WatchedMethod, iteration: number): RunEvent {
    const metrics: Metrics = {};
    for (const reader of readers.values()) {
      if (reader.series.x[reader.read] !== iteration) continue;
      const value = reader.series.y[reader.read]!;
      reader.read += 1;
      if (reader.watched || value === null) metrics[reader.metric] = value;
    }
    const base = { algorithm, iteration, metrics, chain: "", time: { at: "" } };
    if (source === "heldout") return { ...base, type: "eval", levels: 0 };
    const episodes = () => this.#log.peekEpisodes(algorithm, iteration) ?? [];
    const read = withCutOff(metrics, episodes, tokenLimit(this.#log));
    return { ...base, metrics: read, type: "iteration", warmup: false, episodes: [] };
  }
}

/** Infinity if everything is read. */
function nextIteration({ readers }: WatchedMethod): number {
  let next = Infinity;
  for (const { series, read } of readers.values())
    next = Math.min(next, series.x[read] ?? Infinity);
  return next;
}

/** The run's own findings first, then those from the log of other detectors; in the order of their iterations. */
export function allFindings(log: RunLog, found: readonly Finding[]): Finding[] {
  const key = ({ algorithm, detector }: Finding) => `${algorithm} ${detector}`;
  const sound = soundFindings(log);
  const own = new Set(sound.map(key));
  const others = found.filter((finding) => !own.has(key(finding)));
  return [...sound, ...others].toSorted((a, b) => a.iteration - b.iteration);
}

/** A metric by its name, or the first that a name with `*` matches; null if the run has none. */
export function evidenceSeries(log: RunLog, algorithm: string, metric: string): Series | null {
  for (const source of ["train", "heldout"] as const) {
    const name = log.metrics(source).find((known) => ruleMatches(metric, known));
    const series = name === undefined ? null : log.series(algorithm, name, source);
    if (series && series.x.length > 0) return series;
  }
  return null;
}
