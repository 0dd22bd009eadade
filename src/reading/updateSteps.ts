/** An iteration's optimiser steps from the log: checked, filtered, and summed. */
import { greatest } from "../numeric/lists.ts";
import { binAt, binEdge } from "../algorithm/ratioHistogram.ts";
import type { Histogram, UpdateRecord } from "../record/runEvent.ts";

interface KnownSteps {
  steps: readonly UpdateRecord[];
  /** Number of invalid records. */
  refused: number;
}

/** Which steps are shown; indices of epochs and steps count from 0. */
export type Choice =
  { kind: "all" } | { kind: "epoch"; epoch: number } | { kind: "step"; step: number };

/** The combined effect of the chosen steps. */
export interface Sum {
  steps: number;
  token: Histogram;
  turn: Histogram;
  byTurn: readonly TurnCuts[];
  total: TurnCuts;
  /** Mean over the steps; NaN if unknown. */
  cutShare: number;
}

/** How often h-th turns were used in a step, and how often they were clipped. */
export interface TurnCuts {
  uses: number;
  /** With A > 0, and with A < 0. */
  high: number;
  low: number;
}

/** A log from elsewhere may have anything in its records. */
export function readSteps(raw: unknown): KnownSteps {
  const all: unknown[] = Array.isArray(raw) ? raw : [];
  const steps = all.filter(isStep);
  return { steps, refused: all.length - steps.length };
}

function isStep(x: unknown): x is UpdateRecord {
  const step = Object(x) as Partial<UpdateRecord>;
  const { turns, cutHigh, cutLow } = step;
  return (
    [step.epoch, step.minibatch, step.cutShare].every(isCount) &&
    [step.token, step.turn].every(isHistogram) &&
    [turns, cutHigh, cutLow].every((column) => isCounts(column, turns?.length))
  );
}

function isHistogram(x: unknown): x is Histogram {
  const { limit, counts, inner } = Object(x) as Partial<Histogram>;
  if (!isCount(limit) || limit === 0 || !isCounts(counts) || counts.length === 0) return false;
  return inner === undefined || (isRange(inner) && counts.length > 2);
}

function isRange(x: unknown): x is [number, number] {
  return Array.isArray(x) && x.length === 2 && x.every(Number.isFinite) && x[0] < x[1];
}

function isCounts(x: unknown, length?: number): x is number[] {
  return Array.isArray(x) && x.every(isCount) && (length ?? x.length) === x.length;
}

function isCount(x: unknown): x is number {
  return typeof x === "number" && Number.isFinite(x) && x >= 0;
}

export function epochsOf(steps: readonly UpdateRecord[]): number[] {
  return [...new Set(steps.map(({ epoch }) => epoch))];
}

/** The steps of a choice; all of them if the iteration has no such steps. */
export function chosenSteps(
  steps: readonly UpdateRecord[],
  choice: Choice,
): readonly UpdateRecord[] {
  const some = steps.filter(
    (step, i) =>
      choice.kind === "all" ||
      (choice.kind === "epoch" ? step.epoch === choice.epoch : i === choice.step),
  );
  return some.length > 0 ? some : steps;
}

/** For the value of a select. */
export function writeStepChoice(choice: Choice): string {
  if (choice.kind === "all") return "all";
  return choice.kind === "epoch" ? `epoch ${choice.epoch}` : `step ${choice.step}`;
}

export function readStepChoice(text: string): Choice {
  const [kind, number] = text.split(" ");
  if (kind === "epoch") return { kind, epoch: Number(number) };
  return kind === "step" ? { kind, step: Number(number) } : { kind: "all" };
}

/** Requires at least one step. */
export function addUp(steps: readonly UpdateRecord[]): Sum {
  const byTurn = turnCuts(steps);
  return {
    steps: steps.length,
    token: addHistograms(steps.map(({ token }) => token)),
    turn: addHistograms(steps.map(({ turn }) => turn)),
    byTurn,
    total: byTurn.reduce(addCuts, { uses: 0, high: 0, low: 0 }),
    cutShare: steps.reduce((sum, { cutShare }) => sum + cutShare, 0) / steps.length,
  };
}

function turnCuts(steps: readonly UpdateRecord[]): TurnCuts[] {
  const longest = greatest([0, ...steps.map(({ turns }) => turns.length)]);
  return Array.from({ length: longest }, (_, h) =>
    steps
      .map(({ turns, cutHigh, cutLow }) => ({
        uses: turns[h] ?? 0,
        high: cutHigh[h] ?? 0,
        low: cutLow[h] ?? 0,
      }))
      .reduce(addCuts),
  );
}

function addCuts(a: TurnCuts, b: TurnCuts): TurnCuts {
  return { uses: a.uses + b.uses, high: a.high + b.high, low: a.low + b.low };
}

/** Share of the uses that were clipped; NaN if there were none. */
export function cutFraction({ uses, high, low }: TurnCuts): number {
  return (high + low) / uses;
}

/**
 * Steps of one iteration have the same bins; others are rebinned to equal bins over the widest
 * range, assigning counts by the middles of their bins.
 */
function addHistograms(all: readonly Histogram[]): Histogram {
  const first = all[0]!;
  const bins = first.counts.length;
  if (all.every((one) => isSameShape(one, first)))
    return { ...first, counts: first.counts.map((_, i) => total(all, i)) };
  const limit = all.reduce((most, one) => Math.max(most, one.limit), 0);
  const sum: Histogram = { limit, counts: Array<number>(bins).fill(0) };
  for (const one of all)
    one.counts.forEach((count, i) => {
      sum.counts[binAt(sum, binEdge(one, i + 0.5))]! += count;
    });
  return sum;
}

function total(all: readonly Histogram[], i: number): number {
  return all.reduce((sum, { counts }) => sum + counts[i]!, 0);
}

function isSameShape(a: Histogram, b: Histogram): boolean {
  const shape = ({ limit, counts, inner }: Histogram) => [limit, counts.length, ...(inner ?? [])];
  return shape(a).join() === shape(b).join();
}
