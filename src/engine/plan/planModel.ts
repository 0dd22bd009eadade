/** A model on any executor: cuts rows into passes, keeps compiled plans by shape, gathers results. */
import { powInt } from "../../numeric/deterministic.ts";
import type {
  BackwardRequest,
  DecodeSession,
  EngineModel,
  ForwardRequest,
  ForwardResult,
  OptimizerState,
  ParameterGroup,
  UpdateRequest,
  ValueHead,
  WeightMap,
} from "../engine.ts";
import type { ModelConfig } from "../modelConfig.ts";
import { planPasses, rowsById, selectTargets, type Pass, type Targets } from "./batches.ts";
import { DecodePool } from "./decodePool.ts";
import { PlanDecodeSession } from "./decodeSession.ts";
import type { Executor, Runnable, Store } from "./executor.ts";
import { REFERENCE_HIDDEN, type ModelShape } from "./forward.ts";
import { layoutOf, pack, packMoments, unpack } from "./layout.ts";
import { PlanCache, type InputData } from "./planCache.ts";
import {
  backwardPlan,
  forwardPlan,
  gradNormPlan,
  GROUPS,
  presentGroups,
  referencePlan,
  scalePlan,
  updatePlan,
  type PassShape,
} from "./plans.ts";
import { PassResults, type Outputs } from "./passResults.ts";

/** Logits of a pass at most, where raw logits are asked for (64 MiB). */
const LOGITS_PER_PASS = 1 << 24;

export class PlanModel implements EngineModel {
  readonly plans: PlanCache;
  private readonly decodePool: DecodePool;
  private step: Record<ParameterGroup, number> = { trunk: 0, valueHead: 0 };
  /** What the stored gradients still have to be multiplied by; 0: they count as zero, whatever is stored. */
  private gradScale: Record<ParameterGroup, number> = { trunk: 0, valueHead: 0 };

  constructor(
    private readonly executor: Executor,
    readonly config: ModelConfig,
    readonly valueHead: ValueHead,
    weights: WeightMap,
  ) {
    const layout = layoutOf(config, valueHead);
    const flat = pack(layout, weights);
    this.plans = new PlanCache(executor, config, layout);
    this.decodePool = new DecodePool(executor, this.plans, valueHead);
    executor.write(this.plans.store("params"), 0, flat);
  }

  private get layout() {
    return this.plans.layout;
  }

  async forward(request: ForwardRequest): Promise<ForwardResult> {
    const { rows, mask } = request;
    if (request.value) this.requireValueHead();
    const results = new PassResults(request, this.config.vocabSize);
    const wanted = (i: number) => !mask || mask[i] !== 0;
    const { tokensPerPass } = this.executor.tuning;
    const logitsRows = Math.ceil(LOGITS_PER_PASS / this.config.vocabSize);
    const most = request.logits ? Math.min(tokensPerPass, logitsRows) : tokensPerPass;
    for (const pass of planPasses(rows, wanted, most)) {
      const targets = selectTargets(pass, rows.labels ?? rows.ids, wanted);
      results.take(await this.forwardPass(request, pass, targets), pass, targets, wanted);
    }
    return results.result;
  }

  private async forwardPass(request: ForwardRequest, pass: Pass, targets: Targets) {
    this.plans.coverPositions(lastPosition(pass) + 1);
    const { value = false, logits = false } = request;
    const shape: PassShape = { R: pass.R, M: targets.M, value, logits };
    const reference = targets.M > 0 ? await this.reference(request.kl, pass, targets) : null;
    const runnable = await this.plans.get(
      `forward ${pass.R} ${targets.M} ${value} ${logits}`,
      (m, limits) => forwardPlan(m, shape, reference?.shape, limits),
      reference?.stores,
    );
    this.plans.run(runnable, { ...passData(pass), ...headData(request.temperature, targets) });
    return readOutputs(this.executor, runnable);
  }

  /** Runs the reference model over the pass; what this model's plan needs to use its hidden states. */
  private async reference(model: EngineModel | undefined, pass: Pass, targets: Targets) {
    if (!model) return null;
    if (!(model instanceof PlanModel) || model.executor !== this.executor)
      throw new Error("the reference model is of another engine");
    // For any number of targets, so that there is one store.
    const most = Math.max(targets.M, this.executor.tuning.tokensPerPass);
    const size = most * model.config.hiddenSize;
    const hidden = this.plans.scratch(REFERENCE_HIDDEN, size);
    await model.leaveHidden(hidden, pass, targets);
    const params = model.plans.store("params");
    const shape: ModelShape = { ...model.plans.shape, params: "referenceParams" };
    const stores = new Map([
      [REFERENCE_HIDDEN, hidden],
      ["referenceParams", params],
    ]);
    return { shape, stores };
  }

  private async leaveHidden(into: Store, pass: Pass, targets: Targets): Promise<void> {
    this.plans.coverPositions(lastPosition(pass) + 1);
    const { R } = pass;
    const { M } = targets;
    const runnable = await this.plans.get(
      `reference ${R} ${M}`,
      (m, limits) => referencePlan(m, R, M, limits),
      new Map([[REFERENCE_HIDDEN, into]]),
    );
    this.plans.run(runnable, { ...passData(pass), target: targets.target });
  }

  private requireValueHead(): void {
    if (this.valueHead === "none") throw new Error("the model has no value head");
  }

  async backward(request: BackwardRequest): Promise<void> {
    const { rows, dLogprob, dEntropy, dKl, dValue } = request;
    if (dValue?.some((d) => d !== 0)) this.requireValueHead();
    const policy = (i: number) => Boolean(dLogprob?.[i] || dEntropy?.[i] || dKl?.[i]);
    const wanted = (i: number) => policy(i) || Boolean(dValue?.[i]);
    await this.settleGrads();
    for (const pass of planPasses(rows, wanted, this.executor.tuning.tokensPerPass)) {
      const targets = selectTargets(pass, rows.labels ?? rows.ids, policy);
      await this.backwardPass(request, pass, targets);
    }
  }

  private async backwardPass(request: BackwardRequest, pass: Pass, targets: Targets) {
    const { dValue, temperature } = request;
    const value = dValue !== undefined && pass.source.some((i) => i >= 0 && dValue[i] !== 0);
    if (targets.M === 0 && !value) return;
    this.plans.coverPositions(lastPosition(pass) + 1);
    const kl = request.dKl && targets.M > 0 ? request.kl : undefined;
    const reference = await this.reference(kl, pass, targets);
    const shape: PassShape = { R: pass.R, M: targets.M, value };
    const runnable = await this.plans.get(
      `backward ${pass.R} ${targets.M} ${value}`,
      (m, limits) => backwardPlan(m, shape, this.valueHead, reference?.shape, limits),
      reference?.stores,
    );
    this.plans.run(runnable, {
      ...passData(pass),
      ...headData(temperature, targets),
      ...rowsById(pass),
      place: targets.place,
      coefficients: coefficients(request, targets),
      ...(dValue && { dValue: Float32Array.from(pass.source, (i) => (i < 0 ? 0 : dValue[i]!)) }),
    });
  }

  /** Applies the pending factors, so that more can be added. */
  private async settleGrads(): Promise<void> {
    const groups = presentGroups(this.layout);
    const settled = groups.every((group) => this.gradScale[group] === 1);
    if (settled) return;
    const runnable = await this.plans.get("scale", (m) => scalePlan(m.layout));
    const factors = groups.map((group) => [group, Float32Array.of(this.gradScale[group])]);
    this.plans.run(runnable, Object.fromEntries(factors) as InputData);
    this.gradScale = { trunk: 1, valueHead: 1 };
  }

  async gradNorm(groups: readonly ParameterGroup[] = GROUPS): Promise<number> {
    const live = presentGroups(this.layout).filter((g) => this.gradScale[g] !== 0);
    const chosen = live.filter((group) => groups.includes(group));
    if (chosen.length === 0) return 0;
    const runnable = await this.plans.get("gradNorm", (m) => gradNormPlan(m.layout));
    this.plans.run(runnable, {});
    const squares = await readOutputs(this.executor, runnable);
    let sum = 0;
    for (const group of chosen) {
      const factor = this.gradScale[group] * this.gradScale[group];
      for (const partial of squares[group]!) sum += partial * factor;
    }
    return Math.sqrt(sum);
  }

  scaleGrads(factor: number, groups: readonly ParameterGroup[] = GROUPS): void {
    for (const group of groups) this.gradScale[group] *= factor;
  }

  zeroGrads(): void {
    this.gradScale = { trunk: 0, valueHead: 0 };
  }

  async readGrads(): Promise<WeightMap> {
    if (!this.plans.has("grads")) return unpack(this.layout, new Float32Array(this.layout.size));
    await this.settleGrads();
    return this.readStore("grads");
  }

  private async readStore(name: string): Promise<WeightMap> {
    const flat = await this.executor.read(this.plans.store(name), 0, this.layout.size);
    return unpack(this.layout, flat);
  }

  async update(request: UpdateRequest): Promise<void> {
    const present = presentGroups(this.layout);
    const groups = present.filter((group) => (request.lr[group] ?? 0) !== 0);
    if (groups.some((group) => this.gradScale[group] === 0)) await this.settleGrads();
    if (groups.length > 0) {
      const key = `update ${groups.join()}`;
      const runnable = await this.plans.get(key, (m) => updatePlan(m.layout, groups));
      const scalars = groups.map((group) => [group, this.nextScalars(group, request)]);
      this.plans.run(runnable, Object.fromEntries(scalars) as InputData);
    }
    // The step leaves zeros behind; the other groups' gradients count as zero from now on.
    for (const group of GROUPS) this.gradScale[group] = groups.includes(group) ? 1 : 0;
  }

  /** The scalars of the group's next AdamW step; see ops.ts. [9] */
  private nextScalars(group: ParameterGroup, request: UpdateRequest): Float32Array {
    const { beta1, beta2, eps, weightDecay } = request;
    const lr = request.lr[group]!;
    const t = ++this.step[group];
    const stepSize = lr / (1 - powInt(beta1, t));
    const vScale = 1 / Math.sqrt(1 - powInt(beta2, t));
    const decay = 1 - lr * weightDecay;
    const moments = [beta1, 1 - beta1, beta2, 1 - beta2];
    return Float32Array.of(stepSize, vScale, decay, ...moments, eps, this.gradScale[group]);
  }

  decode(batch: number, capacity: number): DecodeSession {
    return new PlanDecodeSession(this.decodePool, batch, capacity);
  }

  readWeights(): Promise<WeightMap> {
    return this.readStore("params");
  }

  async writeWeights(weights: WeightMap): Promise<void> {
    this.executor.write(this.plans.store("params"), 0, pack(this.layout, weights));
  }

  async readOptimizer(): Promise<OptimizerState> {
    const moments = async (name: string) =>
      this.plans.has(name)
        ? this.readStore(name)
        : unpack(this.layout, new Float32Array(this.layout.size));
    return { step: { ...this.step }, m: await moments("m"), v: await moments("v") };
  }

  async writeOptimizer(state: OptimizerState): Promise<void> {
    const [m, v] = [packMoments(this.layout, state.m), packMoments(this.layout, state.v)];
    this.step = { ...state.step };
    this.executor.write(this.plans.store("m"), 0, m);
    this.executor.write(this.plans.store("v"), 0, v);
  }

  dispose(): void {
    this.decodePool.dispose();
    this.plans.dispose();
  }
}

const passData = ({ ids, position, first, end }: Pass): InputData => ({
  ids,
  position,
  first,
  end,
});

const lastPosition = ({ position }: Pass): number => position.reduce((a, b) => Math.max(a, b), 0);

function headData(temperature: number, { M, target, label }: Targets): InputData {
  if (M === 0) return {};
  return { target, label, inverseTemperature: Float32Array.of(1 / temperature) };
}

/** dL/dlogprob, dL/dentropy, dL/dkl of the targets. [3, M] */
function coefficients(request: BackwardRequest, { M, index }: Targets): Float32Array {
  const data = new Float32Array(3 * M); // [3, M]; what fills up stays 0
  [request.dLogprob, request.dEntropy, request.dKl].forEach((from, kind) => {
    if (from) index.forEach((at, i) => (data[kind * M + i] = from[at]!));
  });
  return data;
}

/** The outputs of a runnable's latest run, by name. */
async function readOutputs(executor: Executor, runnable: Runnable): Promise<Outputs> {
  const words = await executor.readOutput(runnable);
  const fields = Object.entries(runnable.plan.outputs);
  return Object.fromEntries(
    fields.map(([name, { offset, size }]) => [name, words.subarray(offset, offset + size)]),
  );
}
