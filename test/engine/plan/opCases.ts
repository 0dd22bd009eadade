/** Instances of every operation, odd sizes and edges included. */
import { kernelCases } from "../../../src/engine/check/kernelCases.ts";
import { WRITES } from "../../../src/engine/plan/ops.ts";
import {
  adamwCase,
  attentionBackwardCase,
  attentionCase,
  cachedCase,
  embedCase,
  embedGradCase,
  gatherCase,
  headGradCase,
  headStatsCase,
  matmulCase,
  normBackwardCase,
  normBackwardOfKept,
  normCase,
  ODD,
  opCase,
  reduceCase,
  ropeBackwardCase,
  ropeCase,
  sampleCase,
  scaleCase,
  scatterCase,
  SMALL,
  squaresCase,
  swigluBackwardCase,
  swigluCase,
  valueBackwardCase,
  valueCase,
  WIDE,
  type Chunk,
  type Heads,
  type Make,
  type OpCase,
} from "../../../src/engine/check/opMakers.ts";
import type { Packing } from "../../../src/engine/modelConfig.ts";

const only = { v0: 0, first: true, last: true };
const next: Chunk = { M: 6, n: 30, v0: 64, first: false, last: true };

/** Shared by two threads, whose parts are an odd number of vectors, and by as many as ever share one. */
const FORTY: Heads = { H: 2, K: 1, d: 40 };
const HUGE: Heads = { H: 2, K: 2, d: 256 };

const makers: Record<string, Make> = {
  embed: embedCase(5, 7, 5),
  embedGrad: embedGradCase(9, 6, 7),
  norm: normCase(5, 19),
  "norm, one number": normCase(1, 1),
  "norm, wide": normCase(70, 128),
  normBackward: normBackwardCase(131, 21, true),
  "normBackward, overwriting": normBackwardCase(3, 64, false),
  "normBackward, kept rows": normBackwardOfKept([5, 0, 17, 1, 0], 21),
  reducePartials: reduceCase(2, 3, 5, 4),
  "reducePartials of many": reduceCase(2, 11, 5, 4),
  "matmul NT": matmulCase("NT", 13, 21, 37, { bias: true, add: "other" }),
  "matmul NT, deep": matmulCase("NT", 6, 9, 1100, { bias: true, add: "out" }),
  "matmul NT, tall": matmulCase("NT", 530, 24, 16),
  "matmul NT, one": matmulCase("NT", 1, 1, 1, { add: "out" }),
  "matmul NT, largest tiles in stages": matmulCase("NT", 2060, 1028, 36),
  "matmul NN": matmulCase("NN", 12, 19, 23, { add: "out" }),
  "matmul NN, deep": matmulCase("NN", 5, 16, 520),
  "matmul TN": matmulCase("TN", 11, 17, 530, { add: "out" }),
  "matmul TN, even": matmulCase("TN", 32, 64, 48),
  "matmul with norm": matmulCase("NT", 5, 14, 27, { prologue: "norm", bias: true }),
  "matmul with norm, narrow": matmulCase("NT", 37, 7, 19, { prologue: "norm", bias: true }),
  "matmul with swiglu": matmulCase("NT", 7, 16, 22, { prologue: "swiglu", add: "other" }),
  "rope, in place": ropeCase(7, WIDE, false, false),
  "rope with norms": ropeCase(5, ODD, true, false),
  "rope into a cache": ropeCase(9, SMALL, false, true),
  "rope with norms into a cache": ropeCase(6, WIDE, true, true),
  ropeBackward: ropeBackwardCase(67, WIDE, false, true),
  "ropeBackward with norms": ropeBackwardCase(130, ODD, true, false),
  "ropeBackward with both": ropeBackwardCase(4, SMALL, true, true),
  attention: attentionCase([1, 7, 20, 1, 33], WIDE),
  "attention, small heads": attentionCase([5, 2, 8], SMALL),
  "attention, odd heads": attentionCase([13], ODD),
  attentionBackward: attentionBackwardCase([1, 6, 19, 1, 26], WIDE),
  "attentionBackward, small heads": attentionBackwardCase([5, 1, 9], SMALL),
  "attentionBackward, odd heads": attentionBackwardCase([12], ODD),
  cachedAttention: cachedCase(11, WIDE),
  "cachedAttention, small heads": cachedCase(5, SMALL),
  swiglu: swigluCase(3, 13),
  swigluBackward: swigluBackwardCase(3, 13),
  gatherRows: gatherCase(6, 8, 5),
  scatterRows: scatterCase(5, 5),
  headStats: headStatsCase({ M: 5, n: 37, ...only }, false),
  "headStats, first chunk of more": headStatsCase({ M: 5, n: 37, ...only, last: false }, false),
  "headStats, first of more, reference": headStatsCase({ M: 3, n: 64, ...only, last: false }, true),
  "headStats, chunk in the middle": headStatsCase({ ...next, last: false }, true),
  "headStats, next chunk": headStatsCase(next, false),
  "headStats, next chunk, reference": headStatsCase(next, true),
  "headStats, one word": headStatsCase({ M: 2, n: 1, ...only }, true),
  headGrad: headGradCase(6, 35, 0, false),
  "headGrad, next chunk": headGradCase(5, 23, 128, false),
  "headGrad, next chunk, reference": headGradCase(3, 18, 64, true),
  value: valueCase(5, 23),
  valueBackward: valueBackwardCase(9, 18, null),
  "valueBackward, shared": valueBackwardCase(6, 32, true),
  "valueBackward, shared, first": valueBackwardCase(1, 5, false),
  sumSquares: squaresCase(9000),
  scale: scaleCase(70),
  "scale by zero": (m) => ({
    op: "scale",
    ...{ x: m.put("x", Float32Array.of(1, NaN, Infinity, -2)) },
    ...{ factor: m.put("factor", Float32Array.of(0)), size: 4 },
  }),
  adamw: adamwCase(128),
  "sample, greedy": sampleCase({ temperature: 0 }),
  "sample, all": sampleCase({ temperature: 1.5 }),
  "sample, top k": sampleCase({ temperature: 1, topK: 5 }),
  "sample, nucleus": sampleCase({ temperature: 2, topP: 0.7 }),
  "sample, both": sampleCase({ temperature: 1, topK: 9, topP: 0.8 }, 77),
  "sample, legal": sampleCase({ temperature: 1.5, legal: true }, 77),
  "sample, greedy and legal": sampleCase({ temperature: 0, legal: true }),
  "sample, legal and cut": sampleCase({ temperature: 2, topK: 6, topP: 0.9, legal: true }, 77),
  "attention, heads of 40": attentionCase([3, 30, 9], FORTY),
  "attention, heads of 256": attentionCase([2, 23], HUGE),
  "attentionBackward, heads of 40": attentionBackwardCase([3, 30, 9], FORTY),
  "attentionBackward, heads of 256": attentionBackwardCase([2, 23], HUGE),
  "matmul NT, few rows": matmulCase("NT", 5, 72, 68, { bias: true, add: "other" }),
  "matmul TN, one row": matmulCase("TN", 1, 20, 70, { add: "out" }),
};

/** Keys that a cache has room for, and the one among them whose score is another. */
const KEYS = 150;
const FAR_KEY = 50;

/**
 * More keys than lanes, with scores that are whole numbers about -140, but for one of -48 in a late lane: only the true maximum may
 * be taken off before exp().
 */
const farScores: Make = (m) => {
  const op = cachedCase(11, WIDE, KEYS)(m);
  const isFar = (i: number) => Math.floor(i / WIDE.d) % KEYS === FAR_KEY;
  const key = (i: number) => (isFar(i) ? -1 : -2 - (((i * i) % 7) % 3));
  m.data["qkv"] = Float32Array.from(m.data["qkv"]!, (_, i) => 1 + (i % 2));
  m.data["keys"] = Float32Array.from(m.data["keys"]!, (_, i) => key(i));
  m.data["position"] = Int32Array.from(m.data["position"]!, (_, r) => (r * 29) % KEYS);
  return { ...op, scale: 1 } as typeof op;
};

/** Few different logits, so that cuts fall among equal ones. */
const ties =
  (rule: Parameters<typeof sampleCase>[0]): Make =>
  (m) => {
    const op = sampleCase(rule, 77)(m);
    m.data["logits"] = Float32Array.from(m.data["logits"]!, (z) => Math.round(z / 2));
    return op;
  };

/** Each was added because a kernel without one of its barriers or bounds passed all the others. */
const makersForMutants: Record<string, Make> = {
  "matmul NN, edges": matmulCase("NN", 11, 18, 21),
  "matmul TN, edges": matmulCase("TN", 11, 18, 22),
  "ropeBackward with norms, 16 lanes": ropeBackwardCase(9, WIDE, true, false),
  "ropeBackward with norms, heads too large to share": ropeBackwardCase(
    67,
    { H: 1, K: 1, d: 256 },
    true,
    false,
  ),
  "cachedAttention, far scores": farScores,
  "sample, ties, top k": ties({ temperature: 1, topK: 23 }),
  "sample, ties, nucleus": ties({ temperature: 2, topP: 0.55 }),
  "sample, greedy among many": sampleCase({ temperature: 0, legal: true }, 200),
};

/** What kernels without a barrier or a bound are given first. */
export const mutantCases: readonly OpCase[] = Object.entries(makersForMutants).map(
  ([name, make], i) => opCase(name, make, 3000 + i),
);

/** M, N, K of products with adapters: those of few columns make x A^T, the others add to a whole result. */
const ADAPTED = {
  "few rows": [8, 72, 68],
  "few rows, shallow": [8, 72, 20],
  "few tiles": [44, 76, 108],
  "small tiles": [332, 300, 52],
  "large tiles": [708, 452, 20],
  "few columns": [44, 8, 68],
  "few columns, shallow": [44, 8, 20],
} as const;

const adapted = (
  layout: "NT" | "NN" | "TN",
  extra: NonNullable<Parameters<typeof matmulCase>[4]> = {},
): [string, Make][] =>
  Object.entries(ADAPTED).map(([name, [M, N, K]]) => [
    `matmul ${layout} ${Object.values(extra).join(" ")} of adapters, ${name}`,
    matmulCase(layout, M, N, K, extra),
  ]);

/** What models with adapters run besides. */
const makersForAdapters: [string, Make][] = [
  ...adapted("NT", { add: "out" }),
  ...adapted("NT", { prologue: "norm" }),
  ...adapted("NT", { prologue: "swiglu" }),
  ...adapted("NT").slice(-2),
  ...adapted("NN", { add: "out" }),
  ...adapted("NN").slice(-2),
  ...adapted("TN", { add: "out" }),
  ...adapted("TN"),
  ...(["NT", "NN"] as const).map((layout): [string, Make] => [
    `matmul ${layout} out of adapters, largest tiles`,
    matmulCase(layout, 2060, 1028, 4, { add: "out" }),
  ]),
];

/** Packed weights in each class of tiles, with rows that no vector fits, and in a decode step. */
const packedProducts = (packed: Packing): [string, Make][] => [
  ...(["NT", "NN"] as const).flatMap((layout) =>
    [...Object.entries(ADAPTED), ["largest tiles", [2060, 1028, 4]] as const].map(
      ([name, [M, N, K]]): [string, Make] => [
        `matmul ${layout} of packed, ${name}, ${packed}`,
        matmulCase(layout, M, N, K, { packed }),
      ],
    ),
  ),
  [`matmul NT of packed, guarded, ${packed}`, matmulCase("NT", 13, 21, 36, { packed, bias: true })],
  [`matmul NN of packed, guarded, ${packed}`, matmulCase("NN", 13, 24, 37, { packed, add: "out" })],
  ...(["norm", "swiglu"] as const).map((prologue): [string, Make] => [
    `matmul NT of packed, few rows, ${prologue}, ${packed}`,
    matmulCase("NT", 5, 72, 68, { packed, prologue }),
  ]),
  [`embed of packed, ${packed}`, embedCase(5, 8, 5, packed)],
];

const makersForPacked = (["bf16", "int8"] as const).flatMap(packedProducts);

const packedCases: readonly OpCase[] = makersForPacked.map(([name, make], i) =>
  opCase(name, make, 7000 + i),
);

const adapterCases: readonly OpCase[] = makersForAdapters.map(([name, make], i) =>
  opCase(name, make, 5000 + i),
);

export const opCases: OpCase[] = [
  ...Object.entries(makers).map(([name, make], i) => opCase(name, make, i + 1)),
  ...kernelCases(),
  ...mutantCases,
  ...adapterCases,
  ...packedCases,
];

/** Operations that no case covers. */
export function uncovered(): string[] {
  const covered = new Set<string>(opCases.map(({ op }) => op.op));
  return Object.keys(WRITES).filter((name) => !covered.has(name));
}

export type { OpCase } from "../../../src/engine/check/opMakers.ts";
