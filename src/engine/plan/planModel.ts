/**
 * A model on any executor: splits rows into passes, caches compiled plans by shape, gathers
 * results.
 */
import { powInt } from "../../numeric/deterministic.ts";
import type {
  BackwardRequest,
  DecodeSession,
  EngineModel,
  ForwardRequest,
  ForwardResult,
  OptimizerState,
  ParameterGroup,
  TokenRows,
  UpdateRequest,
  ValueHead,
  WeightMap,
  WeightPiece,
} from "../engine.ts";
import { baseConfig, type ModelConfig } from "../modelConfig.ts";
import { EMBEDDING, groupOf } from "../parameters.ts";
import {
  keptRows,
  passTokens,
  planPasses,
  selectTargets,
  type KeptRows,
  type Pass,
  type Targets,
} from "./batches.ts";
import { checkTokenRows } from "../checkRows.ts";
import { deal } from "./deal.ts";
import { PiecePacker } from "./packing.ts";
import type { Executor } from "./executor.ts";
import { passCutOf, type PassCut } from "./footprint.ts";
import { GradientSum } from "./gradientSum.ts";
import type { BackwardJob, ForwardJob } from "./jobs.ts";
import { layoutOf, pack, packTrained, unpack, type Layout } from "./layout.ts";
import { PassResults, type Outputs } from "./passResults.ts";
import { DISPOSED, type InputData } from "./planCache.ts";
import { gradNormPlan, GROUPS, presentGroups, scalePlan, updatePlan } from "./plans.ts";
import { nextNumber, RemoteReplica, type RemoteWorker } from "./remote.ts";
import { PendingReads } from "./reads.ts";
import { readOutputs, Replica } from "./replica.ts";
import { SharedDecodeSession } from "./sharedDecode.ts";

/** Maximum logits of a pass, if raw logits are requested (64 MiB). */
const LOGITS_PER_PASS = 1 << 24;

export class PlanModel implements EngineModel {
  /** Null once disposed of. */
  #living: Replica | null;
  readonly #remotes: RemoteReplica[];
  /** Its number on the workers. */
  readonly #number = nextNumber();
  /** Version of the parameters: counts their changes. */
  #version = 0;
  #knownCut: PassCut | null = null;
  #step: Record<ParameterGroup, number> = { trunk: 0, valueHead: 0 };
  /** Pending factor of the stored gradients; 0: they count as zero, whatever is stored. */
  #gradScale: Record<ParameterGroup, number> = { trunk: 0, valueHead: 0 };
  readonly #executor: Executor;
  readonly #workers: readonly RemoteWorker[];
  /** The model whose parameters these are; null if they are its own. */
  readonly #owner: PlanModel | null;

  /** `weights`: null if they follow, see writePieces; or the model that has them already. */
  constructor(
    executor: Executor,
    readonly config: ModelConfig,
    readonly valueHead: ValueHead,
    weights: WeightMap | PlanModel | null,
    workers: readonly RemoteWorker[] = [],
  ) {
    this.#executor = executor;
    this.#workers = workers;
    this.#owner = weights instanceof PlanModel ? weights : null;
    const flat = weights instanceof Map ? pack(layoutOf(config, valueHead), weights) : null;
    this.#living = new Replica(
      executor,
      config,
      valueHead,
      this.#owner ? this.#owner.#replica : undefined,
    );
    if (flat) this.#replica.writeParams(flat);
    const owner = this.#owner && this.#owner.#number;
    this.#remotes = workers.map(
      (worker) => new RemoteReplica(worker, this.#number, config, valueHead, owner),
    );
  }

  get sharesWeights(): boolean {
    return this.#owner !== null;
  }

  withoutAdapters(): EngineModel {
    if (!this.config.lora) throw new Error("the model has no adapters");
    const base = baseConfig(this.config);
    return new PlanModel(this.#executor, base, "none", this, this.#workers);
  }

  /** @throws Error if the parameters are another model's. */
  #requireOwnWeights(): void {
    void this.#replica;
    if (this.#owner) throw new Error("the weights are another model's: they are only read here");
  }

  /** @throws Error if nothing of the model can be trained. */
  #requireTrainable(): void {
    this.#requireOwnWeights();
    if (this.config.packed && !this.config.lora)
      throw new Error("the weights are packed: they are only read; adapters (lora) can be trained");
  }

  /** @throws Error if the model has been disposed of: each operation checks this first. */
  get #replica(): Replica {
    if (!this.#living) throw new Error(DISPOSED);
    return this.#living;
  }

  get rowsApart(): boolean {
    return this.#executor.info.reproducible === "everywhere";
  }

  get #plans() {
    return this.#replica.plans;
  }

  /** The parameters' location, for users of the executor's memory. */
  get parameters() {
    return { executor: this.#executor, store: this.#plans.store("params"), layout: this.#layout };
  }

  get #layout(): Layout {
    return this.#plans.layout;
  }

  async forward(request: ForwardRequest): Promise<ForwardResult> {
    void this.#replica;
    const { rows, mask, temperature, value = false, logits = false } = request;
    if (value) this.#requireValueHead();
    const results = new PassResults(request, this.config.vocabSize);
    const wanted = (i: number) => !mask || mask[i] !== 0;
    checkTokenRows(rows, this.config.vocabSize, wanted);
    const logitsRows = logits ? Math.ceil(LOGITS_PER_PASS / this.config.vocabSize) : Infinity;
    const jobs = this.#passes(rows, wanted, logitsRows).map((pass): ForwardJob => {
      const targets = selectTargets(pass, rows.labels ?? rows.ids, wanted);
      const hasValue = (row: number) =>
        value && pass.source[row]! >= 0 && wanted(pass.source[row]!);
      const kept = logits ? null : this.#keptRows(pass, targets, hasValue);
      return { pass, targets, kept, temperature, value, logits };
    });
    const take = (outputs: Outputs, at: number) => results.take(outputs, jobs[at]!, wanted);
    const kl = this.#referenceOf(request.kl);
    const reference = kl ? kl.#number : null;
    const remotes = await this.#readyRemotes(jobs.length, kl);
    const reads = new PendingReads();
    await deal(
      jobs.length,
      remotes.length,
      async (at) => {
        const { outputs } = await this.#replica.forward(jobs[at]!, kl && kl.#replica);
        reads.add(outputs.then((all) => take(all, at)));
        if (logits) await reads.all(); // large ones one at a time
      },
      async (r, at) => {
        const data = { model: this.#number, job: jobs[at]!, reference };
        take(await remotes[r]!.call("forward", data, kl && kl.#remotes[r]), at);
      },
    );
    await reads.all();
    return results.result;
  }

  #passes(rows: TokenRows, wanted: (i: number) => boolean, most = Infinity): Pass[] {
    const { tuning } = this.#executor;
    const own = this.#passCut.tokens;
    return planPasses(rows, wanted, (total) => Math.min(most, passTokens(total, own, tuning)));
  }

  get #passCut(): PassCut {
    return (this.#knownCut ??= passCutOf(this.config, this.valueHead, this.#executor.tuning));
  }

  /** The rows that predict a target or have a needed value; null if all are computed. */
  #keptRows(pass: Pass, { place }: Targets, hasValue: (row: number) => boolean): KeptRows | null {
    if (!this.#executor.tuning.trims) return null;
    return keptRows(pass, (row) => place[row]! >= 0 || hasValue(row));
  }

  #referenceOf(model: EngineModel | undefined): PlanModel | undefined {
    if (!model) return undefined;
    if (!(model instanceof PlanModel && model.#executor === this.#executor))
      throw new Error("the reference model is of another engine");
    if (!model.#living) throw new Error("the reference model has been disposed of");
    return model;
  }

  /** The remotes that this many jobs keep busy besides this thread, with the newest parameters. */
  async #readyRemotes(jobs: number, reference?: PlanModel): Promise<RemoteReplica[]> {
    const remotes = this.#remotes.slice(0, Math.max(0, jobs - 1));
    if (reference && reference !== this) await reference.#readyRemotes(jobs);
    if (this.#owner) {
      await this.#owner.#readyRemotes(jobs);
      for (const remote of remotes) remote.join();
      return remotes;
    }
    const behind = remotes.filter((remote) => !remote.isAt(this.#version));
    if (behind.length === 0) return remotes;
    const version = this.#version; // an update may happen before the parameters have been read
    const params = await this.#executor.read(this.#plans.store("params"), 0, this.#layout.size);
    for (const remote of behind) remote.bringTo(version, params);
    return remotes;
  }

  #requireValueHead(): void {
    if (this.valueHead === "none") throw new Error("the model has no value head");
  }

  async backward(request: BackwardRequest): Promise<void> {
    this.#requireTrainable();
    if (request.dValue?.some((d) => d !== 0)) this.#requireValueHead();
    const jobs = this.#backwardJobs(request);
    const reference = request.dKl && this.#referenceOf(request.kl);
    await this.#settleGrads();
    if (this.#executor.sums) await this.#backwardInOrder(jobs, reference);
    else for (const job of jobs) await this.#replica.backward(job, reference && reference.#replica);
  }

  #backwardJobs(request: BackwardRequest): BackwardJob[] {
    const { rows, temperature, dLogprob, dEntropy, dKl, dValue } = request;
    const policy = (i: number) => Boolean(dLogprob?.[i] || dEntropy?.[i] || dKl?.[i]);
    const wanted = (i: number) => policy(i) || Boolean(dValue?.[i]);
    checkTokenRows(rows, this.config.vocabSize, policy);
    const jobs = this.#passes(rows, wanted).map((pass): BackwardJob => {
      const targets = selectTargets(pass, rows.labels ?? rows.ids, policy);
      const dv = dValue && Float32Array.from(pass.source, (i) => (i < 0 ? 0 : dValue[i]!)); // [R]
      const all = dv?.some((d) => d !== 0) ? dv : null;
      const kept = this.#keptRows(pass, targets, (row) => Boolean(all?.[row]));
      const used = all && kept ? Float32Array.from(kept.rows, (row) => all[row] ?? 0) : all;
      return {
        pass,
        targets,
        kept,
        temperature,
        coefficients: coefficients(request, targets),
        dValue: used,
        recomputes: this.#passCut.recomputes,
      };
    });
    return jobs.filter(({ targets, dValue }) => targets.M > 0 || dValue);
  }

  /** Each pass's gradients start from zero and are added in the passes' order: the same sum, whichever thread computes it. */
  async #backwardInOrder(jobs: BackwardJob[], kl?: PlanModel): Promise<void> {
    const sum = new GradientSum(this.#replica);
    const reference = kl ? kl.#number : null;
    const remotes = await this.#readyRemotes(jobs.length, kl);
    await deal(
      jobs.length,
      remotes.length,
      (at) =>
        this.#replica.backwardApart(jobs[at]!, kl && kl.#replica, (grads) =>
          sum.takeStore(at, grads),
        ),
      async (r, at) => {
        const data = { model: this.#number, job: jobs[at]!, reference };
        sum.take(at, await remotes[r]!.call("backward", data, kl && kl.#remotes[r]));
      },
    );
  }

  /** Applies the pending factors, so that more can be added. */
  async #settleGrads(): Promise<void> {
    const groups = presentGroups(this.#layout);
    const settled = groups.every((group) => this.#gradScale[group] === 1);
    if (settled) return;
    const runnable = await this.#plans.get("scale", (m) => scalePlan(m.layout));
    const factors = groups.map((group) => [group, Float32Array.of(this.#gradScale[group])]);
    this.#plans.run(runnable, Object.fromEntries(factors) as InputData);
    this.#gradScale = { trunk: 1, valueHead: 1 };
  }

  async gradNorm(groups: readonly ParameterGroup[] = GROUPS): Promise<number> {
    const live = presentGroups(this.#layout).filter((g) => this.#gradScale[g] !== 0);
    const chosen = live.filter((group) => groups.includes(group));
    if (chosen.length === 0) return 0;
    const runnable = await this.#plans.get("gradNorm", (m) => gradNormPlan(m.layout));
    this.#plans.run(runnable, {});
    const squares = await readOutputs(this.#executor, runnable);
    let sum = 0;
    for (const group of chosen) {
      const factor = this.#gradScale[group] * this.#gradScale[group];
      for (const partial of squares[group]!) sum += partial * factor;
    }
    return Math.sqrt(sum);
  }

  scaleGrads(factor: number, groups: readonly ParameterGroup[] = GROUPS): void {
    void this.#replica;
    for (const group of groups) this.#gradScale[group] *= factor;
  }

  zeroGrads(): void {
    void this.#replica;
    this.#gradScale = { trunk: 0, valueHead: 0 };
  }

  async readGrads(): Promise<WeightMap> {
    if (this.#plans.has("grads")) await this.#settleGrads();
    return this.#readTrained("grads");
  }

  /** Gradients or moments; zeros if there are none yet. */
  async #readTrained(name: string): Promise<WeightMap> {
    const { size, frozen } = this.#layout;
    const flat = this.#plans.has(name)
      ? await this.#executor.read(this.#plans.store(name), 0, size - frozen)
      : new Float32Array(size - frozen);
    return unpack(this.#layout, flat, frozen);
  }

  async update(request: UpdateRequest): Promise<void> {
    this.#requireTrainable();
    const present = presentGroups(this.#layout);
    const groups = present.filter((group) => (request.lr[group] ?? 0) !== 0);
    if (groups.some((group) => this.#gradScale[group] === 0)) await this.#settleGrads();
    if (groups.length > 0) {
      const key = `update ${groups.join()}`;
      const runnable = await this.#plans.get(key, (m) => updatePlan(m.layout, groups));
      const scalars = groups.map((group) => [group, this.#nextScalars(group, request)]);
      this.#plans.run(runnable, Object.fromEntries(scalars) as InputData);
      this.#version++;
    }
    // The step leaves zeros behind; the other groups' gradients count as zero from now on.
    for (const group of GROUPS) this.#gradScale[group] = groups.includes(group) ? 1 : 0;
  }

  /** The scalars of the group's next AdamW step; see ops.ts. [9] */
  #nextScalars(group: ParameterGroup, request: UpdateRequest): Float32Array {
    const { beta1, beta2, eps, weightDecay } = request;
    const lr = request.lr[group]!;
    const t = ++this.#step[group];
    const stepSize = lr / (1 - powInt(beta1, t));
    const vScale = 1 / Math.sqrt(1 - powInt(beta2, t));
    const decay = 1 - lr * weightDecay;
    const moments = [beta1, 1 - beta1, beta2, 1 - beta2];
    return Float32Array.from([stepSize, vScale, decay, ...moments, eps, this.#gradScale[group]]);
  }

  decode(batch: number, capacity: number): DecodeSession {
    const ready = (parts: number) => this.#readyRemotes(parts);
    const { decodePool } = this.#replica;
    return new SharedDecodeSession(decodePool, this.#number, this.#remotes, ready, batch, capacity);
  }

  async readWeights(which?: "trained"): Promise<WeightMap> {
    const { size, frozen } = this.#layout;
    const from = which === "trained" ? frozen : 0;
    const flat = await this.#executor.read(this.#plans.store("params"), from, size - from);
    return unpack(this.#layout, flat, from);
  }

  async writeWeights(weights: WeightMap): Promise<void> {
    this.#requireOwnWeights();
    const { frozen } = this.#layout;
    if (frozen > 0 && !weights.has(EMBEDDING))
      this.#executor.write(
        this.#plans.store("params"),
        frozen,
        packTrained(this.#layout, weights, "weight"),
      );
    else this.#replica.writeParams(pack(this.#layout, weights));
    this.#version++;
  }

  /**
   * Every tensor's numbers; a value head's may be absent, and then stay 0.
   * @throws Error if others are missing
   */
  async writePieces(pieces: AsyncIterable<WeightPiece>): Promise<void> {
    const { tensors } = this.#layout;
    const missing = new Map([...tensors].map(([name, { size }]) => [name, size]));
    const params = this.#plans.store("params");
    const packer = new PiecePacker();
    for await (const piece of pieces) {
      const { name, at, data } = piece;
      const tensor = tensors.get(name);
      if (!tensor) continue;
      const parts = tensor.packed
        ? packer.pack(tensor, piece)
        : [{ offset: tensor.offset + at, words: data }];
      for (const { offset, words } of parts) this.#executor.write(params, offset, words);
      missing.set(name, missing.get(name)! - data.length);
      // Without waiting, a device's queue would hold a copy of everything.
      await this.#executor.read(params, tensor.offset, 1);
    }
    for (const [name, count] of missing)
      if (count > 0 && groupOf(name) === "trunk") throw new Error(`weight ${name} is missing`);
    this.#version++;
  }

  async readOptimizer(): Promise<OptimizerState> {
    const [m, v] = [await this.#readTrained("m"), await this.#readTrained("v")];
    return { step: { ...this.#step }, m, v };
  }

  async writeOptimizer(state: OptimizerState): Promise<void> {
    const [m, v] = [packTrained(this.#layout, state.m), packTrained(this.#layout, state.v)];
    this.#step = { ...state.step };
    this.#executor.write(this.#plans.store("m"), 0, m);
    this.#executor.write(this.#plans.store("v"), 0, v);
  }

  dispose(): void {
    this.#living?.dispose();
    this.#living = null;
    for (const remote of this.#remotes) remote.dispose();
  }
}

/** dL/dlogprob, dL/dentropy, dL/dkl of the targets. [3, M] */
function coefficients(request: BackwardRequest, { M, index }: Targets): Float32Array {
  const data = new Float32Array(3 * M); // [3, M]; padding stays 0
  [request.dLogprob, request.dEntropy, request.dKl].forEach((from, kind) => {
    if (from) index.forEach((at, i) => (data[kind * M + i] = from[at]!));
  });
  return data;
}
