/**
 * Warm start by behaviour cloning: the negative log-likelihood of an expert's responses, AdamW, on
 * levels whose boards are not held out. Stopped early on purpose, so that reinforcement learning
 * has room to improve.
 */
import type { EngineModel } from "../engine/engine.ts";
import { permutation } from "../numeric/rng.ts";
import type { Sliced } from "../numeric/sliced.ts";
import { mean } from "../numeric/statistics.ts";
import { readingOf, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import { tokenRow, type TokenRow } from "../text/tokenRow.ts";
import { gather, maskAt, scatter } from "./columns.ts";
import { placeRows } from "./episodes.ts";
import { HELD_OUT_LEVELS } from "./levels.ts";
import type { Demonstration, OnTask, TaskFamily } from "./world.ts";

interface CloneStep {
  step: number;
  /** Mean negative log-likelihood per response token before the step. */
  loss: number;
}

/** Seeds of the levels to demonstrate; `onTask` receives the number so far. */
export function* cloneSeeds(
  { levels }: TaskFamily,
  spec: ExperimentSpec,
  onTask?: OnTask,
): Sliced<number[]> {
  yield* levels.heldOutSliced(HELD_OUT_LEVELS); // from here on, held-out boards are avoided
  return yield* levels.cloneSliced(spec.clone.levels, readingOf(spec).revision, onTask);
}

/**
 * Token rows of the expert's episodes on these levels: what the model would see and should answer;
 * `onTask` receives the number of levels tried. Several families take turns, level by level: they
 * differ in how the expert speaks. Throws InputError if no level gives a row.
 */
export function* demonstrationRows(
  families: TaskFamily | readonly TaskFamily[],
  spec: ExperimentSpec,
  seeds: readonly number[],
  onTask?: OnTask,
): Sliced<TokenRow[]> {
  const rows: TokenRow[] = [];
  const all = [families].flat();
  for (const [i, seed] of seeds.entries()) {
    const family = all[i % all.length]!;
    const demonstration = yield* family.demonstrate(seed);
    if (demonstration) rows.push(replayDemonstration(family, demonstration, spec.context));
    onTask?.(i + 1);
    yield;
  }
  if (rows.length > 0) return rows;
  throw new InputError(
    `clone.levels is ${spec.clone.levels}; the expert solves none of these levels within the environment's limits`,
  );
}

/** Plays a demonstration in its environment and converts it to a token row. */
function replayDemonstration(
  family: TaskFamily,
  { seed, responses }: Demonstration,
  context: ExperimentSpec["context"],
): TokenRow {
  const { prompter } = family.world;
  const environment = family.world.create(seed);
  let { observation, info } = environment.reset(seed);
  let before: number[] | undefined;
  const turns = responses.map((responseIds, turn) => {
    const queryIds = prompter.query(observation, info, turn, responses[turn - 1], before);
    before = queryIds;
    ({ observation, info } = environment.step(prompter.answer(responseIds, info)));
    return { queryIds, responseIds };
  });
  return tokenRow(turns, context, []);
}

/** What is cloned: the expert's episodes, and those of the first updates, if the spec has any (`clone.language`). */
export interface ClonedRows {
  rows: TokenRow[];
  language: TokenRow[];
}

/**
 * The supervised updates, one at a time, so that the caller can show progress, pause or stop.
 * `done`: updates that the model has already had.
 */
export async function* clone(
  model: EngineModel,
  { rows, language }: ClonedRows,
  spec: ExperimentSpec,
  done = 0,
): AsyncGenerator<CloneStep> {
  const { steps, batch, lr, reading = 0, language: first = 0 } = spec.clone;
  for (let step = done + 1; step <= steps; step++) {
    yield {
      step,
      loss: await cloneStep(
        model,
        step <= first
          ? drawBatch(language, batch, spec.seed, step)
          : drawBatch(rows, batch, spec.seed, step - first),
        rateAt(lr, step, steps),
        reading,
      ),
    };
  }
}

/** Rows of one update: concatenated shuffles of all rows, cut into batches. */
function drawBatch(rows: TokenRow[], batch: number, seed: number, step: number): TokenRow[] {
  const first = (step - 1) * batch;
  const orders = new Map<number, Int32Array>();
  return Array.from({ length: Math.min(batch, rows.length) }, (_, i) => {
    const epoch = Math.floor((first + i) / rows.length);
    const key = { seed, stream: "clone", iteration: epoch, trajectory: 0, step: 0 };
    const order = orders.get(epoch) ?? permutation(rows.length, key);
    orders.set(epoch, order);
    return rows[order[(first + i) % rows.length]!]!;
  });
}

/** Linear warm-up over the first tenth, then linear decay to a tenth. */
function rateAt(lr: number, step: number, steps: number): number {
  const warmup = Math.max(1, Math.round(steps / 10));
  if (step <= warmup) return (lr * step) / warmup;
  return lr * (1 - (0.9 * (step - warmup)) / Math.max(1, steps - warmup));
}

/** Indices of the tokens that an environment wrote and a model could have predicted: all but a segment's first. */
function readTokens(rows: readonly TokenRow[], L: number): Int32Array {
  const at = rows.flatMap(({ responseMask, segment }, b) =>
    responseMask.flatMap((sampled, t) =>
      sampled === 0 && t > 0 && segment[t] === segment[t - 1] ? [b * L + t] : [],
    ),
  );
  return Int32Array.from(at);
}

/** One update; returns the loss on responses before it. `reading`: weight of the loss on the rest. */
async function cloneStep(
  model: EngineModel,
  rows: TokenRow[],
  lr: number,
  reading: number,
): Promise<number> {
  const placed = placeRows(rows);
  const request = { rows: placed.rows, temperature: 1 };
  const said = placed.tokenAt;
  const read = reading > 0 ? readTokens(rows, placed.rows.L) : new Int32Array(0);
  const places = Int32Array.from([...said, ...read]);
  const { logprob } = await model.forward({ ...request, mask: maskAt(placed.rows, places) });
  const slopes = Float64Array.from(places, (_, i) =>
    i < said.length ? -1 / said.length : -reading / read.length,
  );
  const dLogprob = scatter(slopes, places, placed.rows); // [B, L]
  await model.backward({ ...request, dLogprob });
  const norm = await model.gradNorm(["trunk"]);
  if (norm > 1) model.scaleGrads(1 / (norm + 1e-6), ["trunk"]);
  await model.update({ lr: { trunk: lr }, beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 });
  return -mean(gather(logprob, said));
}
