/**
 * HGPO: Hierarchy-of-Groups Policy Optimization. A turn is compared with the turns of its group that
 * start from the same state, again with those whose last two states are the same, and so on; deeper
 * matches weigh more. No critic.
 *
 *   L = -1/N sum_t min(rho_t A_h, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   rho_t = exp(d_t)
 *
 * Source: arXiv 2602.22817; OliverLeeXZ/SERL recipe/hgpo/core_hgpo.py, a fork of verl-agent.
 */
import { greatest } from "../../numeric/lists.ts";
import { broadcast, segmentLengths, segmentSum } from "../../numeric/segments.ts";
import type { Settings } from "../axes.ts";
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { compareInGroups } from "../credit/groupScores.ts";
import { joinNames, taskOfTurns } from "../credit/groups.ts";
import { returnsToGo } from "../credit/returnsToGo.ts";
import { turnRewards } from "../credit/rewards.ts";
import { representatives } from "../credit/similarNames.ts";
import type { Trace } from "../credit/trace.ts";
import { likeness, outputOf, stdWords, turnReturnLine } from "../formula/parts.ts";
import { f, open, wording } from "../formula/tex.ts";
import { requireAnchor } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { PER_TURN, turnsInGroup, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";

export const hgpo: EstimatorFacts = {
  ...turnsInGroup,
  about:
    "the turn's return against turns with the same last states, deeper histories weighing more",
  lesson: "hgpo",
  discount: PER_TURN,
  settings: ["gamma", "alpha", "historyLength", "historyWeights", "std", "anchorSimilarity"],
  columns: ["anchor"],
  formula: (choices) => {
    const { std, historyWeights } = choices;
    const weight = f`${{ parts: [historyWeights === "past" ? "k" : "(k+1)"], isOpen: false }}^{${"settings.alpha"}}`;
    const difference = f`${"turn.return"} - \mu_{h,k}`;
    const score = std === "none" ? difference : f`\frac{${difference}}{\sigma_{h,k} + 10^{-6}}`;
    const small = historyWeights === "past" ? f`` : f` + 10^{-6}`;
    const drops = historyWeights === "past" ? "" : ",\\ a_{h,k} \\ne 0";
    const episode = open`&a_{h,0} \text{: the episode's score, an episode counted once for each turn}`;
    return [
      turnReturnLine(choices),
      open`&a_{h,k} = ${score}\quad \text{for } 1 \le k \le \min(${"settings.historyLength"} + 1,\, h)`,
      wording(
        "&\\mu_{h,k} \\text{: mean over the group's turns with the same last } k \\text{ states}",
      ),
      ...(historyWeights === "with-episode" ? [episode] : []),
      open`${outputOf(choices, "turn")} &= \frac{\sum_k ${weight}\, a_{h,k}}{\sum_k ${weight}${small}}`,
      wording(`&\\text{over the } k \\text{ with another such turn}${drops}`),
      ...stdWords(choices),
      ...likeness(choices),
    ];
  },
  estimate,
};

/**
 * A_h = sum_k w_k (G_h - mean_k) / sum_k w_k,  G_h = r_h + gamma G_{h+1},  w_k = (k + 1)^alpha
 * mean_k over the group's turns with the same last k states; each part over its std where std is set
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { adv, trace } = historyGroups({
    ...config,
    reward: turnRewards(batch), // [K]
    turnStart: batch.turnStart, // [B+1]
    task: batch.task, // [B]
    anchor: requireAnchor(batch, config.name), // [K]
  });
  return criticFree(fromTurns(adv, batch), trace);
}

interface HistoryInput extends Pick<
  Settings,
  "gamma" | "alpha" | "std" | "historyLength" | "historyWeights"
> {
  /** [K] */
  reward: Float64Array;
  /** [B+1] */
  turnStart: Int32Array;
  /** [B] */
  task: readonly string[];
  /** Name of the state before each turn. [K] */
  anchor: readonly string[];
  anchorSimilarity: number;
}

/** A level of comparison: it weighs base to the power alpha. */
interface HistoryLevel {
  /** NaN where a turn takes no part. [K] */
  adv: Float64Array;
  base: number;
}

/**
 * The weighted mean of a turn's advantages over the levels at which it has a partner. The authors'
 * code also leaves out levels where the advantage is exactly 0, and adds 1e-6 to the sum of weights.
 * adv [K]
 */
function historyGroups(input: HistoryInput): { adv: Float64Array; trace: Trace } {
  const { reward, turnStart, alpha, std, historyLength, historyWeights } = input;
  const task = taskOfTurns(input.task, turnStart); // [K]
  const state = representatives(input.anchor, task, input.anchorSimilarity); // [K]
  const returns = returnsToGo(reward, turnStart, input.gamma); // [K]
  const isCode = historyWeights !== "past";
  const compared = histories(task, state, turnStart, historyLength).map((names) =>
    compareInGroups(returns, names, std, "zero"),
  );
  const levels = compared.map(({ adv, count }, i): HistoryLevel => {
    const takesPart = (k: number) => count[k]! > 1 && !(isCode && adv[k] === 0);
    return {
      adv: adv.map((A, k) => (takesPart(k) ? A : NaN)), // [K]
      base: isCode ? i + 2 : i + 1,
    };
  });
  if (historyWeights === "with-episode") levels.push(episodeLevel(input, task));
  const small = isCode ? 1e-6 : 0;
  const adv = reward.map((_, k) => {
    const own = levels.filter(({ adv }) => adv[k] === adv[k]);
    // Relative to the largest, so that no power overflows.
    const largest = greatest(own.map(({ base }) => base));
    const weights = own.map(({ base }) => (base / largest) ** alpha);
    const total = weights.reduce((sum, weight) => sum + weight, small / largest ** alpha);
    return own.reduce((sum, { adv }, i) => sum + (weights[i]! / total) * adv[k]!, 0);
  }); // [K]
  const [first] = compared;
  return {
    adv,
    trace: {
      "turn.return": returns, // [K]
      "group.anchorMean": first!.mean, // [K]
      "group.anchorStd": first!.std, // [K]
      "group.anchorCount": first!.count, // [K]
    },
  };
}

/** Names of the last k states for k = 1, 2, ...; a turn with fewer states before it is alone. [K] each */
function histories(
  task: readonly string[],
  state: readonly string[],
  turnStart: Int32Array,
  historyLength: number,
): string[][] {
  const longest = greatest(segmentLengths(turnStart));
  const depth = Math.max(1, Math.min(Math.floor(historyLength) + 1, longest));
  const number = Array.from(turnStart.subarray(1), (next, b) =>
    Array.from({ length: next - turnStart[b]! }, (_, h) => h + 1),
  ).flat(); // [K]
  return Array.from({ length: depth }, (_, i) =>
    state.map((_, k) =>
      number[k]! > i
        ? joinNames(task[k]!, ...state.slice(k - i, k + 1))
        : joinNames(task[k]!, "alone", k),
    ),
  );
}

/** The episode's score as one more level: over the group's turns, with its unbiased std where one is set. */
function episodeLevel(
  { reward, turnStart, std }: HistoryInput,
  task: readonly string[],
): HistoryLevel {
  const score = broadcast(segmentSum(reward, turnStart), turnStart); // [K]
  const { adv } = compareInGroups(score, task, std === "none" ? "none" : "sample"); // [K]
  return { adv: adv.map((A) => (A === 0 ? NaN : A)), base: 1 };
}
