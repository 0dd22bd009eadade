/** The memory needs of a model, its training and its decoding, known before anything is allocated; a model that does not fit is refused. */
import type { ReadingUse, ValueHead } from "../engine.ts";
import { EngineError } from "../errors.ts";
import type { ModelConfig } from "../modelConfig.ts";
import { sizeBucket } from "./batches.ts";
import {
  cacheSize,
  drawnSize,
  legalSize,
  prefillPlan,
  stateSize,
  stepPlan,
  type CacheShape,
} from "./decode.ts";
import type { Executor } from "./executor.ts";
import { layoutOf, type ModelShape } from "./layout.ts";
import { PER_WORD } from "./ops/view.ts";
import { largestView, planBytes, UNLIMITED, type Plan } from "./planner.ts";
import { backwardPlan, forwardPlan, ropeSize, type PassShape } from "./plans.ts";

/** Bytes by purpose. */
export type Footprint = Readonly<Record<string, number>>;

/** Positions covered by the initial rope tables. */
export const FIRST_POSITIONS = 512;

/** Bytes of a decode session's stores. */
export function cacheFootprint(config: ModelConfig, shape: CacheShape): Footprint {
  const { B, C } = shape;
  const words = {
    cache: cacheSize({ config }, shape),
    state: stateSize(B),
    drawn: drawnSize({ B, C }),
    legal: legalSize(B, config.vocabSize),
  };
  return Object.fromEntries(Object.entries(words).map(([name, size]) => [name, 4 * size]));
}

/** Bytes of the stores that every model has. */
function modelFootprint(config: ModelConfig, valueHead: ValueHead): Footprint {
  const positions = Math.min(FIRST_POSITIONS, config.maxPositions);
  return {
    parameters: 4 * layoutOf(config, valueHead).size,
    "rope tables": 4 * ropeSize(config.headDim, positions),
  };
}

/**
 * All of it: a model, with `pass` its training by backward passes of that shape, with `cache` a
 * decode session. `apart`: whether passes keep their gradients separate (Executor.sums).
 */
export function footprint(
  config: ModelConfig,
  valueHead: ValueHead,
  pass: PassShape | null,
  cache: CacheShape | null,
  apart = false,
): Footprint {
  const layout = layoutOf(config, valueHead);
  const bytes = 4 * (layout.size - layout.frozen); // of what is trained
  const shape: ModelShape = { config, layout, params: "params", positions: FIRST_POSITIONS };
  const training = (of: PassShape): Footprint => ({
    gradients: bytes,
    ...(apart && { "a pass's gradients": bytes }),
    "first moments": bytes,
    "second moments": bytes,
    "working memory": planBytes(backwardPlan(shape, of, valueHead, undefined, UNLIMITED)),
  });
  return {
    ...modelFootprint(config, valueHead),
    ...(pass && training(pass)),
    ...(cache && cacheFootprint(config, cache)),
  };
}

export const sumBytes = (bytes: Footprint): number =>
  Object.values(bytes).reduce((sum, one) => sum + one, 0);

type EngineLimits = Executor["limits"];

/** Why one of the needs is too large for a single store; null if none is. */
function tooLong(needs: Footprint, { storeBytes }: EngineLimits): string | null {
  const one = Object.entries(needs).find(([, bytes]) => bytes > storeBytes);
  return one ? `${one[0]}: ${one[1]} bytes needed in one piece, ${storeBytes} allowed` : null;
}

/** Why the needs are too much in addition to `held` bytes; null if they are not. */
function tooMuch(
  needs: Footprint,
  { totalBytes = Infinity }: EngineLimits,
  held: number,
): string | null {
  const sum = sumBytes(needs);
  if (held + sum <= totalBytes) return null;
  const list = Object.keys(needs).join(", ");
  return `${list}: ${sum} bytes needed beside ${held} in use, ${totalBytes} allowed in all`;
}

/** Why new stores do not fit in addition to `held` bytes; null if they do. */
export function shortage(needs: Footprint, limits: EngineLimits, held: number): string | null {
  return tooLong(needs, limits) ?? tooMuch(needs, limits, held);
}

/** Why a plan and its stores do not fit; null if they do. */
export function planShortage(plan: Plan, stores: Footprint, executor: Executor): string | null {
  const { limits, working = 0 } = executor;
  const view = 4 * largestView(plan);
  if (view > limits.viewBytes)
    return `one array: ${view} bytes needed, ${limits.viewBytes} allowed`;
  const arena = { "working memory": 4 * plan.arenaSize };
  // The plans' shared memory exists already, or is replaced by a larger one.
  const shared = { "working memory": Math.max(working, planBytes(plan)) };
  return (
    tooLong({ ...stores, ...arena }, limits) ??
    tooMuch({ ...stores, ...shared }, limits, executor.memory().bytes - working)
  );
}

/** The largest integer up to `most` that fits, 0 for none; assumes that smaller ones fit too. */
export function largestFitting(most: number, fits: (n: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How the passes of a model's training are cut. */
export interface PassCut {
  /** Maximum tokens of a pass. */
  tokens: number;
  /** Whether a backward runs layers again, for a third more work and a fraction of the memory. */
  recomputes: boolean;
}

/** Tokens that keep a device busy: with fewer, memory is taken or layers are computed again. */
const ENOUGH = 512;

/**
 * The largest passes for which training needs no more than `passBytes` of working memory; if they are too small to keep a device
 * busy, those within `mostPassBytes`, and then with layers computed again. Depends only on the model and the executor's constants,
 * so that passes, and so sums, are the same on every machine with these.
 */
export function passCutOf(
  config: ModelConfig,
  valueHead: ValueHead,
  { tokensPerPass, passBytes = Infinity, mostPassBytes = passBytes }: Executor["tuning"],
): PassCut {
  const layout = layoutOf(config, valueHead);
  const shape: ModelShape = { config, layout, params: "params", positions: FIRST_POSITIONS };
  const reference = { ...shape, params: "referenceParams" };
  const most = (bytes: number, recomputes: boolean): PassCut => {
    const fits = (R: number) => {
      const pass = { R, M: R, value: valueHead !== "none", recomputes };
      return 4 * backwardPlan(shape, pass, valueHead, reference, UNLIMITED).arenaSize <= bytes;
    };
    if (bytes === Infinity || fits(tokensPerPass)) return { tokens: tokensPerPass, recomputes };
    const steps = largestFitting(Math.floor(tokensPerPass / 16), (n) => fits(sizeBucket(16 * n)));
    return { tokens: sizeBucket(16 * Math.max(1, steps)), recomputes };
  };
  const enough = Math.min(ENOUGH, tokensPerPass);
  const first = most(passBytes, false);
  if (first.tokens >= enough) return first;
  const second = mostPassBytes > passBytes ? most(mostPassBytes, false) : first;
  return second.tokens >= enough ? second : most(mostPassBytes, true);
}

/**
 * Bytes of a model and of what reads it: a forward pass with raw logits of at most `tokens` tokens, or, for text, a cache of one
 * row of so many, and the passes that sample and score it.
 * @throws EngineError "out-of-memory" with what would fit
 */
export function readingFootprint(
  executor: Executor,
  config: ModelConfig,
  valueHead: ValueHead,
  tokens: number,
  use: ReadingUse = "logits",
): Footprint {
  checkModel(executor, config, valueHead);
  const layout = layoutOf(config, valueHead);
  const shape: ModelShape = { config, layout, params: "params", positions: FIRST_POSITIONS };
  const model = modelFootprint(config, valueHead);
  const needsOf = (n: number): Footprint =>
    use === "text" ? { ...model, cache: sumBytes(cacheFootprint(config, rowOf(n))) } : model;
  const scored = use === "text" ? passCutOf(config, valueHead, executor.tuning).tokens : 0;
  const plans = (n: number) =>
    use === "text"
      ? textPlans(shape, n, executor.tuning.tokensPerPass, scored)
      : [logitsPlan(shape, n)];
  const why = (n: number) =>
    plans(n)
      .map((plan) => planShortage(plan, needsOf(n), executor))
      .find((one) => one !== null);
  const found = why(tokens);
  if (found) {
    const most = largestFitting(tokens - 1, (n) => !why(n));
    const advice = most > 0 ? `at most ${most} tokens would fit` : "use a smaller model";
    throw tooLarge(`a row of ${tokens} tokens`, found, advice);
  }
  const working = plans(tokens).map(planBytes);
  return { ...needsOf(tokens), "working memory": working.reduce((a, b) => Math.max(a, b)) };
}

const rowOf = (tokens: number): CacheShape => ({ B: 1, C: sizeBucket(tokens) });

function logitsPlan(m: ModelShape, tokens: number): Plan {
  const R = sizeBucket(tokens);
  const pass = { R, M: R, value: false, logits: !m.config.critic };
  return forwardPlan(m, pass, undefined, UNLIMITED);
}

/** What feeds a row of `tokens`, `fed` at a time, samples after it, and scores it, `scored` at a time. */
function textPlans(m: ModelShape, tokens: number, fed: number, scored: number): Plan[] {
  const cache = rowOf(tokens);
  const R = sizeBucket(Math.min(tokens, scored));
  return [
    prefillPlan(m, cache, sizeBucket(Math.min(tokens, fed)), UNLIMITED),
    stepPlan(m, cache, 1, { value: false, legal: false }, UNLIMITED),
    forwardPlan(m, { R, M: R, value: false }, undefined, UNLIMITED),
  ];
}

/** The error: who needs what, what is allowed, and what would fit. */
export function tooLarge(who: string, why: string, fits: string): EngineError {
  return new EngineError("out-of-memory", `${who} does not fit: ${why}; ${fits}`);
}

/** @throws EngineError "out-of-memory" if not even the model's parameters fit. */
export function checkModel(executor: Executor, config: ModelConfig, valueHead: ValueHead): void {
  const { limits } = executor;
  const needs = modelFootprint(config, valueHead);
  const held = executor.memory().bytes;
  const why = shortage(needs, limits, held);
  if (!why) return;
  const left = (limits.totalBytes ?? Infinity) - held - needs["rope tables"]!;
  const bytes = 4 / (config.packed ? PER_WORD[config.packed] : 1);
  const most = Math.max(0, Math.floor(Math.min(left, limits.storeBytes) / bytes));
  throw tooLarge("the model", why, `at most ${most} parameters would fit`);
}
