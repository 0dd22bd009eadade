/** A run's clock readings as rates. What a log does not contain is null. */
import { finite } from "../../numeric/finite.ts";
import { greatest } from "../../numeric/lists.ts";
import type { IterationTime, RunLog, RunView } from "../../reading/log/runLog.ts";

export interface IterationSpeed {
  iteration: number;
  /** Seconds by phase. */
  phases: Readonly<Record<string, number>>;
  seconds: number | null;
  /** Tokens that the model wrote, per second of rollout (of all its work where phases are unknown). */
  tokens: number | null;
  /** Per second of all its work. */
  episodes: number | null;
  bytes: number | null;
  dispatches: number | null;
}

export interface MethodSpeed {
  algorithm: string;
  iterations: IterationSpeed[];
  /** Seconds by phase, over all iterations. */
  phases: Readonly<Record<string, number>>;
  seconds: number;
  /** Most bytes held at any time. */
  bytes: number | null;
}

/** Readings that are not a phase's time. */
const OTHERS = ["at", "seconds", "bytes", "dispatches"];

export function speedOf(log: RunLog, algorithm: string): MethodSpeed {
  const iterations = [...iterationSpeeds(log, algorithm)];
  const phases: Record<string, number> = {};
  for (const one of iterations)
    for (const [name, seconds] of Object.entries(one.phases))
      phases[name] = (phases[name] ?? 0) + seconds;
  const held = iterations.map(({ bytes }) => bytes).filter((bytes) => bytes !== null);
  return {
    algorithm,
    iterations,
    phases,
    seconds: iterations.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
    bytes: held.length === 0 ? null : held.reduce((most, bytes) => Math.max(most, bytes)),
  };
}

const known = new WeakMap<RunLog, Map<string, IterationSpeed[]>>();

/** Finished iterations do not change: only new ones are computed. */
function iterationSpeeds(log: RunLog, algorithm: string): readonly IterationSpeed[] {
  const ofLog = known.get(log) ?? new Map<string, IterationSpeed[]>();
  const speeds = ofLog.get(algorithm) ?? [];
  known.set(log, ofLog.set(algorithm, speeds));
  for (const one of log.times(algorithm).slice(speeds.length))
    speeds.push(iterationSpeed(one, log.episodesPerIteration));
  return speeds;
}

function iterationSpeed(
  { iteration, time, used }: IterationTime,
  episodes: number | null,
): IterationSpeed {
  const phases = phasesOf(time);
  const seconds = finite(time["seconds"]) ?? sumOf(phases);
  return {
    iteration,
    phases,
    seconds,
    tokens: rate(used.tokens, phases["rollout"] ?? seconds),
    episodes: rate(episodes, seconds),
    bytes: finite(time["bytes"]),
    dispatches: finite(time["dispatches"]),
  };
}

function phasesOf(time: IterationTime["time"]): Record<string, number> {
  const phases: Record<string, number> = {};
  for (const [name, value] of Object.entries(time)) {
    const seconds = finite(value);
    if (seconds !== null && seconds >= 0 && !OTHERS.includes(name)) phases[name] = seconds;
  }
  return phases;
}

function sumOf(phases: Readonly<Record<string, number>>): number | null {
  const all = Object.values(phases);
  return all.length === 0 ? null : all.reduce((sum, seconds) => sum + seconds, 0);
}

function rate(count: number | null, seconds: number | null): number | null {
  return count === null || seconds === null || seconds <= 0 ? null : count / seconds;
}

/** Seconds from the run's first to its last event; null if its log has no dates. */
export function wallSeconds(log: RunLog): number | null {
  const first = Date.parse(String(log.start?.time.at));
  const ends = log.algorithms.map((name) => Date.parse(String(log.times(name).at(-1)?.time.at)));
  const last = greatest([
    ...[log.end?.time.at].map((at) => Date.parse(String(at))).filter(isDate),
    ...ends.filter(isDate),
  ]);
  return isDate(first) && isDate(last) && last > first ? (last - first) / 1000 : null;
}

function isDate(x: number): boolean {
  return Number.isFinite(x);
}

/** Everything that the figure shows of a run. */
export interface SpeedModel {
  view: RunView;
  /** Methods that have finished an iteration. */
  methods: MethodSpeed[];
  /** Names of all phases, in order of appearance. */
  phases: string[];
  /** Seconds of work of all methods. */
  seconds: number;
  /** From the first event to the last; null if the log has no dates. */
  wall: number | null;
  /** Whether the log counts dispatches. */
  dispatches: boolean;
}

export function speedModel(view: RunView): SpeedModel {
  const { log } = view;
  const methods = log.algorithms
    .map((algorithm) => speedOf(log, algorithm))
    .filter(({ iterations }) => iterations.length > 0);
  return {
    view,
    methods,
    phases: [...new Set(methods.flatMap(({ phases }) => Object.keys(phases)))],
    seconds: methods.reduce((sum, method) => sum + method.seconds, 0),
    wall: wallSeconds(log),
    dispatches: methods.some(({ iterations }) =>
      iterations.some(({ dispatches }) => dispatches !== null),
    ),
  };
}
