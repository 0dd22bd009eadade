/**
 * The computation of a self-check: a tiny Qwen3 with everything the presets' models have
 * (grouped-query heads, QK-norm, tied embeddings, a value head) on rows with turn segments and
 * padding. Small sizes, and the presets' head size, so that a WebGPU engine compiles few pipelines,
 * and only ones it will need anyway.
 */
import { normals } from "../numeric/rng.ts";
import type { EngineModel, GenerateRequest, TokenRows, WeightMap } from "./engine.ts";
import type { ModelConfig } from "./modelConfig.ts";
import { parameterShapes } from "./parameters.ts";

export const checkConfig: ModelConfig = {
  family: "qwen3",
  vocabSize: 40,
  hiddenSize: 32,
  layers: 2,
  heads: 2,
  kvHeads: 1,
  headDim: 16,
  intermediateSize: 48,
  ropeTheta: 10000,
  rmsNormEps: 1e-6,
  tieWordEmbeddings: true,
  attentionBias: false,
  maxPositions: 64,
};

export const CHECK_HEAD = "shared";

/** Larger than usual initial weights, so that attention and heads have a visible effect. */
export function checkWeights(): WeightMap {
  const weights: WeightMap = new Map();
  for (const [name, shape] of parameterShapes(checkConfig, CHECK_HEAD)) {
    const size = shape.reduce((a, b) => a * b, 1);
    const key = { seed: 1, stream: `check ${name}`, iteration: 0, trajectory: 0, step: 0 };
    const middle = name.endsWith("norm.weight") ? 1 : 0;
    weights.set(name, {
      shape,
      data: Float32Array.from(normals(key, size), (x) => middle + 0.2 * x),
    });
  }
  return weights;
}

/** Segment of each token of the two rows: three turns, two turns, padding at both ends. [B][L] */
const SEGMENTS = ["00000001111111112222222", "--000000000001111111---"];

/** B 2, L 23 */
function checkRows(): TokenRows {
  const [B, L] = [SEGMENTS.length, SEGMENTS[0]!.length];
  const segment = Int32Array.from(SEGMENTS.join(""), (c) => (c === "-" ? -1 : Number(c))); // [B, L]
  const position = new Int32Array(B * L); // [B, L]
  for (let i = 1; i < B * L; i++)
    position[i] = i % L > 0 && segment[i] === segment[i - 1] ? position[i - 1]! + 1 : 0;
  const ids = Int32Array.from(segment, (_, i) => (i * 17 + i * i) % checkConfig.vocabSize); // [B, L]
  return { B, L, ids, position, segment };
}

/** Numbers to compare, by item and then by name of the array. */
export type ItemNumbers = Partial<Record<ItemName, Map<string, ArrayLike<number>>>>;

export type ItemName =
  | "logprob"
  | "entropy"
  | "value"
  | "logits"
  | "greedy tokens"
  | "sampled tokens"
  | "sampler log-prob"
  | "gradients"
  | "gradient norm"
  | "updated weights"
  | "single kernels";

/** Size of the update's step: the approximate maximum change of a weight. */
export const CHECK_LR = 0.05;

/** The parts of the check, in order; each adds its numbers. The last one changes the weights. */
export const checkParts: ((model: EngineModel) => Promise<ItemNumbers>)[] = [
  forward,
  decode,
  gradients,
  update,
];

async function forward(model: EngineModel): Promise<ItemNumbers> {
  const request = { rows: checkRows(), temperature: 0.9, entropy: true, value: true, logits: true };
  const { logprob, entropy, value, logits } = await model.forward(request);
  const one = (data?: Float32Array) => new Map([["", data ?? []]]);
  return { logprob: one(logprob), entropy: one(entropy), value: one(value), logits: one(logits) };
}

/** Two turns of two rows of one session: greedy, then sampled from the nucleus. */
async function decode(model: EngineModel): Promise<ItemNumbers> {
  const session = model.decode(2, 32);
  try {
    const [greedy, sampled] = [await session.generate(GREEDY), await session.generate(SAMPLED)];
    const rows = (lists: number[][]) => new Map(lists.map((list, row) => [`row ${row}`, list]));
    return {
      "greedy tokens": rows(greedy.ids),
      "sampled tokens": rows(sampled.ids),
      "sampler log-prob": rows([...greedy.logprobs, ...sampled.logprobs]),
    };
  } finally {
    session.dispose();
  }
}

const TURN = {
  maxNewTokens: 4,
  stopIds: [],
  key: { seed: 7, stream: "check", iteration: 1, trajectory: [0, 1], step: [0, 0] },
};

const GREEDY: GenerateRequest = {
  ...TURN,
  prompts: [
    [3, 1, 4, 1, 5, 9],
    [2, 6],
  ],
  temperature: 0,
};

const SAMPLED: GenerateRequest = {
  ...TURN,
  prompts: [
    [7, 8],
    [5, 3, 5, 8, 9],
  ],
  temperature: 0.9,
  topP: 0.95,
  legal: [null, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]],
};

/** A gradient through all outputs at once, added to half of itself. */
async function gradients(model: EngineModel): Promise<ItemNumbers> {
  const rows = checkRows();
  const wave = (period: number) =>
    Float32Array.from(rows.segment, (s, i) => (s < 0 ? 0 : ((i * 7) % period) / period - 0.5)); // [B, L]
  const [dLogprob, dEntropy, dValue] = [wave(11), wave(13), wave(17)];
  const request = { rows, temperature: 0.9, dLogprob, dEntropy, dValue };
  await model.backward(request);
  model.scaleGrads(0.5);
  await model.backward(request);
  return {
    gradients: dataOf(await model.readGrads()),
    "gradient norm": new Map([["", [await model.gradNorm()]]]),
  };
}

/**
 * One AdamW step with halved gradients. The large eps makes the step smooth in them: otherwise the
 * sign of a tiny gradient would decide.
 */
async function update(model: EngineModel): Promise<ItemNumbers> {
  model.scaleGrads(0.5);
  const lr = { trunk: CHECK_LR, valueHead: CHECK_LR };
  await model.update({ lr, beta1: 0.9, beta2: 0.99, eps: 0.1, weightDecay: 0.1 });
  return { "updated weights": dataOf(await model.readWeights()) };
}

function dataOf(weights: WeightMap): Map<string, Float32Array> {
  return new Map([...weights].map(([name, { data }]) => [name, data]));
}
