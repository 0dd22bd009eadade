/**
 * Cross-scores an iteration's first turns for the template-collapse estimate: N prompts of
 * different tasks, each with the response it got, scored N x N by one forward pass over N^2 short
 * rows. In tokens, at N = 16 and nano's 45 tokens a turn that is 11,500 forward, against some
 * 180,000 in forward passes' worth of an iteration of 128 episodes (old log-probs, two epochs of
 * forward and backward): 6 %. Every fifth iteration, the default, it costs about 1 %.
 *
 * Names: RAGEN's `collapse_first_turn_sample/*` (ragen/trainer/collapse_metrics.py). `*_seq_*` is
 * for whole responses, the others for a response's mean token. RAGEN scores the text between its
 * think tags; the models here may have none, so Z is the whole response with its stop token.
 */
import type { EngineModel } from "../../engine/engine.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { Episode } from "../../rollout/rollout.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { tokenRow } from "../../text/tokenRow.ts";
import { checkFinite, gather, maskAt } from "../columns.ts";
import { placeRows } from "../episodes.ts";
import { exp, log } from "../../numeric/deterministic.ts";
import { max, mean } from "../../numeric/statistics.ts";

/** A prompt and the response that the policy gave to it. */
interface ScoredTurn {
  queryIds: number[];
  responseIds: number[];
}

/** RAGEN's schedule: the first iteration, then every `crossScoreEvery`-th; never if that is 0. */
export function crossScoringDue({ doctor }: ExperimentSpec, iteration: number): boolean {
  const { on, crossScoreEvery: every } = doctor;
  return on && every > 0 && (iteration === 1 || iteration % every === 0);
}

/** Under the policy that sampled; empty if fewer than two prompts differ. @throws NotFiniteError */
export async function crossScores(
  { doctor, context, sampling }: ExperimentSpec,
  model: EngineModel,
  episodes: Episode[],
): Promise<Metrics> {
  const pairs = differentPairs(episodes, doctor.crossScorePrompts); // [N]
  if (pairs.length < 2) return {};
  const rows = pairs.flatMap(({ responseIds }) =>
    pairs.map(({ queryIds }) => tokenRow([{ queryIds, responseIds }], context)),
  ); // [N * N], one response after the other
  const placed = placeRows(rows);
  const mask = maskAt(placed.rows, placed.tokenAt); // [N * N, L]
  const request = { rows: placed.rows, mask, temperature: sampling.temperature };
  const logprob = gather((await model.forward(request)).logprob, placed.tokenAt);
  checkFinite("cross-scored logprob", logprob);
  return crossMetrics(crossTable(logprob, pairs), pairs);
}

/** The first turns of the first N episodes whose prompts differ. [<= N] */
function differentPairs(episodes: Episode[], most: number): ScoredTurn[] {
  const pairs = new Map<string, ScoredTurn>();
  for (const { turns } of episodes) {
    const { queryIds, responseIds } = turns[0]!;
    const prompt = queryIds.join(" ");
    if (pairs.size < most && !pairs.has(prompt)) pairs.set(prompt, { queryIds, responseIds });
  }
  return [...pairs.values()];
}

/** log p(z_j | x_i) of whole responses, from the rows' tokens in order. [N][N] */
function crossTable(logprob: Float64Array, pairs: ScoredTurn[]): Float64Array[] {
  let at = 0;
  return pairs.map(({ responseIds: { length } }) =>
    Float64Array.from(pairs, () => {
      at += length;
      return logprob.subarray(at - length, at).reduce((sum, x) => sum + x, 0);
    }),
  );
}

function crossMetrics(cross: Float64Array[], pairs: ScoredTurn[]): Metrics {
  const perToken = cross.map((row, j) => row.map((x) => x / pairs[j]!.responseIds.length));
  const [whole, token] = [dependence(cross), dependence(perToken)];
  const of = (name: string) => `collapse_first_turn_sample/${name}`;
  return {
    [of("mi_estimate")]: token.information,
    [of("mi_seq_estimate")]: whole.information,
    [of("mi_upper_bound")]: whole.bound,
    [of("conditional_entropy_est")]: token.conditional,
    [of("conditional_entropy_seq_est")]: whole.conditional,
    [of("reasoning_entropy_est")]: token.marginal,
    [of("reasoning_entropy_seq_est")]: whole.marginal,
    [of("retrieval_accuracy")]: whole.retrieval,
    [of("retrieval_chance_level")]: 1 / pairs.length,
  };
}

// Do the policy's responses still depend on the prompt? RAGEN-2's estimate (arXiv 2604.06268):
// every response z_j is scored under every prompt x_i, and
// I(X; Z) ~ mean_j [ log p(z_j | x_j) - log mean_i p(z_j | x_i) ]  <=  log N
// H(Z|X)  ~ -mean_j log p(z_j | x_j)        H(Z) = H(Z|X) + I(X; Z)
// Template collapse is I near 0 while H(Z|X) stays up: varied answers that ignore the question.

interface Dependence {
  /** Nats; on a finite sample it may be slightly below 0. */
  information: number;
  /** log N: N prompts distinguished without error. */
  bound: number;
  /** H(Z|X) in nats. */
  conditional: number;
  /** H(Z) in nats. */
  marginal: number;
  /**
   * Share of responses whose own prompt gives them the highest probability, ties counting against;
   * 1/N by chance.
   */
  retrieval: number;
}

/** From cross log-probs: row j, column i is log p(z_j | x_i), natural log. [N][N], N at least 1 */
export function dependence(cross: Float64Array[]): Dependence {
  const N = cross.length;
  const matched = cross.map((row, j) => row[j]!); // [N]
  const mixed = cross.map((row) => logMeanExp(row)); // [N]
  const found = cross.filter((row, j) => row.every((x, i) => i === j || x < row[j]!));
  return {
    information: mean(matched.map((own, j) => own - mixed[j]!)),
    bound: log(N),
    conditional: -mean(matched),
    marginal: -mean(mixed),
    retrieval: found.length / N,
  };
}

/** log of the mean of exp(x), shifted by the maximum to avoid overflow. */
function logMeanExp(x: Float64Array): number {
  const top = max(x);
  return top + log(mean(x.map((value) => exp(value - top))));
}
