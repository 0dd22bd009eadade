/**
 * The self-check: an engine and the referee compute a few small things, and an engine that
 * disagrees is refused. Drivers exist whose gradients are zero or wrong while everything seems to
 * run.
 */
import { isSoftware } from "./adapterWords.ts";
import { NoAnswer, SOFTWARE_TIME_LIMIT, TIME_LIMIT, within } from "./check/within.ts";
import type { Engine, EngineInfo, EngineModel } from "./engine.ts";
import { EngineError, NotFiniteError } from "./errors.ts";
import {
  CHECK_HEAD,
  CHECK_LR,
  checkConfig,
  checkParts,
  checkWeights,
  type ItemName,
  type ItemNumbers,
} from "./selfCheckModel.ts";

/** One comparison. */
export interface CheckItem {
  name: ItemName;
  /**
   * Largest deviation from the referee, see `rules`; Infinity if a number is missing or not finite.
   */
  deviation: number;
  allowed: number;
  passed: boolean;
  /** Tensor or row with the largest deviation; empty if there is only one. */
  where: string;
  /** Of the call that computed the numbers; the outputs of one call share it. */
  milliseconds: number;
}

export interface SelfCheck {
  info: EngineInfo;
  /** Name and backend of the engine it was compared with. */
  referee: string;
  passed: boolean;
  items: CheckItem[];
  /** Why the check ended early: the engine itself found its numbers not finite; null if it did not. */
  problem: string | null;
  /** Of the engine alone, without the referee. */
  milliseconds: number;
}

/**
 * absolute: the largest difference. relative: in units of the tensor's largest number, so that a
 * gradient of zero deviates by 1. step: in units of the update's step. different: how many numbers
 * are not equal.
 */
type ErrorUnit = "absolute" | "relative" | "step" | "different";

/**
 * How each item is measured, and the maximum allowed. Float32 engines that add in another order
 * reach about 1e-6, a graphics card's fast exp and division about 1e-5: the limits are well above
 * both and far below any wrong formula.
 */
const rules: Record<ItemName, { unit: ErrorUnit; allowed: number }> = {
  logprob: { unit: "absolute", allowed: 5e-4 },
  entropy: { unit: "absolute", allowed: 5e-4 },
  value: { unit: "absolute", allowed: 5e-4 },
  logits: { unit: "absolute", allowed: 5e-4 },
  "greedy tokens": { unit: "different", allowed: 0 },
  "sampled tokens": { unit: "different", allowed: 0 },
  "sampler log-prob": { unit: "absolute", allowed: 5e-4 },
  gradients: { unit: "relative", allowed: 1e-3 },
  "gradient norm": { unit: "relative", allowed: 1e-3 },
  "updated weights": { unit: "step", allowed: 1e-2 },
  "single kernels": { unit: "relative", allowed: 1e-4 },
};

interface SelfCheckOptions {
  /** Milliseconds that one part, or one single kernel, may take before the engine counts as hanging; the first ones compile. */
  timeLimit?: number;
}

/**
 * Compares an engine with the referee. The result is about numbers only: an engine that fails in
 * another way may well pass the next time.
 * @throws EngineError as the engine does; "backend-failed" if it does not answer or throws anything
 * else. If the referee fails, its error; see refereeNumbers.
 */
export async function selfCheck(
  engine: Engine,
  referee: Engine,
  { timeLimit = isSoftware(engine.info) ? SOFTWARE_TIME_LIMIT : TIME_LIMIT }: SelfCheckOptions = {},
): Promise<SelfCheck> {
  const expected = await refereeNumbers(referee);
  const begin = performance.now();
  const items: CheckItem[] = [];
  const problem = await compute(engine, timeLimit, (numbers, milliseconds, wanted = expected) => {
    for (const name of Object.keys(numbers) as ItemName[])
      items.push({ ...compare(name, numbers, wanted), milliseconds });
  });
  return {
    info: { ...engine.info },
    referee: `${referee.info.engine} on ${referee.info.backend}`,
    passed: problem === null && items.every(({ passed }) => passed),
    items,
    problem,
    milliseconds: performance.now() - begin,
  };
}

const refereed = new WeakMap<Engine, Promise<ItemNumbers>>();

/** The referee's numbers, computed once. @throws the referee's error. */
export function refereeNumbers(referee: Engine): Promise<ItemNumbers> {
  const known = refereed.get(referee) ?? computeReferee(referee);
  refereed.set(referee, known);
  known.catch(() => refereed.delete(referee));
  return known;
}

async function computeReferee(referee: Engine): Promise<ItemNumbers> {
  const model = await referee.createModel(checkConfig, checkWeights(), CHECK_HEAD);
  try {
    const all: ItemNumbers = {};
    for (const part of checkParts) Object.assign(all, await part(model));
    return all;
  } finally {
    model.dispose();
  }
}

/** For one call; `wanted` if the correct numbers are not the referee's. */
type Take = (numbers: ItemNumbers, milliseconds: number, wanted?: ItemNumbers) => void;

/** Runs the parts; returns the engine's complaint about its own numbers, or null. @throws EngineError, see selfCheck */
async function compute(engine: Engine, timeLimit: number, take: Take): Promise<string | null> {
  const creating = engine.createModel(checkConfig, checkWeights(), CHECK_HEAD);
  let latest: Promise<unknown> = creating;
  let hangs = false;
  try {
    const model = await within(timeLimit, () => creating);
    for (const part of checkParts) {
      const begin = performance.now();
      const running = part(model);
      latest = running;
      take(await within(timeLimit, () => running), performance.now() - begin);
    }
    await within(timeLimit, (answered) => {
      const kernels = singleKernels(engine, take, answered);
      latest = kernels;
      return kernels;
    });
    return null;
  } catch (error) {
    if (error instanceof NotFiniteError) return error.message;
    hangs = error instanceof NoAnswer;
    throw failureOf(error, engine.info);
  } finally {
    const gone = release(creating, latest);
    if (!hangs) await gone;
  }
}

/** Every variant of a kernel alone, if supported: the tiny model uses few of them. */
async function singleKernels(engine: Engine, take: Take, answered: () => void): Promise<void> {
  const begin = performance.now();
  const found = await engine.checkKernels?.(answered);
  if (!found) return;
  const [actual, expected] = (["actual", "expected"] as const).map((side) => {
    const arrays = [...found].map(([array, numbers]) => [array, numbers[side]] as const);
    return { "single kernels": new Map(arrays) };
  });
  take(actual!, performance.now() - begin, expected);
}

/** Frees the model's memory, which may belong to a shared device, once nothing computes with it. */
async function release(creating: Promise<EngineModel>, latest: Promise<unknown>): Promise<void> {
  await latest.catch(() => undefined);
  // A model that cannot be released has failed before: that failure is reported.
  await creating.then((model) => model.dispose()).catch(() => undefined);
}

/** Converts any error of an engine to an error of this machine. */
function failureOf(error: unknown, info: EngineInfo): EngineError {
  if (error instanceof EngineError) return error;
  const why = error instanceof Error ? error.message : String(error);
  const message = `${nameOf(info)} did not finish the self-check: ${why}; use the ${otherBackend(info)} backend`;
  return new EngineError("backend-failed", message, { cause: error });
}

function compare(
  name: ItemName,
  numbers: ItemNumbers,
  expected: ItemNumbers,
): Omit<CheckItem, "milliseconds"> {
  const { unit, allowed } = rules[name];
  let [deviation, where] = [0, ""];
  for (const [tensor, wanted] of expected[name]!) {
    const distance = distanceOf(numbers[name]?.get(tensor), wanted, unit);
    if (distance <= deviation) continue;
    [deviation, where] = [distance, tensor];
  }
  return { name, deviation, allowed, passed: deviation <= allowed, where };
}

function distanceOf(
  actual: ArrayLike<number> | undefined,
  expected: ArrayLike<number>,
  unit: ErrorUnit,
): number {
  if (actual?.length !== expected.length) return Infinity;
  let [farthest, largest, different] = [0, 0, 0];
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(actual[i]! - expected[i]!);
    if (Number.isNaN(difference)) return Infinity;
    farthest = Math.max(farthest, difference);
    largest = Math.max(largest, Math.abs(expected[i]!));
    if (difference > 0) different++;
  }
  if (unit === "different") return different;
  if (unit === "absolute") return farthest;
  return farthest / (unit === "step" ? CHECK_LR : largest);
}

const nameOf = ({ engine, backend, adapter }: EngineInfo) =>
  `the ${engine} engine on ${backend} (${adapter})`;

const otherBackend = ({ engine }: EngineInfo) => (engine === "webgpu" ? "wasm" : "cpu");

/** A failed check as the error that refuses the engine; null for a passed one. */
export function refusalOf(check: SelfCheck): EngineError | null {
  const { info, items, problem, passed, referee } = check;
  if (passed) return null;
  const found = [
    ...items.filter((item) => !item.passed).map(describeDifference),
    ...(problem === null ? [] : [`it stopped with: ${problem}`]),
  ];
  return new EngineError(
    "wrong-numbers",
    `${nameOf(info)} failed the self-check against ${referee}: ${found.join(", ")}; ` +
      `use the ${otherBackend(info)} backend`,
  );
}

function describeDifference({ name, deviation, allowed, where }: CheckItem): string {
  const place = where === "" ? name : `${name} (${where})`;
  if (rules[name].unit === "different") return `${place}: ${deviation} differ`;
  if (deviation === Infinity) return `${place} are not finite`;
  return `${place} off by ${deviation.toPrecision(2)}, ${allowed} allowed`;
}
