/** Shared by the compiled engines' tests: a little language to learn, a loss curve on it, sampled rows. */
import type { Engine, EngineModel, TokenRows } from "../../src/engine/engine.ts";
import { nano, nanoWeights } from "./support.ts";

/** The next token follows from the last by one of two rules. */
export function language(step: number): TokenRows {
  const [B, L] = [6, 20];
  const ids = new Int32Array(B * L);
  for (let b = 0; b < B; b++) {
    ids[b * L] = (step * 7 + b * 11) % 50;
    for (let t = 1; t < L; t++) ids[b * L + t] = (ids[b * L + t - 1]! * (b % 2 ? 3 : 7) + 1) % 50;
  }
  const position = Int32Array.from(ids, (_, i) => i % L);
  return { B, L, ids, position, segment: new Int32Array(B * L) };
}

/** Losses before each of that many clipped AdamW steps. */
export async function lossCurve(engine: Engine, steps: number): Promise<number[]> {
  const model = await engine.createModel(nano, nanoWeights(4), "none");
  const losses: number[] = [];
  for (let step = 0; step < steps; step++) {
    const rows = language(step);
    const count = rows.B * (rows.L - 1);
    const { logprob } = await model.forward({ rows, temperature: 1 });
    losses.push(-logprob.reduce((a, b) => a + b, 0) / count);
    const dLogprob = new Float32Array(rows.ids.length).fill(-1 / count);
    await model.backward({ rows, temperature: 1, dLogprob });
    model.scaleGrads(Math.min(1, 1 / (await model.gradNorm())));
    const adam = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 };
    await model.update({ lr: { trunk: 1e-3 }, ...adam });
  }
  model.dispose();
  return losses;
}

/** Up to that many tokens after each prompt; trajectories count from `first`. */
export async function sampleRows(
  model: EngineModel,
  prompts: number[][],
  first: number,
  maxNewTokens = 12,
) {
  const session = model.decode(prompts.length, 64);
  const key = {
    ...{ seed: 9, stream: "test", iteration: 1, step: prompts.map(() => 0) },
    trajectory: prompts.map((_, b) => first + b),
  };
  const rule = { maxNewTokens, stopIds: [1, 2, 3], temperature: 1.3 };
  const out = await session.generate({ prompts, key, ...rule });
  session.dispose();
  return out;
}

/** The log-probs that the full forward gives the rows that `sampleRows` drew. [B][*] */
export async function fullLogprobs(
  model: EngineModel,
  prompts: number[][],
  ids: number[][],
): Promise<number[][]> {
  const whole = prompts.map((prompt, b) => [...prompt, ...ids[b]!]);
  const [B, L] = [whole.length, Math.max(...whole.map((row) => row.length))];
  const flat = (f: (b: number, t: number) => number) =>
    Int32Array.from({ length: B * L }, (_, i) => f(Math.floor(i / L), i % L)); // [B, L]
  const rows: TokenRows = {
    ...{ B, L, ids: flat((b, t) => whole[b]![t] ?? 0), position: flat((_, t) => t) },
    segment: flat((b, t) => (t < whole[b]!.length ? 0 : -1)),
  };
  const { logprob } = await model.forward({ rows, temperature: 1.3 });
  return prompts.map((prompt, b) => ids[b]!.map((_, i) => logprob[b * L + prompt.length + i]!));
}

/** One of everything that a training loop does. */
export async function everyStep(model: EngineModel): Promise<void> {
  const rows = language(1);
  const d = new Float32Array(rows.ids.length).fill(0.01);
  await model.forward({ rows, temperature: 1, entropy: true, value: true });
  await model.backward({ rows, temperature: 1, dLogprob: d, dEntropy: d, dValue: d });
  await model.gradNorm();
  const lr = { trunk: 1e-3, valueHead: 1e-3 };
  await model.update({ lr, beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0 });
  const session = model.decode(2, 30);
  const key = { seed: 1, stream: "t", iteration: 0, trajectory: [0, 1], step: [0, 0] };
  const prompts = [[4, 5], [6]];
  await session.generate({ prompts, maxNewTokens: 5, stopIds: [], temperature: 1, key });
  session.dispose();
}
