/** How well stories named what was planted, as Markdown. */
import type { CauseName } from "../../src/reading/story/causeNames.ts";
import { FAULTS, LENGTH, type FaultKind, type FaultName } from "./faults.ts";

/** One patient, as the clinic keeps it. */
export interface Told {
  kind: FaultName | "healthy";
  cause: CauseName | null;
  onset: number | null;
  algorithm: string;
  seed: number;
  plants: unknown;
  verdict: string;
  /** Held-out success at each evaluation; empty where the environment has none. */
  success: number[];
  causes: { cause: CauseName; onset: number; weight: number }[];
}

/** An onset counts within the larger of 3 iterations and a fifth of the run. */
const SLACK = Math.max(3, LENGTH / 5);
/** Held-out levels of an evaluation. */
const LEVELS = 64;

/**
 * Whether a run without a fault is healthy, by its held-out score alone: its last two evaluations
 * are not below its first by more than two standard errors. Fixed before any run was made.
 */
export function isHealthy({ success }: Pick<Told, "success">): boolean {
  if (success.length < 3) return true;
  const end = (success.at(-1)! + success.at(-2)!) / 2;
  const p = Math.min(1 - 0.5 / LEVELS, Math.max(0.5 / LEVELS, success[0]!));
  return success[0]! - end <= 2 * Math.sqrt((1.5 * p * (1 - p)) / LEVELS);
}

interface Hits {
  runs: number;
  first: number;
  firstTwo: number;
  onset: number;
}

/** Of patients with a fault: where the planted cause stands, and whether its onset is right. */
export function hitsOf(told: readonly Told[]): Hits {
  const at = told.map(({ cause, causes }) => causes.findIndex((one) => one.cause === cause));
  const isNear = (one: Told, i: number) =>
    i >= 0 && Math.abs(one.causes[i]!.onset - one.onset!) <= SLACK;
  return {
    runs: told.length,
    first: at.filter((i) => i === 0).length,
    firstTwo: at.filter((i) => i === 0 || i === 1).length,
    onset: told.filter((one, k) => isNear(one, at[k]!)).length,
  };
}

const percent = (n: number, of: number) => (of === 0 ? "–" : `${Math.round((100 * n) / of)} %`);
const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => "---"), ...rows].map(line).join("\n");

export function clinicTables(told: readonly Told[]): string {
  const ill = told.filter(({ kind }) => kind !== "healthy");
  const kinds = [...new Set(ill.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const own = ill.filter((one) => one.kind === kind);
    const { runs, first, firstTwo, onset } = hitsOf(own);
    const { cause, fitted }: FaultKind = FAULTS[kind as FaultName];
    return [kind, cause, fitted ? "yes" : "no", runs, first, firstTwo, onset, firstTold(own)];
  });
  const sum = (fitted: boolean) => {
    const own = ill.filter(({ kind }) => FAULTS[kind as FaultName].fitted === fitted);
    const { runs, first, firstTwo, onset } = hitsOf(own);
    const share = [first, firstTwo, onset].map((n) => percent(n, runs));
    return [fitted ? "all fitted" : "all others", "", fitted ? "yes" : "no", runs, ...share, ""];
  };
  const head = ["planted", "cause", "fitted", "runs", "first", "first two", "onset", "told first"];
  const healthy = told.filter((one) => one.kind === "healthy" && isHealthy(one));
  const alarms = healthy.filter(({ causes }) => causes.length > 0);
  const about = alarms.map(
    ({ algorithm, seed, causes }) => `${algorithm} ${seed}: ${causes[0]!.cause}`,
  );
  return [
    table(head, [...rows, sum(true), sum(false)]),
    "",
    `False alarms: ${alarms.length} of ${healthy.length} healthy runs (${percent(alarms.length, healthy.length)})${about.length > 0 ? `: ${about.join("; ")}` : ""}.`,
  ].join("\n");
}

/** What stories said first, with counts. */
function firstTold(told: readonly Told[]): string {
  const names = told.map(({ causes }) => causes[0]?.cause ?? "nothing");
  const counts = [...new Set(names)].map((name) => ({
    name,
    n: names.filter((one) => one === name).length,
  }));
  return counts
    .toSorted((a, b) => b.n - a.n)
    .map(({ name, n }) => `${name} ${n}`)
    .join(", ");
}
