/** How well values fit their targets: error, calibration, explained variance. */
import { explainedVariance, mean, tInterval } from "../../numeric/statistics.ts";
import type { Discount } from "../../method/credit/discount.ts";
import { movedBy } from "../../reading/paidTruth.ts";
import { otherPolicy, truthAt, type Bounds, type Truths } from "../../reading/truths.ts";
import { isOtherDiscount, type Critic } from "../../reading/critics.ts";
import type { Pair } from "./pairs.ts";

/** What V is compared with: its training target, or the discounted rewards. */
export type Against = "target" | "came";

export interface FitPoint {
  pair: Pair;
  /** V. */
  x: number;
  y: number;
}

export interface Fit {
  n: number;
  meanValue: number;
  meanReturn: number;
  /** Root of the mean squared difference. */
  error: number;
  /** NaN for fewer than two turns. */
  explained: number;
}

/** Turns of nearly equal V. */
export interface Bin {
  n: number;
  /** Means of V and of y. */
  x: number;
  y: number;
  /** 95 % of the mean of y, by t; NaN for a single turn. */
  low: number;
  high: number;
}

export function pointsOf(pairs: readonly Pair[], against: Against): FitPoint[] {
  return pairs.flatMap((pair) =>
    pair[against] === null ? [] : [{ pair, x: pair.value, y: pair[against] }],
  );
}

export function fitOf(points: readonly FitPoint[]): Fit {
  const [x, y] = [points.map((point) => point.x), points.map((point) => point.y)];
  return {
    n: points.length,
    meanValue: mean(x),
    meanReturn: mean(y),
    error: Math.sqrt(mean(points.map((point) => (point.y - point.x) ** 2))),
    explained: explainedVariance(y, x),
  };
}

const BINS = 8;
/** Fewer turns than this do not determine a mean. */
const LEAST = 5;

/** Equal numbers of turns in each, in order of V; none for fewer than ten turns. */
export function calibrationBins(points: readonly FitPoint[]): Bin[] {
  const sorted = points.toSorted((a, b) => a.x - b.x);
  const bins = Math.min(BINS, Math.floor(sorted.length / LEAST));
  if (bins < 2) return [];
  const edge = (i: number) => Math.round((i * sorted.length) / bins);
  return Array.from({ length: bins }, (_, i) => binOf(sorted.slice(edge(i), edge(i + 1))));
}

function binOf(points: readonly FitPoint[]): Bin {
  const y = points.map((point) => point.y);
  return { n: points.length, x: mean(points.map(({ x }) => x)), y: mean(y), ...tInterval(y) };
}

interface TurnFit {
  n: number;
  /** Explained variance of the recorded h-th turns; NaN for fewer than two. */
  recorded: number;
}

/** The fit of all h-th turns. */
export function fitByTurn(points: readonly FitPoint[]): TurnFit[] {
  const longest = points.reduce((most, { pair }) => Math.max(most, pair.turn + 1), 0);
  const groups = Array.from({ length: longest }, (): FitPoint[] => []);
  for (const point of points) groups[point.pair.turn]!.push(point);
  return groups.map((group) => ({
    n: group.length,
    recorded: explainedVariance(
      group.map(({ y }) => y),
      group.map(({ x }) => x),
    ),
  }));
}

interface TruthFit extends Fit {
  /** Share of the values inside the truth's 95 % interval. */
  inside: number;
}

/** A point whose y is the true value. */
export interface TruthPoint extends FitPoint {
  /** 95 %. */
  interval: Bounds;
  /** Which policy's truth it is, if another policy played the turn: see `otherPolicy`. */
  other: number | null;
}

interface AgainstTruth {
  points: TruthPoint[];
  /** The discount of known truths that have another one than the critic, and so cannot be compared with its V. */
  other: Discount | null;
  /** Turns left out because their truths lack an unknown reward that this critic was trained on. */
  unpaid: number;
}

export function againstTruth(
  { pairs, critic }: { pairs: readonly Pair[]; critic: Critic | null },
  algorithm: string,
  truths: Truths,
): AgainstTruth {
  const all = pairs.map((pair) => ({ pair, truth: truthAt(truths, { algorithm, ...pair }) }));
  const isOther = (found: Discount | undefined) => isOtherDiscount(critic, found);
  const points = all.flatMap(({ pair, truth }) => {
    const turn = truth?.turns[pair.turn];
    if (!turn || isOther(truth?.found) || !Number.isFinite(turn.value) || pair.pay === null)
      return [];
    const [paid] = movedBy([turn], [pair.pay]);
    const other = otherPolicy(truth, pair.iteration);
    return [{ pair, x: pair.value, y: paid!.value, interval: paid!.valueInterval, other }];
  });
  const other = all.find(({ truth }) => isOther(truth?.found));
  const unpaid = all.filter(({ pair, truth }) => truth !== null && pair.pay === null);
  return { points, other: other?.truth?.found ?? null, unpaid: unpaid.length };
}

export function truthFit(points: readonly TruthPoint[]): TruthFit {
  const inside = points.filter(({ x, interval: [low, high] }) => low <= x && x <= high);
  return { ...fitOf(points), inside: inside.length / points.length };
}
