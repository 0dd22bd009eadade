/**
 * A separate network that gives each turn one number: its value head is read at the last token of
 * the response, after the state and the whole action. The learned process reward and Iterative
 * PPO's Q are such networks; they differ in the loss.
 */
import type { EngineModel } from "../../engine/engine.ts";
import { NotFiniteError } from "../../engine/errors.ts";
import { exp, log, sigmoid } from "../../numeric/deterministic.ts";
import { permutation } from "../../numeric/rng.ts";
import { mean } from "../../numeric/statistics.ts";
import type { TokenRow } from "../../text/tokenRow.ts";
import { checkFinite, gather, maskAt, scatter } from "../columns.ts";
import { placeRows } from "../episodes.ts";

interface FitOptions {
  /** squared: the score is the target. logistic: its sigmoid is the probability that the target is 1. */
  loss: "squared" | "logistic";
  lr: number;
  epochs: number;
  /** Rows per update. */
  minibatch: number;
  /** Global gradient-norm limit, 0 for none. */
  maxGradNorm: number;
  /** Keys the order of rows. */
  key: { seed: number; stream: string; iteration: number };
  /** Awaited before each update: pauses, or rejects to cancel. */
  gate?: (() => Promise<void>) | undefined;
}

/** The score of each turn of the rows, in order. [K] */
export async function scoreTurns(model: EngineModel, rows: TokenRow[]): Promise<Float64Array> {
  const { score } = await forward(model, rows);
  checkFinite("score of turns", score);
  return score;
}

/**
 * Epochs of minibatches of rows, AdamW on the whole network; the mean loss per update. targets[b]
 * are those of row b's turns. [B][K_b]
 * @throws NotFiniteError if a score or a gradient is not finite.
 */
export async function fitTurns(
  model: EngineModel,
  rows: TokenRow[],
  targets: ArrayLike<number>[],
  options: FitOptions,
): Promise<number> {
  const losses: number[] = [];
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    const key = { ...options.key, trajectory: epoch, step: 0 };
    const order = Array.from(permutation(rows.length, key));
    for (let first = 0; first < order.length; first += options.minibatch) {
      await options.gate?.();
      const members = order.slice(first, first + options.minibatch);
      const target = Float64Array.from(members.flatMap((b) => Array.from(targets[b]!))); // [K']
      losses.push(
        await fitStep(
          model,
          members.map((b) => rows[b]!),
          target,
          options,
        ),
      );
    }
  }
  return mean(losses);
}

async function fitStep(
  model: EngineModel,
  rows: TokenRow[],
  target: Float64Array,
  { loss, lr, maxGradNorm }: FitOptions,
): Promise<number> {
  const { score, at, placed } = await forward(model, rows);
  checkFinite("score of turns", score);
  const { value, gradient } = (loss === "squared" ? squared : logistic)(score, target);
  const dValue = scatter(gradient, at, placed.rows); // [B, L]
  await model.backward({ rows: placed.rows, temperature: 1, dValue });
  const norm = await model.gradNorm();
  if (!Number.isFinite(norm)) {
    model.zeroGrads();
    throw new NotFiniteError("a gradient of the judge of turns was not finite");
  }
  if (maxGradNorm > 0 && norm > maxGradNorm) model.scaleGrads(maxGradNorm / (norm + 1e-6));
  const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 };
  await model.update({ lr: { trunk: lr, valueHead: lr }, ...adam });
  return value;
}

async function forward(model: EngineModel, rows: TokenRow[]) {
  const placed = placeRows(rows);
  const { L } = placed.rows;
  const at = Int32Array.from(rows.flatMap(({ turnEnd }, b) => turnEnd.map((t) => b * L + t))); // [K]
  const mask = maskAt(placed.rows, at);
  const { value } = await model.forward({ rows: placed.rows, mask, temperature: 1, value: true });
  return { placed, at, score: gather(value!, at) };
}

/** A mean over turns and its gradient in each score. */
interface TurnLoss {
  value: number;
  /** [K] */
  gradient: Float64Array;
}

/** 1/2 mean (z - y)^2 */
export function squared(score: Float64Array, target: Float64Array): TurnLoss {
  const error = score.map((z, k) => z - target[k]!); // [K]
  return {
    value: mean(error.map((e) => 0.5 * e * e)),
    gradient: error.map((e) => e / error.length),
  };
}

/** mean of log(1 + exp(z)) - y z: cross-entropy of sigmoid(z) with the label, written so that no exp overflows. */
export function logistic(score: Float64Array, label: Float64Array): TurnLoss {
  const K = score.length;
  const each = score.map((z, k) => Math.max(z, 0) + log(1 + exp(-Math.abs(z))) - label[k]! * z); // [K]
  return { value: mean(each), gradient: score.map((z, k) => (sigmoid(z) - label[k]!) / K) };
}
