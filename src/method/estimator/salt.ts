/**
 * SALT: step-level advantages from the graph of a task's rollouts. A step that several rollouts have in common cannot tell
 * why they ended differently, so it gets the mean of their advantages. No critic.
 *
 *   L = -1/B sum_b 1/N_b sum_t min(rho_t A_h, clip(rho_t, 1 - epsLow, 1 + epsHigh) A_h), t in turn h
 *   rho_t = exp(d_t)
 *
 * Source: arXiv 2510.20022, a reading: known through notes; no author code.
 */
import { broadcast } from "../../numeric/segments.ts";
import { scoresAgainst, scoreTerms, baselineFacts } from "../baselines.ts";
import { criticFree, type Estimate } from "../credit/estimate.ts";
import { fromTurns } from "../credit/givenAdvantage.ts";
import { groups, joinNames, taskOfTurns } from "../credit/groups.ts";
import { trajectoryScores } from "../credit/rewards.ts";
import { representatives } from "../credit/similarNames.ts";
import { likeness, outputOf, scaled, scoreLine, stdLine } from "../formula/parts.ts";
import { f, open, wording } from "../formula/tex.ts";
import { requireAction, requireAnchor } from "../requireColumn.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { turnsInGroup, type EstimatorConfig, type EstimatorFacts } from "./estimator.ts";

export const salt: EstimatorFacts = {
  ...turnsInGroup,
  about: "the score against the baseline, as a mean over the rollouts that share the step",
  lesson: "salt",
  discount: null,
  settings: ["std", "historyLength", "anchorSimilarity"],
  columns: ["anchor", "action"],
  formula: (choices) => {
    const { term, mean } = scoreTerms(choices.baseline);
    const difference = f`${"trajectory.score"} - ${term}`;
    const { divided } = baselineFacts(choices.baseline);
    const own = divided ? scaled(difference, "group.std", choices) : difference;
    const earlier =
      choices.historyLength > 0
        ? [open`&\text{and the same steps before it, up to } ${"settings.historyLength"}`]
        : [];
    return [
      scoreLine(choices),
      mean,
      ...(divided ? stdLine(choices) : []),
      f`${"trajectory.ownScore"} &= ${own}`,
      open`${outputOf(choices, "turn")} &= \frac{1}{${"group.turnRollouts"}}\sum_{j\in g\text{ with this step}} \hat A_j`,
      wording("&\\text{a step: state, action and next state}"),
      ...earlier,
      ...likeness(choices),
    ];
  },
  estimate,
};

/**
 * A_h = mean of (R_j - mean of the group) / (std of the group + 1e-6) over the rollouts j of the task that contain the
 * step of turn h: the same state, action and next state, and the same `historyLength` steps before it
 */
function estimate(config: EstimatorConfig, batch: TrajectoryBatch): Estimate {
  const { adv: own, trace } = scoresAgainst(config, trajectoryScores(batch), batch); // [B]
  const ofTurns = broadcast(own, batch.turnStart); // [K]
  const rows = broadcast(Float64Array.from(own.keys()), batch.turnStart); // [K]
  const adv = ofTurns.slice(); // [K]
  const count = new Float64Array(adv.length).fill(1); // [K]
  for (const turns of groups(stepNames(config, batch))) {
    const members = [...new Set(turns.map((k) => rows[k]!))];
    if (members.length === 1) continue;
    const mean = members.reduce((sum, b) => sum + own[b]!, 0) / members.length;
    for (const k of turns) [adv[k], count[k]] = [mean, members.length];
  }
  return criticFree(fromTurns(adv, batch), {
    ...trace,
    "trajectory.ownScore": own, // [B]
    "group.turnRollouts": count, // [K]
  });
}

/**
 * Equal for the turns that are one step. Where nothing names the state after an episode's last turn, that turn's reward
 * and whether the episode terminated stand for it. [K]
 */
function stepNames(config: EstimatorConfig, batch: TrajectoryBatch): string[] {
  const { turnStart, turnReward, terminated, finalAnchor } = batch;
  const task = taskOfTurns(batch.task, turnStart); // [K]
  const anchor = requireAnchor(batch, config.name); // [K]
  const action = requireAction(batch, config.name); // [K]
  const ends = finalAnchor ?? []; // [B] or none
  const like = representatives(
    [...anchor, ...ends],
    [...task, ...batch.task],
    config.anchorSimilarity,
  ); // [K + B] or [K]
  const [state, last] = [like.slice(0, anchor.length), like.slice(anchor.length)];
  return batch.task.flatMap((name, b) => {
    const [from, to] = [turnStart[b]!, turnStart[b + 1]!];
    const after = (k: number) =>
      k + 1 < to || finalAnchor
        ? joinNames(k + 1 < to ? state[k + 1]! : last[b]!)
        : joinNames(turnReward[k]!, String(terminated[b]));
    const steps = Array.from({ length: to - from }, (_, h) =>
      joinNames(state[from + h]!, action[from + h]!, after(from + h)),
    );
    const earlier = (h: number) =>
      steps.slice(Math.max(0, h - Math.floor(config.historyLength)), h);
    return steps.map((step, h) => joinNames(name, ...earlier(h), step));
  });
}
