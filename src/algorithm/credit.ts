/** From a whole iteration's batch to the constants of its updates. */
import { criticFree, type Estimate } from "../method/credit/estimate.ts";
import { allGiven, withGiven, type AdvantagePair } from "../method/credit/givenAdvantage.ts";
import { filterFacts, keptTrajectories } from "../method/credit/groupFilter.ts";
import { withKlReward } from "../method/credit/klReward.ts";
import { trajectoryScores } from "../method/credit/rewards.ts";
import { NO_TRACE } from "../method/credit/trace.ts";
import { whitenings, type Normalisation } from "../method/credit/whiten.ts";
import { acceptedBySampler } from "../method/objective/sampler.ts";
import { broadcast, composeOffsets, gatherSegments } from "../numeric/segments.ts";
import { hasColumn, requireOfTrajectories } from "../method/requireColumn.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { canDivide, type AlgorithmConfig } from "../spec/algorithms.ts";
import { estimatorFacts, estimators } from "../method/estimators.ts";
import type { Credit } from "../method/estimator/estimator.ts";
import { definedEstimate } from "./defined.ts";
import { ownKept } from "./ownFilter.ts";

/**
 * Advantages (given ones inserted, then normalised over the whole batch) and returns (before
 * normalisation). If every advantage is given, nothing is computed; returns are then null, unless
 * there are values to learn from. Trajectories that are filtered out, and those and tokens too far
 * from the sampler's log-probs, have advantage 0 and take no part in the normalisation; groups are
 * judged by success, or by scores without the KL's reward. For a part of a larger batch, `whole` is the larger one's normalisation, which replaces
 * the part's own.
 * @throws InputError naming the first number that is missing.
 */
export function computeCredit(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  whole: Normalisation | null = null,
): Credit {
  const estimate = isContent(config, batch) ? nothing(batch) : estimateOf(config, batch);
  const accepted = acceptedBySampler(config, batch);
  const kept = both(filtered(config, batch), accepted?.rollouts ?? null); // [B]
  const ofTokens = accepted?.tokens ?? null; // [N]
  const keptTokens = ofTokens && both(ofTokens, onTokens(kept!, batch)); // [N]
  const adv = normalise(config, batch, withGiven(estimate.adv, batch), { kept, keptTokens }, whole);
  return {
    turnAdvantage: adv.turn,
    tokenAdvantage: adv.token,
    turnReturn: estimate.turnReturn,
    tokenReturn: estimate.tokenReturn,
    delta: estimate.delta,
    epsScale: estimate.epsScale ?? null,
    kept,
    keptTokens,
    trace: estimate.trace,
  };
}

/** What the row's filter keeps; null keeps all. [B] */
function filtered(config: AlgorithmConfig, batch: TrajectoryBatch): Uint8Array | null {
  const { filter, filterKeep, own } = config;
  if (own?.filter !== undefined) return ownKept(config, batch);
  const judged =
    filterFacts(filter)?.judges === "success"
      ? requireOfTrajectories(batch, "success", config.name)
      : trajectoryScores(batch); // [B]
  return keptTrajectories(filter, judged, batch.task, filterKeep);
}

/** A mark of each trajectory on its tokens. [B] -> [N] */
function onTokens(marks: Uint8Array, { turnStart, tokenStart }: TrajectoryBatch): Uint8Array {
  const trajectory = composeOffsets(turnStart, tokenStart); // [B+1]
  return Uint8Array.from(broadcast(Float64Array.from(marks), trajectory));
}

/** What both keep; null keeps all. [B] or [N] */
function both(one: Uint8Array | null, other: Uint8Array | null): Uint8Array | null {
  return one && other ? one.map((keep, b) => keep & other[b]!) : (one ?? other);
}

/**
 * The estimate of the row's estimator on the batch, with the KL to the reference in the rewards.
 * @throws InputError naming a missing number.
 */
export function estimateOf(config: AlgorithmConfig, batch: TrajectoryBatch): Estimate {
  const paid = withKlReward(batch, config.betaKlReward);
  if (config.own?.estimator !== undefined) return definedEstimate(config, paid);
  return estimators[config.estimator].estimate(config, paid);
}

/**
 * Whether advantages are in units of reward, so that twice the rewards are twice the advantages:
 * not after a normalisation, nor if scores are divided by a spread.
 */
export function advantagesAreRewards(config: AlgorithmConfig): boolean {
  const { divisor } = estimatorFacts(config.estimator);
  const divided = divisor === "always" || (canDivide(config) && config.std !== "none");
  return config.whiten === "none" && !divided;
}

/** Gains also set the clip range, so they are needed even if all advantages are given. */
function isContent({ critic, estimator }: AlgorithmConfig, batch: TrajectoryBatch): boolean {
  if (!allGiven(batch)) return false;
  if (critic === "none") return !estimatorFacts(estimator).scalesClip;
  return !hasColumn(batch, critic === "turn" ? "turnValue" : "tokenValue");
}

function nothing(batch: TrajectoryBatch): Estimate {
  const turn = new Float64Array(batch.turnReward.length); // [K]
  const token = new Float64Array(batch.tokenStart.at(-1)!); // [N]
  return criticFree({ turn, token }, NO_TRACE);
}

/**
 * Whitens with the statistics of all turns or all tokens that are kept; turns and tokens are mapped
 * alike. What is not kept becomes 0.
 */
function normalise(
  { whiten }: AlgorithmConfig,
  batch: TrajectoryBatch,
  adv: AdvantagePair,
  { kept, keptTokens }: Pick<Credit, "kept" | "keptTokens">,
  whole: Normalisation | null,
): AdvantagePair {
  const mapOf = (sample: AdvantagePair) => {
    if (whiten === "none") return (x: number) => x;
    return whole ? normalisedBy(whole) : whitenings[whiten].mapOf(sample);
  };
  if (!kept) return mapped(adv, mapOf(adv));
  const { turnStart } = batch;
  const tokenStart = composeOffsets(turnStart, batch.tokenStart); // [B+1]
  const chosen = Array.from(kept.keys()).filter((b) => kept[b] === 1);
  const sample = {
    turn: gatherSegments(adv.turn, turnStart, chosen), // [K']
    token: keptTokens
      ? adv.token.filter((_, t) => keptTokens[t])
      : gatherSegments(adv.token, tokenStart, chosen), // [N']
  };
  const { turn, token } = mapped(adv, mapOf(sample));
  kept.forEach((keep, b) => {
    if (keep) return;
    turn.fill(0, turnStart[b], turnStart[b + 1]);
    token.fill(0, tokenStart[b], tokenStart[b + 1]);
  });
  keptTokens?.forEach((keep, t) => keep || (token[t] = 0));
  return { turn, token };
}

function mapped({ turn, token }: AdvantagePair, map: (x: number) => number): AdvantagePair {
  return { turn: turn.map(map), token: token.map(map) };
}

function normalisedBy({ mean, divisor }: Normalisation): (x: number) => number {
  return (x) => (x - mean) / divisor;
}
