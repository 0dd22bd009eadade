/** One copy of a model on one executor: its stores and plans, and the passes they run. Every participating thread has one. */
import type { ValueHead } from "../engine.ts";
import type { ModelConfig } from "../modelConfig.ts";
import { keptTargets, rowsById, type Pass } from "./batches.ts";
import { DecodePool } from "./decodePool.ts";
import type { Executor, Runnable, Store } from "./executor.ts";
import { checkModel } from "./footprint.ts";
import type { BackwardJob, ForwardJob } from "./jobs.ts";
import { REFERENCE_HIDDEN } from "./forward.ts";
import { layoutOf, type ModelShape } from "./layout.ts";
import type { Outputs } from "./passResults.ts";
import { PlanCache, type Bound, type InputData } from "./planCache.ts";
import { backwardPlan, forwardPlan, keyOfPass, referencePlan, type PassShape } from "./plans.ts";

export class Replica {
  readonly plans: PlanCache;
  readonly decodePool: DecodePool;
  readonly #valueHead: ValueHead;

  constructor(
    readonly executor: Executor,
    readonly config: ModelConfig,
    valueHead: ValueHead,
    /** The one whose parameters these are, if they are another's. */
    owner?: Replica,
  ) {
    this.#valueHead = valueHead;
    if (!owner) checkModel(executor, config, valueHead);
    const params = owner?.plans.store("params");
    this.plans = new PlanCache(executor, config, layoutOf(config, valueHead), params);
    this.decodePool = new DecodePool(executor, this.plans, valueHead);
  }

  /** All parameters. [layout.size] */
  writeParams(flat: Float32Array): void {
    this.executor.write(this.plans.store("params"), 0, flat);
  }

  /**
   * Resolves once the pass has been given to the executor: the next may follow before its outputs
   * arrive. `reference` is the model for the KL, if requested.
   */
  async forward(job: ForwardJob, reference?: Replica): Promise<{ outputs: Promise<Outputs> }> {
    const { pass, value, logits } = job;
    this.plans.coverPositions(lastPosition(pass) + 1);
    const shape: PassShape = { ...shapeOf(job), value, logits };
    const kl = await this.#referenceOf(reference, job);
    const runnable = await this.plans.get(
      keyOfPass("forward", shape),
      (m, limits, tokens) => forwardPlan(m, cut(shape, tokens), kl?.shape, limits),
      kl?.stores,
      shape.R,
    );
    this.plans.run(runnable, { ...passData(job), ...headData(job) });
    return { outputs: readOutputs(this.executor, runnable) };
  }

  /** Adds the pass's gradients to the model's. */
  async backward(job: BackwardJob, reference?: Replica): Promise<void> {
    const runnable = await this.#backwardRunnable(job, reference);
    this.plans.run(runnable, backwardData(job));
  }

  /** Returns the pass's own gradients, in a store that the next pass overwrites. For executors with sums. */
  async backwardApart(
    job: BackwardJob,
    reference: Replica | undefined,
    take: (grads: Store) => void,
  ): Promise<void> {
    const runnable = await this.#backwardRunnable(job, reference, APART);
    const grads = this.plans.store("passGrads");
    // Nothing else may run in between.
    this.executor.sums!.clear(grads);
    this.plans.run(runnable, backwardData(job));
    take(grads);
  }

  async #backwardRunnable(
    job: BackwardJob,
    reference?: Replica,
    stores: Bound = new Map(),
  ): Promise<Runnable> {
    this.plans.coverPositions(lastPosition(job.pass) + 1);
    const kl = await this.#referenceOf(reference, job);
    const { dValue, recomputes } = job;
    const shape: PassShape = { ...shapeOf(job), value: dValue !== null, recomputes };
    return this.plans.get(
      keyOfPass("backward", shape),
      (m, limits, tokens) =>
        backwardPlan(m, cut(shape, tokens), this.#valueHead, kl?.shape, limits),
      new Map([...stores, ...(kl?.stores ?? [])]),
      shape.R,
    );
  }

  /**
   * Runs the reference over the pass; returns what this model's plan needs to use its hidden
   * states.
   */
  async #referenceOf(model: Replica | undefined, job: ReplicaJob) {
    const { M } = job.targets;
    if (!model || M === 0) return null;
    // For any number of targets, so that there is one store.
    const most = Math.max(M, this.executor.tuning.tokensPerPass);
    const hidden = this.plans.scratch(REFERENCE_HIDDEN, most * model.config.hiddenSize);
    await model.#leaveHidden(hidden, job);
    const shape: ModelShape = { ...model.plans.shape, params: "referenceParams" };
    const stores = new Map([
      [REFERENCE_HIDDEN, hidden],
      ["referenceParams", model.plans.store("params")],
    ]);
    return { shape, stores };
  }

  async #leaveHidden(into: Store, job: ReplicaJob): Promise<void> {
    this.plans.coverPositions(lastPosition(job.pass) + 1);
    const shape = { ...shapeOf(job), value: false };
    const runnable = await this.plans.get(
      keyOfPass("reference", shape),
      (m, limits, tokens) => referencePlan(m, cut(shape, tokens), limits),
      new Map([[REFERENCE_HIDDEN, into]]),
      shape.R,
    );
    const { target } = keptTargets(job.targets, job.kept);
    this.plans.run(runnable, { ...passData(job), target });
  }

  dispose(): void {
    this.decodePool.dispose();
    this.plans.dispose();
  }
}

const APART: Bound = new Map([["grads", "passGrads"]]);

/** The fields of every pass, whatever its outputs. */
type ReplicaJob = Pick<ForwardJob, "pass" | "targets" | "kept">;

const shapeOf = ({ pass: { R }, targets: { M }, kept }: ReplicaJob) => ({
  R,
  M,
  ...(kept && { N: kept.N }),
});

/** The same pass with at most this many tokens. */
const cut = (shape: PassShape, R: number): PassShape => ({
  ...shape,
  R,
  M: Math.min(shape.M, R),
  ...(shape.N !== undefined && { N: Math.min(shape.N, R) }),
});

function passData({ pass: { ids, position, first, end }, kept }: ReplicaJob): InputData {
  const rows = { ids, position, first, end };
  return kept ? { ...rows, rows: kept.rows, keep: kept.keep, bounds: kept.bounds } : rows;
}

const lastPosition = ({ position }: Pass): number => position.reduce((a, b) => Math.max(a, b), 0);

function headData({ targets, kept, temperature }: ReplicaJob & { temperature: number }): InputData {
  if (targets.M === 0) return {};
  const { target, label } = keptTargets(targets, kept);
  return { target, label, inverseTemperature: Float32Array.of(1 / temperature) };
}

function backwardData(job: BackwardJob): InputData {
  const { pass, targets, kept, coefficients, dValue } = job;
  return {
    ...passData(job),
    ...headData(job),
    ...rowsById(pass),
    place: keptTargets(targets, kept).place,
    coefficients,
    ones: new Float32Array(pass.R).fill(1), // [R]; few models' plans use it
    ...(dValue && { dValue }),
  };
}

/** The outputs of a runnable's latest run, by name. */
export async function readOutputs(executor: Executor, runnable: Runnable): Promise<Outputs> {
  const words = await executor.readOutput(runnable);
  const fields = Object.entries(runnable.plan.outputs);
  return Object.fromEntries(
    fields.map(([name, { offset, size }]) => [name, words.subarray(offset, offset + size)]),
  );
}
