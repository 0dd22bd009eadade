/** A model's stores and its compiled plans by shape: created at first use, then reused. */
import type { ModelConfig } from "../modelConfig.ts";
import type { Executor, Runnable, Store } from "./executor.ts";
import { keptPlans, type KeptPlans } from "./keptPlans.ts";
import type { Layout, ModelShape } from "./layout.ts";
import { LORA_STORE, loraTables } from "./lora.ts";
import {
  FIRST_POSITIONS,
  largestFitting,
  planShortage,
  tooLarge,
  type Footprint,
} from "./footprint.ts";
import { align, UNLIMITED, type Limits, type Plan } from "./planner.ts";
import { ropeSize } from "./plans.ts";
import { cos, exp, log, sin } from "../../numeric/deterministic.ts";

/** Fields to upload, by name. */
export type InputData = Record<string, Int32Array | Float32Array>;

/** Builds a plan for this many tokens: the requested number, or fewer, to find out how many would fit. */
type Build = (model: ModelShape, limits: Limits, tokens: number) => Plan;

/** Stores by a plan's names: others' directly, the model's own by their names here. */
export type Bound = ReadonlyMap<string, Store | string>;

/** A plan, and the stores it is bound to besides the model's own. */
interface CompiledPlan {
  runnable: Promise<Runnable>;
  extra: Store[];
}

/** Error of every use of a model after its end. */
export const DISPOSED = "the model has been disposed of";

const NONE: Bound = new Map();

/** What training needs once there are gradients, of what is trained alone; `passGrads` if they are kept separate. */
const TRAINING = ["grads", "passGrads", "m", "v"];

const PURPOSES: Record<string, string> = {
  params: "parameters",
  grads: "gradients",
  passGrads: "a pass's gradients",
  m: "first moments",
  v: "second moments",
};

const ignore = () => undefined;

export class PlanCache {
  shape: ModelShape;
  readonly #stores = new Map<string, Store>();
  readonly #compiled = new Map<string, CompiledPlan>();
  readonly #uploads = new Map<Runnable, Int32Array>();
  readonly #kept: KeptPlans;
  #disposed = false;

  constructor(
    readonly executor: Executor,
    config: ModelConfig,
    readonly layout: Layout,
    /** Parameters that are another model's, if they are. */
    readonly borrowed?: Store,
  ) {
    this.#kept = keptPlans(executor);
    this.shape = { config, layout, params: "params", positions: 0 };
    if (borrowed) this.#stores.set("params", borrowed);
    this.coverPositions(Math.min(FIRST_POSITIONS, config.maxPositions));
    if (config.lora) this.#writeTables(config);
  }

  #writeTables(config: ModelConfig): void {
    const { words } = loraTables(config);
    const store = this.executor.createStore(LORA_STORE, words.length);
    this.executor.write(store, 0, words);
    this.#stores.set(LORA_STORE, store);
  }

  /** One of the stores with the parameters' layout, created at first use: params, grads, m, v. */
  store(name: string): Store {
    this.#checkAlive();
    let store = this.#stores.get(name);
    if (!store) {
      store = this.executor.createStore(name, this.#sizeOf(name));
      this.#stores.set(name, store);
    }
    return store;
  }

  /** Words of one of these stores. */
  #sizeOf(name: string): number {
    const { size, frozen } = this.layout;
    return TRAINING.includes(name) ? size - frozen : size;
  }

  has(name: string): boolean {
    return this.#stores.has(name);
  }

  /** A store of at least this many words, for one use and size. */
  scratch(name: string, size: number): Store {
    this.#checkAlive();
    const key = `${name} ${align(size)}`;
    const store = this.#stores.get(key) ?? this.executor.createStore(name, align(size));
    this.#stores.set(key, store);
    return store;
  }

  /**
   * The compiled plan of a key. `extra`: stores with other names than in the plan; a different
   * store means a different plan. `tokens` is the size passed to `build`, if there is one.
   * @throws EngineError "out-of-memory" before anything is allocated, if the plan and its stores do
   * not fit.
   */
  get(key: string, build: Build, extra: Bound = NONE, tokens = 0): Promise<Runnable> {
    this.#checkAlive();
    const full = [key, ...[...extra.values()].map(idOf)].join(" ");
    const known = this.#compiled.get(full);
    if (known) {
      this.#kept.touch(known);
      return known.runnable;
    }
    const plan = build(this.shape, UNLIMITED, tokens);
    const bound = Object.keys(plan.stores).map((name) => [name, extra.get(name) ?? name] as const);
    this.#checkRoom(
      plan,
      bound.flatMap(([, store]) => (typeof store === "string" ? [store] : [])),
      build,
      tokens,
    );
    const stores = bound.map(([name, store]): [string, Store] => [
      name,
      typeof store === "string" ? this.store(store) : store,
    ]);
    const runnable = this.executor.compile(plan, new Map(stores));
    const others = [...extra.values()].filter((store) => typeof store !== "string");
    const compiled = { runnable, extra: others };
    this.#compiled.set(full, compiled);
    runnable.then(
      (ready) => this.#keep(full, compiled, ready),
      () => this.#compiled.delete(full),
    );
    return runnable;
  }

  #keep(key: string, compiled: CompiledPlan, runnable: Runnable): void {
    if (this.#compiled.get(key) !== compiled) return; // dropped in the meantime
    this.#kept.add(compiled, runnable, () => {
      this.#compiled.delete(key);
      this.#discard(runnable);
    });
  }

  /** `own`: the names of the model's stores that the plan uses. */
  #checkRoom(plan: Plan, own: string[], build: Build, tokens: number): void {
    const apart = this.executor.sums !== undefined;
    const training = TRAINING.filter((name) => apart || name !== "passGrads");
    const trains = own.some((name) => TRAINING.includes(name));
    const needed = new Set([...own, ...(trains ? training : [])]);
    const missing = [...needed].filter((name) => !this.#stores.has(name));
    const sizes = missing.map((name) => [PURPOSES[name] ?? name, 4 * this.#sizeOf(name)]);
    const stores = Object.fromEntries(sizes) as Footprint;
    const why = (one: Plan) => planShortage(one, stores, this.executor);
    const found = why(plan);
    if (!found) return;
    const fits = (n: number) => !why(build(this.shape, UNLIMITED, n));
    const most = largestFitting(Math.max(0, tokens - 1), fits);
    const advice = most > 0 ? `at most ${most} tokens to a pass would fit` : "use a smaller model";
    throw tooLarge(`plan ${plan.name}`, found, advice);
  }

  /** Uploads the fields and runs. Fields that the plan lacks are ignored. */
  run(runnable: Runnable, data: InputData): void {
    this.#checkAlive(); // it may have been disposed of while a plan was compiled
    let words = this.#uploads.get(runnable);
    if (!words) {
      words = new Int32Array(runnable.plan.inputSize);
      this.#uploads.set(runnable, words);
    }
    for (const [name, { offset }] of Object.entries(runnable.plan.inputs)) {
      const field = data[name];
      if (!field) throw new Error(`plan ${runnable.plan.name} needs ${name}`);
      words.set(asWords(field), offset);
    }
    this.executor.run(runnable, words);
  }

  /** Extends the rope tables to this many positions; plans bound to smaller ones are dropped. */
  coverPositions(count: number): void {
    this.#checkAlive();
    if (count <= this.shape.positions) return;
    let positions = Math.max(16, this.shape.positions);
    while (positions < count) positions *= 2;
    const { headDim, ropeTheta } = this.shape.config;
    const { cosines, sines } = ropeTables(ropeTheta, headDim, positions);
    const size = ropeSize(headDim, positions);
    const store = this.executor.createStore("rope", size);
    this.executor.write(store, 0, cosines);
    this.executor.write(store, size / 2, sines);
    const old = this.#stores.get("rope");
    this.drop();
    if (old) this.executor.destroyStore(old);
    this.#stores.set("rope", store);
    this.shape = { ...this.shape, positions };
  }

  /** Drops the plans that use one of these stores, or all. */
  drop(stores?: readonly Store[]): void {
    for (const [key, compiled] of this.#compiled) {
      const { runnable, extra } = compiled;
      if (stores && !extra.some((store) => stores.includes(store))) continue;
      this.#compiled.delete(key);
      this.#kept.remove(compiled);
      runnable.then((r) => this.#discard(r), ignore);
    }
  }

  #discard(runnable: Runnable): void {
    this.#uploads.delete(runnable);
    runnable.dispose();
  }

  #checkAlive(): void {
    if (this.#disposed) throw new Error(DISPOSED);
  }

  dispose(): void {
    this.#disposed = true;
    this.drop();
    for (const store of this.#stores.values())
      if (store !== this.borrowed) this.executor.destroyStore(store);
    this.#stores.clear();
  }
}

const storeIds = new WeakMap<Store, string>();
let storeCount = 0;

/** Identifies stores in a key. */
function idOf(store: Store | string): string {
  if (typeof store === "string") return store;
  const id = storeIds.get(store) ?? String(++storeCount);
  storeIds.set(store, id);
  return id;
}

function asWords(data: Int32Array | Float32Array): Int32Array {
  if (data instanceof Int32Array) return data;
  return new Int32Array(data.buffer, data.byteOffset, data.length);
}

/**
 * Cosines and sines of position * theta^(-2i/d), in float64 with our own functions, then float32.
 * Both [count, d/2]. Both halves of a head rotate by the same angle.
 */
function ropeTables(theta: number, d: number, count: number) {
  const half = d / 2;
  const cosines = new Float32Array(count * half); // [count, d/2]
  const sines = new Float32Array(count * half); // [count, d/2]
  for (let i = 0; i < half; i++) {
    const frequency = exp((-2 * i * log(theta)) / d);
    for (let position = 0; position < count; position++) {
      cosines[position * half + i] = cos(position * frequency);
      sines[position * half + i] = sin(position * frequency);
    }
  }
  return { cosines, sines };
}
