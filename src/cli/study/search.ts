/**
 * An equal search: every method gets the same random draws, budget and stages. After each stage the best of each method go
 * on, judged by validation levels; the last ones are to be scored with new seeds on levels that no stage has seen.
 */
import { usedSettings } from "../../spec/algorithmDocs/settingUse.ts";
import { resolveAlgorithm } from "../../spec/algorithms.ts";
import type { OwnSettings } from "../../spec/learning.ts";
import { studentTail } from "../../numeric/statistics.ts";
import { knownOnly } from "../../numeric/finite.ts";
import { greatest, least } from "../../numeric/lists.ts";
import { variance, mean } from "../../numeric/statistics.ts";
import type { Summary, SummaryRow } from "../sweep/summary.ts";
import { OF_ROW } from "../../notebook/study/studyFile.ts";
import { drawnChanges, type SweepFile } from "../sweep/sweepFile.ts";

type DrawnSettings = Record<string, number | string | boolean>;

/** A method of a spec. */
interface ArmEntry {
  name: string;
  set: Record<string, number | string | null>;
  with?: OwnSettings | undefined;
}

interface Stage {
  iterations: number;
  seeds: number[];
}

export interface SearchConfig {
  /** A partial spec; its evaluation.set is set by the stages. */
  base: Record<string, unknown>;
  methods: string[];
  /** Methods under other names, or with settings of their own; absent: a row's name is the method's. */
  entries?: Record<string, ArmEntry>;
  /** As a sweep's draws; `row.NAME` is that setting of each method's row, where the row uses it. */
  space: NonNullable<SweepFile["draws"]>["over"];
  draws: number;
  /** `keep`: settings of each method that go on. */
  stages: (Stage & { keep: number })[];
  final: Stage;
  /** Of the log's evaluations; the higher the better. */
  measure: string;
}

export interface SearchOutcome {
  stage: number | "final";
  method: string;
  /** draw01, draw02, ... */
  draw: string;
  settings: DrawnSettings;
  set: "validation" | "test";
  iterations: number;
  scores: SummaryRow["scores"];
  mean: number | null;
  crashed: number;
  /** Goes on to the next stage. */
  kept: boolean;
}

/** Runs a sweep's file under a name and returns its summary. */
export type RunSweep = (name: string, file: object) => Summary | Promise<Summary>;

export interface SearchCandidate {
  method: string;
  draw: string;
  settings: DrawnSettings;
}

export type NoteOutcomes = (all: SearchOutcome[]) => void;

/** All stages; those that the last one keeps. */
export async function searchStages(
  config: SearchConfig,
  run: RunSweep,
  note: NoteOutcomes,
): Promise<SearchCandidate[]> {
  let candidates = drawn(config);
  for (const [i, { keep, ...stage }] of config.stages.entries()) {
    const of = { stage: i + 1, set: "validation" as const, ...stage };
    const outcomes = await tryCandidates(config, candidates, of, run);
    markBest(outcomes, keep);
    note(outcomes);
    const best = outcomes.filter(({ kept }) => kept);
    candidates = best.map(({ method, draw, settings }) => ({ method, draw, settings }));
  }
  return candidates;
}

/** The same draws for every method. */
function drawn({ methods, space, draws }: SearchConfig): SearchCandidate[] {
  const all = drawnChanges({ count: draws, seed: 0, over: space });
  const settings = all.map((changes, i) => {
    const draw = `draw${String(i + 1).padStart(2, "0")}`;
    return { draw, settings: Object.fromEntries(changes) as DrawnSettings };
  });
  return methods.flatMap((method) => settings.map((one) => ({ method, ...one })));
}

/** As fields of the spec: settings that the method's row does not use are left out. */
function asFields(settings: DrawnSettings, { name, set }: ArmEntry): DrawnSettings {
  const used: readonly string[] = usedSettings(resolveAlgorithm(name, set));
  return Object.fromEntries(
    Object.entries(settings).flatMap(([field, value]) => {
      if (!field.startsWith(OF_ROW)) return [[field, value]];
      const own = field.slice(OF_ROW.length);
      return used.includes(own) ? [[`${name}.${own}`, value]] : [];
    }),
  );
}

/** Its setting in a sweep. */
export const candidateName = ({ method, draw }: SearchCandidate): string => `${method}-${draw}`;

interface StageOf extends Stage {
  stage: SearchOutcome["stage"];
  set: SearchOutcome["set"];
}

/** Trains candidates as one sweep. */
export async function tryCandidates(
  config: SearchConfig,
  candidates: SearchCandidate[],
  of: StageOf,
  run: RunSweep,
): Promise<SearchOutcome[]> {
  const { stage, set, iterations, seeds } = of;
  const entryOf = ({ method }: SearchCandidate) =>
    config.entries?.[method] ?? { name: method, set: {} };
  const file = {
    base: config.base,
    variants: candidates.map((one) => ({
      name: candidateName(one),
      set: { algorithms: [entryOf(one)] },
      changes: { ...asFields(one.settings, entryOf(one)), iterations, "evaluation.set": set },
    })),
    seeds,
    measures: [config.measure],
  };
  const { rows } = await run(`stage-${stage}`, file);
  return candidates.map((candidate) => {
    const row = rows.find(({ setting }) => setting === candidateName(candidate));
    if (!row) throw new Error(`the sweep has no row of ${candidateName(candidate)}`);
    const { scores, mean, crashed } = row;
    return { stage, ...candidate, set, iterations, scores, mean, crashed, kept: false };
  });
}

/** Of each method; one without a score is never the best. */
function markBest(outcomes: SearchOutcome[], keep: number): void {
  for (const method of new Set(outcomes.map((one) => one.method))) {
    const own = outcomes.filter((one) => one.method === method && one.mean !== null);
    own.sort((a, b) => b.mean! - a.mean!);
    for (const one of own.slice(0, keep)) one.kept = true;
  }
}

/** Fields whose best value lies in the outer tenth of its range, or is the first or last of a list: to be widened. */
export function edges(space: SearchConfig["space"], settings: DrawnSettings): string[] {
  return Object.entries(space).flatMap(([field, from]) => {
    const value = settings[field];
    if (Array.isArray(from)) {
      const at = from.findIndex((one) => String(one) === String(value));
      return from.length > 2 && (at === 0 || at === from.length - 1) ? [field] : [];
    }
    const isLog = "log" in from;
    const [low, high] = (isLog ? from.log : from.linear).map((x) => (isLog ? Math.log(x) : x));
    const x = isLog ? Math.log(Number(value)) : Number(value);
    const share = (x - low!) / (high! - low!);
    return share < 0.1 || share > 0.9 ? [field] : [];
  });
}

/** What a stage dropped of one method, and how sure that was. */
export interface Halving {
  stage: SearchOutcome["stage"];
  method: string;
  kept: number;
  dropped: number;
  /** Mean of the last one kept minus that of the first one dropped; null if a score is missing. */
  gap: number | null;
  /** Standard error of that difference, from the spread over seeds of all this stage's settings. */
  error: number | null;
  /** Chance that the better of the two was dropped. */
  wrong: number | null;
}

/** Of each method of a stage that dropped some. */
export function halvings(outcomes: readonly SearchOutcome[]): Halving[] {
  return [...new Set(outcomes.map(({ method }) => method))].flatMap((method) => {
    const own = outcomes.filter((one) => one.method === method);
    const [kept, dropped] = [own.filter((one) => one.kept), own.filter((one) => !one.kept)];
    if (dropped.length === 0) return [];
    const about = { stage: own[0]!.stage, method, kept: kept.length, dropped: dropped.length };
    return [{ ...about, ...doubtOf(kept, dropped, own) }];
  });
}

function doubtOf(
  kept: readonly SearchOutcome[],
  dropped: readonly SearchOutcome[],
  all: readonly SearchOutcome[],
): Pick<Halving, "gap" | "error" | "wrong"> {
  const means = (some: readonly SearchOutcome[]) => knownOnly(some.map((one) => one.mean));
  const gap = least(means(kept)) - greatest(means(dropped));
  const scores = all.map((one) => knownOnly(one.scores.map(({ last }) => last)));
  const several = scores.filter((x) => x.length > 1);
  const df = several.reduce((sum, x) => sum + x.length - 1, 0);
  if (!Number.isFinite(gap) || df === 0) return { gap: null, error: null, wrong: null };
  const seeds = mean(several.map((x) => x.length));
  const error = Math.sqrt((2 * mean(several.map(variance))) / seeds);
  return { gap, error, wrong: gap === 0 ? 0.5 : studentTail(gap / error, df) / 2 };
}
