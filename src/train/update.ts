/** One optimiser step on one minibatch: forward, objective, backward, clip, AdamW. */
import {
  computeObjective,
  type Credit,
  type Objective,
  cutOfLogprobs,
  divideByCut,
  type Corrected,
  type CutSizes,
} from "../algorithm/registry.ts";
import type { EngineModel, ParameterGroup } from "../engine/engine.ts";
import { NotFiniteError } from "../engine/errors.ts";
import { mean } from "../numeric/statistics.ts";
import type { Metrics } from "../record/runEvent.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { TokenRow } from "../text/tokenRow.ts";
import { checkFinite, gather, maskAt, scatter, valuesAt, type PlacedRows } from "./columns.ts";
import { placeRows } from "./episodes.ts";
import { criticOf, type Learner } from "./learner.ts";
import { composeOffsets } from "../numeric/segments.ts";
import { trajectoryClipFractions, trajectoryCut } from "../method/objective/clipBias.ts";

export interface Minibatch {
  rows: TokenRow[];
  /** Columns of these rows' trajectories; logprob and new values are filled in here. */
  batch: TrajectoryBatch;
  credit: Credit;
  /** Outputs of the networks that are known without a forward pass. */
  known?: KnownOutputs;
}

/** As columns of a minibatch; a network's are absent if it must be asked. */
export interface KnownOutputs {
  /** [N] each */
  policy?: { logprob: Float64Array; entropy: Float64Array };
  /** [K] or [N] */
  values?: Float64Array;
}

/** Which of the two networks learns from this minibatch. */
export interface Learns {
  actor: boolean;
  critic: boolean;
  /** The actor's learning rate in this iteration. */
  actorLr: number;
}

export interface UpdateResult {
  metrics: Metrics;
  objective: Objective;
  /** Log-probs under the policy before this step. [N] */
  logprob: Float64Array;
}

/** @throws NotFiniteError if a log-prob, value, loss or gradient is not finite; nothing is changed then. */
export async function updateOn(
  spec: ExperimentSpec,
  learner: Learner,
  { rows, batch, credit, known = {} }: Minibatch,
  learns: Learns,
): Promise<UpdateResult> {
  const placed = placeRows(rows);
  const now = await forward(spec, learner, placed, known);
  for (const [name, column] of Object.entries(now.columns)) checkFinite(name, column);
  const current = { ...batch, ...now.columns };
  const objective = computeObjective(learner.algorithm, current, credit, {
    entropy: now.entropy,
    entropyCoef: spec.optimisation.entropyCoef,
  });
  const { temperature } = spec.sampling;
  const corrected = learns.actor
    ? await correctClipBias(learner, objective, current, rows, temperature)
    : { objective, metrics: {} };
  await backward(spec, learner, placed, corrected.objective, learns);
  const norms = await gradNorms(spec, learner, learns);
  if (!Object.values(norms).every(Number.isFinite)) {
    zeroGrads(learner);
    throw new NotFiniteError("a gradient was not finite; the update was not made");
  }
  await step(spec, learner, learns);
  const metrics = {
    ...inRewardUnits(objective.metrics, spec.optimisation.rewardScale),
    ...norms,
    ...corrected.metrics,
    "actor/entropy": mean(now.entropy),
    ...learningRates(spec, learner, learns),
  };
  return { metrics, objective, logprob: now.columns.logprob };
}

/**
 * The critic's predictions in the environment's reward units; the losses remain those that are
 * minimised.
 */
function inRewardUnits(metrics: Record<string, number>, rewardScale: number): Metrics {
  const predicted = metrics["critic/vpred_mean"];
  if (predicted === undefined) return metrics;
  return { ...metrics, "critic/vpred_mean": predicted / rewardScale };
}

/** The networks' current outputs, as columns. */
async function forward(
  spec: ExperimentSpec,
  learner: Learner,
  placed: PlacedRows,
  known: KnownOutputs,
) {
  const { rows, tokenAt } = placed;
  const critic = criticOf(learner);
  const shared = critic === learner.actor;
  const valued = valuesAt(placed, learner.algorithm.critic); // [K] or [N]
  const request = {
    rows,
    temperature: spec.sampling.temperature,
    mask: maskAt(rows, tokenAt, valued),
  };
  const out = known.policy
    ? null
    : await learner.actor.forward({ ...request, entropy: true, value: shared });
  const { entropy, logprob } = out
    ? { entropy: gather(out.entropy!, tokenAt), logprob: gather(out.logprob, tokenAt) } // [N]
    : known.policy!;
  if (!critic) return { entropy, columns: { logprob } };
  const asked = async () =>
    shared ? out!.value! : (await critic.forward({ ...request, value: true })).value!;
  const column = learner.algorithm.critic === "turn" ? "turnNewValue" : "tokenNewValue";
  const values = known.values ?? gather(await asked(), valued); // [K] or [N]
  return { entropy, columns: { logprob, [column]: values } };
}

/** Passes the objective's per-unit gradients to the networks. */
async function backward(
  spec: ExperimentSpec,
  learner: Learner,
  placed: PlacedRows,
  objective: Objective,
  learns: Learns,
): Promise<void> {
  const { rows } = placed;
  const { temperature } = spec.sampling;
  const critic = criticOf(learner);
  const valueAt = valuesAt(placed, learner.algorithm.critic);
  const weighted = objective.dValue?.map((g) => g * spec.critic.coef); // [K] or [N]
  const dValue = learns.critic && weighted ? scatter(weighted, valueAt, rows) : undefined; // [B, L]
  const policy = learns.actor ? policyGradients(objective, placed) : {};
  const onTrunk = critic === learner.actor && dValue ? { dValue } : {};
  if (learns.actor || dValue) {
    if (learns.actor || "dValue" in onTrunk)
      await learner.actor.backward({ rows, temperature, ...policy, ...onTrunk });
    if (learner.separateCritic && dValue)
      await learner.separateCritic.backward({ rows, temperature, dValue });
  }
}

function policyGradients({ dLogprob, dEntropy }: Objective, { rows, tokenAt }: PlacedRows) {
  return {
    dLogprob: scatter(dLogprob, tokenAt, rows), // [B, L]
    ...(dEntropy && { dEntropy: scatter(dEntropy, tokenAt, rows) }), // [B, L]
  };
}

/** The parts of the networks that belong to actor and critic. */
function owned(learner: Learner): {
  actor: [EngineModel, ParameterGroup[]];
  critic: [EngineModel, ParameterGroup[]] | null;
} {
  const critic = criticOf(learner);
  return {
    actor: [learner.actor, ["trunk"]],
    critic:
      critic === null
        ? null
        : critic === learner.actor
          ? [critic, ["valueHead"]]
          : [critic, ["trunk", "valueHead"]],
  };
}

/** Global norms before clipping; gradients above the limit are scaled down to it. */
async function gradNorms(
  spec: ExperimentSpec,
  learner: Learner,
  learns: Learns,
): Promise<Record<string, number>> {
  const parts = owned(learner);
  const norms: Record<string, number> = {};
  for (const part of ["actor", "critic"] as const) {
    const networks = parts[part];
    if (!networks || !learns[part]) continue;
    const [model, groups] = networks;
    const norm = await model.gradNorm(groups);
    norms[`${part}/grad_norm`] = norm;
    const limit = spec.optimisation.maxGradNorm;
    // torch.nn.utils.clip_grad_norm_: factor limit / (norm + 1e-6), at most 1.
    if (limit > 0 && norm > limit) model.scaleGrads(limit / (norm + 1e-6), groups);
  }
  return norms;
}

async function step(spec: ExperimentSpec, learner: Learner, learns: Learns): Promise<void> {
  const { weightDecay } = spec.optimisation;
  const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay };
  const criticLr = learns.critic ? spec.critic.lr : 0;
  const headLr = criticOf(learner) === learner.actor ? criticLr : 0;
  const trunkLr = learns.actor ? learns.actorLr : 0;
  // Gradients that no update uses must not leak into the next minibatch.
  if (trunkLr > 0 || headLr > 0)
    await learner.actor.update({ lr: { trunk: trunkLr, valueHead: headLr }, ...adam });
  else learner.actor.zeroGrads();
  if (learner.separateCritic && criticLr > 0)
    await learner.separateCritic.update({ lr: { trunk: criticLr, valueHead: criticLr }, ...adam });
  else learner.separateCritic?.zeroGrads();
}

function zeroGrads({ actor, separateCritic }: Learner): void {
  actor.zeroGrads();
  separateCritic?.zeroGrads();
}

function learningRates(spec: ExperimentSpec, learner: Learner, learns: Learns): Metrics {
  const critic = criticOf(learner) && learns.critic ? { "critic/lr": spec.critic.lr } : {};
  return { "actor/lr": learns.actor ? learns.actorLr : 0, ...critic };
}

// The clipping-bias correction of S-PPO and ST-PPO in an update: measures the norm of the gradient
// that the clip removed, and divides the policy's gradient accordingly. A backward pass is linear
// in its input, so dividing dL/dlogprob divides the gradient of the parameters.

/**
 * The objective with the gradients of log-probs and entropies divided by the denominator that the
 * algorithm's clipBias and clipBiasScope name; unchanged if they name none. Leaves no gradient in
 * the actor.
 */
export async function correctClipBias(
  learner: Learner,
  objective: Objective,
  batch: TrajectoryBatch,
  rows: TokenRow[],
  temperature: number,
): Promise<Corrected> {
  const { algorithm } = learner;
  if (algorithm.clipBias === "none") return { objective, metrics: {} };
  const start = composeOffsets(batch.turnStart, batch.tokenStart); // [B+1]
  const sizes = await cutSizes(learner, objective, start, rows, temperature);
  return divideByCut(algorithm, batch, objective, sizes);
}

async function cutSizes(
  { algorithm, actor }: Learner,
  objective: Objective,
  start: Int32Array,
  all: TokenRow[],
  temperature: number,
): Promise<CutSizes> {
  const { dLogprobCut, tokenClipped } = objective;
  const parameterNorm = async (cut: Float64Array, of = all) => {
    if (cut.every((g) => g === 0)) return 0;
    const { rows, tokenAt } = placeRows(of);
    await actor.backward({ rows, temperature, dLogprob: scatter(cut, tokenAt, rows) }); // [B, L]
    const size = await actor.gradNorm(["trunk"]);
    actor.zeroGrads();
    return size;
  };
  const ownCut = (b: number) =>
    trajectoryCut(dLogprobCut, start, b).subarray(start[b], start[b + 1]);
  switch (algorithm.clipBiasScope) {
    case "logprobs":
      return cutOfLogprobs(objective);
    case "minibatch":
      return { norms: [await parameterNorm(dLogprobCut)], fractions: [mean(tokenClipped)] };
    case "trajectory": {
      const norms: number[] = [];
      for (let b = 0; b + 1 < start.length; b++)
        norms.push(await parameterNorm(ownCut(b), [all[b]!]));
      return { norms, fractions: Array.from(trajectoryClipFractions(tokenClipped, start)) };
    }
  }
}
