/** Turn-PPO against each other method, paired by seed: what the runs support, how many would tell, and what the paper has. */
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { counted } from "../../../src/numeric/counted.ts";
import { mean, std, tInterval } from "../../../src/numeric/statistics.ts";
import { pairedBySeed } from "../../../src/cli/sweep/seedStatistics.ts";
import type { SummaryRow } from "../../../src/cli/sweep/summary.ts";
import type { Cell } from "./cells.ts";

/** Rewards of one method's runs. */
export interface Compared {
  method: string;
  reward: SummaryRow;
}

/** A line for each other method that shares two seeds or more with Turn-PPO. */
export function verdicts(paper: Cell["paper"], entries: readonly Compared[]): string[] {
  const turn = entries.find(({ method }) => method === "turn-ppo");
  if (!turn) return [];
  return entries.flatMap((other) => {
    const differences = other === turn ? [] : pairedBySeed(turn.reward.scores, other.reward.scores);
    return differences.length < 2
      ? []
      : [`- ${verdict(other.method, differences)}${inPaper(paper, other, differences)}`];
  });
}

/** @param differences Turn-PPO's reward less the other's, a seed each; at least two. */
export function verdict(method: string, differences: readonly number[]): string {
  const { low, high } = tInterval(differences);
  const by = `${signed(mean(differences))} (${signed(low)} to ${signed(high)}, ${differences.length} seeds)`;
  const start = `Turn-PPO less ${titleOf(method)}: reward ${by}: `;
  if (low > 0) return `${start}higher.`;
  if (high < 0) return `${start}lower.`;
  return `${start}cannot tell; about ${seedsToTell(differences)} seeds would, were this the true difference.`;
}

/** What the paper has of the two for the model that the cell names: its sign beside ours, or which of them crashed there. */
export function inPaper(
  paper: Cell["paper"],
  { method, reward }: Compared,
  differences: readonly number[],
): string {
  const [theirs, turn] = [paper?.[method], paper?.["turn-ppo"]];
  if (theirs === undefined || turn === undefined) return "";
  const [one, two] = [Number(turn), Number(theirs)];
  const where = `The paper (${paper!["model"]})`;
  if (Number.isFinite(one) && Number.isFinite(two)) {
    const { low, high } = tInterval(differences);
    const isSame = one > two ? low > 0 : high < 0;
    const isOther = one > two ? high < 0 : low > 0;
    const agrees = isSame ? ", the same way" : isOther ? ", the other way" : "";
    return ` ${where} has ${turn} and ${theirs}${agrees}.`;
  }
  const crashed = reward.crashed === 0 ? "none" : String(reward.crashed);
  return ` ${where} has ${turn} and ${theirs}; here ${crashed} of ${counted(reward.n, "run", "runs")} of ${titleOf(method)} crashed.`;
}

/** Normal approximation, two-sided 5 %, power 80 %. */
function seedsToTell(differences: readonly number[]): number | string {
  const gap = Math.abs(mean(differences));
  const n = ((1.96 + 0.84) * std(differences)) / gap;
  return n * n < 10_000 ? Math.max(differences.length + 1, Math.ceil(n * n)) : "more than 10,000";
}

export const titleOf = (method: string) => resolveAlgorithm(method).title;
const signed = (x: number) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(3)}`;
