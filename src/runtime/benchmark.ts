/** How fast an engine trains and decodes a model preset, within a time budget. */
import type { Engine, EngineModel, TokenRows } from "../engine/engine.ts";
import type { ModelConfig } from "../engine/modelConfig.ts";
import { initModel, presetConfig } from "../model/initModel.ts";
import { quantile } from "../numeric/statistics.ts";
import type { ModelPresetName } from "../spec/models.ts";
import type { Timing } from "./machineReport.ts";

interface BenchmarkOptions {
  /**
   * Milliseconds for this engine and model together; one step of each kind is measured even beyond
   * it.
   */
  budget: number;
  /** Tokens of a turn's query and answer. */
  query: number;
  answer: number;
  /** Milliseconds. */
  now: () => number;
  /** Awaited between steps. */
  rest: () => Promise<void>;
}

/**
 * Turns in a training step, and rows decoded in parallel: small first, larger while time remains.
 */
const TURNS = [2, 12, 44];
const ROWS = [8, 128];
/** Maximum repeats: more would not change the median much. */
const REPEATS = 5;

export async function benchmark(
  engine: Engine,
  name: ModelPresetName,
  options: BenchmarkOptions,
): Promise<Timing> {
  const config = presetConfig(name);
  const model = await engine.createModel(config, initModel(config, 1, "shared"), "shared");
  try {
    const { query, answer } = options;
    const L = query + answer;
    const train = await largest(TURNS, options, (B) => trainStep(model, turns(config, B, L)));
    const decode = await largest(ROWS, options, (B) => decodeTurn(model, B, options));
    const { bytes } = engine.memory();
    const { engine: engineName, backend } = engine.info;
    return {
      name: engineName,
      backend,
      model: name,
      bytes,
      tokens: train.size * L,
      stepMs: train.ms,
      steps: train.repeats,
      rows: decode.size,
      decodeRate: (1000 * decode.size * answer) / decode.ms,
    };
  } finally {
    model.dispose();
  }
}

interface MeasuredSize {
  size: number;
  /** Median. */
  ms: number;
  /** 0: only the first step was timed, compilation included. */
  repeats: number;
}

/** The largest size that fits in half of the budget, with its median time when warm. */
async function largest(
  sizes: readonly number[],
  { budget, now, rest }: BenchmarkOptions,
  body: (size: number) => Promise<void>,
): Promise<MeasuredSize> {
  const end = now() + budget / 2;
  let measured: MeasuredSize | null = null;
  for (const [i, size] of sizes.entries()) {
    if (measured && now() + expected(measured, size) > end) break;
    await rest();
    const cold = await timed(now, () => body(size));
    const times: number[] = [];
    while (times.length < REPEATS && now() < end) {
      await rest();
      times.push(await timed(now, () => body(size)));
      if (i < sizes.length - 1 && times.length === 2) break;
    }
    if (measured && times.length === 0) break;
    measured = { size, ms: times.length > 0 ? quantile(times, 0.5) : cold, repeats: times.length };
  }
  return measured!;
}

/** Twice: a cold step and a timed one. */
const expected = ({ size, ms }: MeasuredSize, next: number) => 2 * ms * (next / size);

async function timed(now: () => number, body: () => Promise<void>): Promise<number> {
  const begin = now();
  await body();
  return now() - begin;
}

/** B turns of L tokens, a row each. */
function turns({ vocabSize }: ModelConfig, B: number, L: number): TokenRows {
  const ids = Int32Array.from({ length: B * L }, (_, i) => (i * 7 + ((i * i) % 31)) % vocabSize); // [B, L]
  const position = Int32Array.from(ids, (_, i) => i % L); // [B, L]
  return { B, L, ids, position, segment: new Int32Array(B * L) };
}

/** One minibatch: forward, backward, gradient norm, AdamW. */
async function trainStep(model: EngineModel, rows: TokenRows): Promise<void> {
  const some = new Float32Array(rows.ids.length).fill(1e-3); // [B, L]
  await model.forward({ rows, temperature: 1, entropy: true, value: true });
  await model.backward({ rows, temperature: 1, dLogprob: some, dEntropy: some, dValue: some });
  await model.gradNorm();
  const lr = { trunk: 1e-4, valueHead: 1e-4 };
  await model.update({ lr, beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 });
}

/** One turn of B episodes: a query each, then as many sampled tokens as an answer has. */
async function decodeTurn(model: EngineModel, B: number, { query, answer }: BenchmarkOptions) {
  const rows = Array.from({ length: B }, (_, b) => b); // [B]
  const { vocabSize } = model.config;
  const prompts = rows.map((b) => Array.from({ length: query }, (_, t) => (b + 3 * t) % vocabSize));
  const key = { seed: 1, stream: "bench", iteration: 0, trajectory: rows, step: rows.map(() => 0) };
  const session = model.decode(B, query + answer);
  await session.generate({ prompts, maxNewTokens: answer, stopIds: [], temperature: 1, key });
  session.dispose();
}
