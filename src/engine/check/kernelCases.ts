/**
 * One operation for every variant of a kernel that is used by the presets' models or published ones
 * but not by the tiny model of the self-check: tile classes of products, large heads, items of 64
 * lanes. test/engine/webgpu/variants.test.ts finds the variants and checks that none is missing
 * here.
 */
import {
  attentionBackwardCase,
  attentionCase,
  headGradCase,
  headStatsCase,
  matmulCase,
  normBackwardCase,
  normBackwardOfKept,
  normCase,
  opCase,
  cachedCase,
  ropeBackwardCase,
  ropeCase,
  valueBackwardCase,
  valueCase,
  type Heads,
  type Make,
  type OpCase,
} from "./opMakers.ts";

/** M, N, K that select each class of tiles, with edges that are not multiples of a tile. */
const SHAPES = {
  "few rows": [5, 72, 68],
  "few rows, shallow": [5, 72, 20],
  "few tiles": [44, 76, 108],
  "small tiles": [332, 300, 52],
  "large tiles": [708, 452, 20],
  "largest tiles": [2060, 1028, 4],
  /** A depth that is not a multiple of a slice. */
  slices: [72, 84, 532],
} as const;

type ShapeName = keyof typeof SHAPES;

/** Shapes for every layout. */
const ALL: ShapeName[] = [
  "few rows",
  "few rows, shallow",
  "few tiles",
  "small tiles",
  "large tiles",
  "largest tiles",
];
/** Shapes of a decode step's rows. */
const STEPS: ShapeName[] = ["few rows", "few tiles", "small tiles"];
/** Additionally in wide layers. */
const WIDE_STEPS: ShapeName[] = ["large tiles"];

type Extra = NonNullable<Parameters<typeof matmulCase>[4]>;

const products = (layout: "NT" | "NN" | "TN", shapes: ShapeName[], words: string, extra: Extra) =>
  shapes.map((name): [string, Make] => {
    const [M, N, K] = SHAPES[name];
    return [`matmul ${layout}${words}, ${name}`, matmulCase(layout, M, N, K, extra)];
  });

/** The presets' heads. */
const HEADS: Heads = { H: 4, K: 2, d: 16 };
/** Heads of published models, which several threads share. */
const large = (d: number): Heads => ({ H: 2, K: 1, d });
const chunk = { M: 5, n: 72, v0: 0, first: true, last: true };

const others: [string, Make][] = [
  ["norm, 64 lanes", normCase(5, 68)],
  ["norm that keeps nothing", normCase(5, 68, false)],
  ["normBackward, 64 lanes", normBackwardCase(70, 68, true)],
  ["normBackward, 64 lanes, overwriting", normBackwardCase(70, 68, false)],
  ["normBackward of kept rows, 64 lanes", normBackwardOfKept([5, 0, 17, 1], 68)],
  ["normBackward of kept rows, overwriting", normBackwardOfKept([5, 0, 17, 1], 68, false)],
  ["rope without norms", ropeCase(7, HEADS, false, false)],
  ["rope without norms into a cache", ropeCase(9, HEADS, false, true)],
  ["rope with norms into a cache", ropeCase(9, HEADS, true, true, false)],
  ["rope with norms into a cache of float16", ropeCase(9, HEADS, true, "halves", false)],
  ["cachedAttention, float16", cachedCase(11, HEADS, 90, true)],
  ["ropeBackward with biases", ropeBackwardCase(67, HEADS, false, true)],
  ["ropeBackward with norms, presets' heads", ropeBackwardCase(67, HEADS, true, false)],
  ["attention, presets' heads", attentionCase([1, 7, 70], HEADS)],
  ["attentionBackward, presets' heads", attentionBackwardCase([1, 7, 70], HEADS)],
  ["headStats with a reference, 64 lanes", headStatsCase(chunk, true)],
  ["headGrad with a reference", headGradCase(5, 72, 0, true)],
  ["value, 64 lanes", valueCase(5, 68)],
  ["valueBackward, detached", valueBackwardCase(70, 68, null)],
  ["valueBackward, detached, few rows", valueBackwardCase(20, 68, null)],
  ["valueBackward, shared, 64 lanes", valueBackwardCase(70, 68, true)],
  ["valueBackward, shared, few rows", valueBackwardCase(20, 68, true)],
];

const ofLargeHeads: [string, Make][] = [
  ...[64, 128].flatMap((d): [string, Make][] => [
    [`attention, heads of ${d}`, attentionCase([1, 7, 70], large(d))],
    [`attentionBackward, heads of ${d}`, attentionBackwardCase([1, 7, 70], large(d))],
  ]),
  ["rope without norms, heads of 64", ropeCase(7, large(64), false, false)],
  ["rope without norms into a cache, heads of 64", ropeCase(9, large(64), false, true)],
  ["ropeBackward with biases, heads of 64", ropeBackwardCase(67, large(64), false, true)],
  ["rope with norms, heads of 128", ropeCase(7, large(128), true, false)],
  ["rope with norms into a cache, heads of 128", ropeCase(9, large(128), true, true, false)],
  ["rope into a cache of float16, heads of 64", ropeCase(9, large(64), false, "halves")],
  [
    "rope with norms into a cache of float16, heads of 128",
    ropeCase(9, large(128), true, "halves", false),
  ],
  ["cachedAttention, float16, heads of 128", cachedCase(7, large(128), 90, true)],
  ["ropeBackward with norms, heads of 128", ropeBackwardCase(67, large(128), true, false)],
];

/** Created at each call: they take several megabytes. */
export function kernelCases(): OpCase[] {
  const all: [string, Make][] = [
    ...products("NT", ALL, "", {}),
    ...products("NT", ALL, " with bias", { bias: true }),
    ...products("NT", ALL, " with addend", { add: "other" }),
    ...products("NT", STEPS, " with norm", { prologue: "norm" }),
    ...products("NT", STEPS, " with norm and bias", { prologue: "norm", bias: true }),
    ...products("NT", STEPS, " with swiglu", { prologue: "swiglu", add: "other" }),
    ...products("NN", ALL, "", {}),
    ...products("TN", ALL, " onto the sum", { add: "out" }),
    ...others,
    ...products("TN", ["slices"], " onto the sum", { add: "out" }),
    ...products("NT", WIDE_STEPS, " with norm", { prologue: "norm" }),
    ...products("NT", WIDE_STEPS, " with norm and bias", { prologue: "norm", bias: true }),
    ...products("NT", WIDE_STEPS, " with swiglu", { prologue: "swiglu", add: "other" }),
    ...ofLargeHeads,
  ];
  return all.map(([name, make], i) => opCase(name, make, 2000 + i));
}
