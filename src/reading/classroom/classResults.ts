/**
 * The result codes of a class combined: which count, which do not and why, and what all of them
 * show. On wasm a seed gives only one result, so two codes that disagree about a seed, or agree
 * although their seeds differ, cannot both be right.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { mean, tInterval, type Interval } from "../../numeric/statistics.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { MOST_SEATS, MOST_SEED } from "../../spec/levelCount.ts";
import { learnerNames } from "../../spec/preference.ts";
import type { RunLog } from "../log/runLog.ts";
import { linkCurveOf, logOfCurves } from "../fingerprintCurves.ts";
import { roundingOf, type LinkMetric } from "../../spec/linkCurves.ts";
import { readCode, setupOf, shortFingerprint, type ResultCode } from "./resultCode.ts";

/** What the teacher's page knows about its class. */
export interface ClassSetup {
  /** With the seed of seat 0: seat n has that seed plus n. */
  spec: ExperimentSpec;
  metric: LinkMetric;
  seats: number;
}

/** The result of rerunning the seed on this page; absent before a rerun. */
type CheckOf = ReadonlyMap<string, "same" | "different">;

/** Why a code does not count. */
export type Doubt =
  /** Unreadable: what is wrong with it, without a full stop. */
  | { kind: "unreadable"; why: string }
  /** Its settings differ from the class's. */
  | { kind: "otherExperiment" }
  /** No seat has its seed. */
  | { kind: "noSeat" }
  /** Another metric, or iterations that no run of the class has. */
  | { kind: "otherCurves" }
  /** Another code has different numbers for the same seed. */
  | { kind: "contradicted"; seat: number }
  /** The same run was submitted before, with another prediction or rounding. */
  | { kind: "again"; seat: number }
  /** Another seat has the same numbers. */
  | { kind: "copied"; seats: number[] }
  /** Training the seed again gave other numbers. */
  | { kind: "notReproduced" };

export interface Handed {
  code: string;
  /** Null if it cannot be read. */
  result: ResultCode | null;
  /** The seat that it belongs to; null if there is none. */
  seat: number | null;
  /** Null if it counts. */
  doubt: Doubt | null;
  /** Whether its seed was trained again with the same result. */
  isChecked: boolean;
}

/** The class's experiment on the one engine that gives the same numbers on every machine; otherwise codes could not be compared. */
export function pinned(spec: ExperimentSpec): ExperimentSpec {
  const { name } = spec.engine;
  return { ...spec, engine: { name: name === "wasm" ? name : "auto", backend: "wasm" } };
}

/**
 * The experiment of a named class: its seeds differ from those of any other class with the same
 * lesson.
 * @param name as typed by the teacher. @returns with the seed of seat 0.
 */
export function specOfClass(spec: ExperimentSpec, name: string): ExperimentSpec {
  const [a, b, c, d] = sha256(utf8ToBytes(name.trim())); // its first 32 bits
  const from = ((a! * 256 + b!) * 256 + c!) * 256 + d!;
  // Number of seeds with distinct levels, leaving room for the last seat.
  const count = (spec.revision ?? 1) >= 2 ? MOST_SEED - MOST_SEATS : 2 ** 32;
  return { ...spec, seed: (spec.seed + from) % count };
}

/** The seed of a seat, 32 bits. @param seat from 1. */
export function seedOfSeat({ spec }: Pick<ClassSetup, "spec">, seat: number): number {
  return (spec.seed + seat) % 2 ** 32;
}

function seatOf({ spec, seats }: ClassSetup, seed: number): number | null {
  const seat = (seed - spec.seed + 2 ** 32) % 2 ** 32;
  return seat >= 1 && seat <= seats ? seat : null;
}

/** The iterations at which a finished run of the class has points; null until a valid code shows them. */
type Points = readonly number[] | null;

/**
 * Every code once, in order of submission.
 * @param points of a finished run; codes with other iterations do not count.
 */
export function readClass(
  setup: ClassSetup,
  codes: readonly string[],
  points: Points,
  checks: CheckOf = new Map(),
): Handed[] {
  const own = setupOf(setup.spec);
  const methods = learnerNames(setup.spec).length;
  const read = [...new Set(codes.map((code) => code.trim()))].map((code): Handed => {
    const one = { code, result: null, seat: null, isChecked: checks.get(code) === "same" };
    try {
      const result = readCode(code, methods);
      const seat = seatOf(setup, result.seed);
      return { ...one, result, seat, doubt: doubtAlone(setup, own, result, seat, points) };
    } catch (error) {
      return { ...one, doubt: { kind: "unreadable", why: (error as Error).message } };
    }
  });
  // A code refuted by a rerun does not cast doubt on others.
  const tried = read.map((one): Handed =>
    checks.get(one.code) === "different" ? { ...one, doubt: { kind: "notReproduced" } } : one,
  );
  const judged = tried.map((one): Handed => {
    return { ...one, doubt: one.doubt ?? (one.isChecked ? null : doubtBeside(one, tried)) };
  });
  return judged.map((one, i) => ({
    ...one,
    doubt: one.doubt ?? doubtAgain(one, judged.slice(0, i)),
  }));
}

/** A seat counts once, with its first submission. */
function doubtAgain({ seat }: Handed, before: readonly Handed[]): Doubt | null {
  const isThere = before.some((one) => one.seat === seat && one.doubt === null);
  return isThere && seat !== null ? { kind: "again", seat } : null;
}

function doubtAlone(
  { metric, spec }: ClassSetup,
  own: string,
  { setup, curve }: ResultCode,
  seat: number | null,
  points: Points,
): Doubt | null {
  if (setup !== own) return { kind: "otherExperiment" };
  if (seat === null) return { kind: "noSeat" };
  const isLast = curve.x.at(-1) === (points?.at(-1) ?? spec.optimisation.iterations);
  const isKnown = points === null || curve.x.every((at) => points.includes(at));
  return curve.metric === metric && isLast && isKnown ? null : { kind: "otherCurves" };
}

/** A seed gives one result, and two seeds give two. */
function doubtBeside({ code, result, seat }: Handed, all: readonly Handed[]): Doubt | null {
  if (!result || seat === null) return null;
  const others = all.flatMap((one) =>
    one.code !== code && one.doubt === null && one.result && one.seat !== null
      ? [{ seat: one.seat, result: one.result }]
      : [],
  );
  const isOther = ({ fingerprint, curve }: ResultCode) =>
    fingerprint !== result.fingerprint || numbersOf(curve) !== numbersOf(result.curve);
  if (others.some((one) => one.seat === seat && isOther(one.result)))
    return { kind: "contradicted", seat };
  const seats = others
    .filter((one) => one.seat !== seat && isCopy(one.result, result))
    .map((one) => one.seat);
  return seats.length > 0 ? { kind: "copied", seats } : null;
}

/** Fewer numbers than this may be equal by chance. */
const MANY = 12;

function isCopy(a: ResultCode, b: ResultCode): boolean {
  if (a.fingerprint === b.fingerprint) return true;
  return a.curve.x.length * a.curve.y.length >= MANY && numbersOf(a.curve) === numbersOf(b.curve);
}

function numbersOf({ x, y }: ResultCode["curve"]): string {
  return JSON.stringify([x, y]);
}

/** Whether a run matches a code: its fingerprint, and its curves up to rounding. */
export function isReproducedBy({ fingerprint, curve }: ResultCode, log: RunLog): boolean {
  if (!log.end || shortFingerprint(log.end.chain) !== fingerprint) return false;
  const own = linkCurveOf(log, curve.metric);
  return curve.x.every((at, i) =>
    curve.y.every((row, method) => {
      const value = own.y[method]?.[own.x.indexOf(at)] ?? null;
      const said = row[i] ?? null;
      return value === null || said === null
        ? value === said
        : Math.abs(value - said) <= roundingOf(curve);
    }),
  );
}

/** The valid runs as logs that contain only their curves, one for each seat. */
export function logsOf({ spec }: ClassSetup, handed: readonly Handed[]): RunLog[] {
  return countedResults(handed).map(({ seed, curve }) => logOfCurves({ ...spec, seed }, [curve]));
}

/** The valid results; a seat that submitted the same run twice counts once. */
export function countedResults(handed: readonly Handed[]): ResultCode[] {
  const bySeat = new Map<number, ResultCode>();
  for (const { seat, result, doubt } of handed)
    if (seat !== null && result && doubt === null && !bySeat.has(seat)) bySeat.set(seat, result);
  return [...bySeat].sort(([a], [b]) => a - b).map(([, result]) => result);
}

/** A class's results at the end of its runs. */
interface ClassOutcome {
  /** Number of valid runs. */
  n: number;
  methods: {
    algorithm: string;
    mean: number;
    /** 95 % by Student's t over the runs; NaN for fewer than two. */
    interval: Interval;
    /** Number of runs in which it was best; a tie counts for all. */
    best: number;
  }[];
  /** How often each option was predicted: index 0 is option 1. [options] */
  predictions: number[];
}

/** @param options the number of options. */
export function classOutcome(
  { spec }: ClassSetup,
  results: readonly ResultCode[],
  options: number,
): ClassOutcome {
  const last = results.map(({ curve: { y } }) => y.map((row) => row.at(-1) ?? null));
  const methods = learnerNames(spec).map((algorithm, m) => {
    const values = last.flatMap((row) => (row[m] === null ? [] : [row[m]!]));
    const best = last.filter((row) => row[m] !== null && row[m] === greatestOf(row)).length;
    return { algorithm, mean: mean(values), interval: tInterval(values), best };
  });
  const predictions = Array.from(
    { length: options },
    (_, i) => results.filter(({ prediction }) => prediction === i + 1).length,
  );
  return { n: results.length, methods, predictions };
}

function greatestOf(row: readonly (number | null)[]): number {
  return row.reduce<number>((most, value) => Math.max(most, value ?? -Infinity), -Infinity);
}

/** Mean difference of two methods' last values over the same runs, with its 95 % interval (paired Student's t). */
export function differenceOf(
  results: readonly ResultCode[],
  a: number,
  b: number,
): { mean: number; interval: Interval; n: number } {
  const differences = results.flatMap(({ curve: { y } }) => {
    const [one, other] = [y[a]?.at(-1), y[b]?.at(-1)];
    return typeof one === "number" && typeof other === "number" ? [one - other] : [];
  });
  return { mean: mean(differences), interval: tInterval(differences), n: differences.length };
}
