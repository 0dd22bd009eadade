/** Operations of shapes and options drawn at random from a seed: sizes, heads, sequences, flags. */
import type { OpName } from "../../../src/engine/plan/ops.ts";
import { uniform } from "../../../src/numeric/rng.ts";
import * as made from "../../../src/engine/check/opMakers.ts";
import type { Make, OpCase } from "../../../src/engine/check/opMakers.ts";

/** Draws one after another. */
class Draws {
  private step = 0;
  readonly drawn: string[] = [];

  constructor(
    readonly seed: number,
    private readonly stream: string,
    private readonly headDims: readonly number[],
  ) {}

  /** A whole number of `from` up to `to`, small ones more often. */
  int = (from: number, to: number): number => {
    const key = { seed: this.seed, stream: this.stream, iteration: 0, trajectory: 0 };
    const n = from + Math.floor(uniform({ ...key, step: this.step++ }) ** 2 * (to - from + 1));
    this.drawn.push(String(n));
    return n;
  };

  pick = <T>(all: readonly T[]): T => {
    const key = { seed: this.seed, stream: this.stream, iteration: 0, trajectory: 0 };
    const one = all[Math.floor(uniform({ ...key, step: this.step++ }) * all.length)]!;
    this.drawn.push(String(one));
    return one;
  };

  flag = (): boolean => this.pick([false, true]);

  heads = (): made.Heads => {
    const K = this.int(1, 3);
    return { K, H: K * this.int(1, 4), d: this.pick(this.headDims) };
  };

  /** Lengths of one to five sequences. */
  lengths = (): number[] => Array.from({ length: this.int(1, 5) }, () => this.int(1, 40));
}

/**
 * M, N, K of products, in turn: any small ones; few rows, whose threads share the depth; more than 96 tiles of 64 x 64, of which
 * there is one thread group each; and weights' gradients, whose depth is cut into slices.
 */
const PRODUCTS = [
  (r: Draws) => [r.int(1, 90), r.int(1, 90), r.int(1, 300)],
  (r: Draws) => [r.int(1, 8), r.int(9, 200), r.int(64, 300)],
  (r: Draws) => [r.int(577, 700), r.int(577, 700), r.int(1, 40)],
  (r: Draws) => [4 * r.int(3, 60), 4 * r.int(3, 60), 4 * r.int(32, 150)],
] as const;

/** So many random products have every kind of size. */
export const PRODUCT_SIZES = PRODUCTS.length;
const GRADIENT = PRODUCT_SIZES - 1;

function matmul(r: Draws): Make {
  const layout = r.pick(["NT", "NN", "TN"] as const);
  const size = r.seed % PRODUCT_SIZES;
  const [M, N, K] = PRODUCTS[size]!(r) as [number, number, number];
  if (size === GRADIENT) return made.matmulCase("TN", M, N, K, { add: "out" });
  const add = r.pick([undefined, "other", "out"] as const);
  const prologue = layout === "NT" ? r.pick([undefined, "norm", "swiglu"] as const) : undefined;
  const extra = { bias: r.flag(), ...(add && { add }), ...(prologue && { prologue }) };
  return made.matmulCase(layout, M, N, K, extra);
}

function headStats(r: Draws): Make {
  const chunk = { M: r.int(1, 20), n: r.int(1, 150), v0: 64 * r.int(0, 3) };
  return made.headStatsCase({ ...chunk, first: r.flag(), last: r.flag() }, r.flag());
}

function sample(r: Draws): Make {
  const temperature = r.pick([0, 0.5, 1, 2]);
  const [topK, topP] = [r.pick([0, 1, 3, 12]), r.pick([1, 0.4, 0.9])];
  return made.sampleCase({ temperature, topK, topP, legal: r.flag() }, r.int(20, 200));
}

// A cache has eleven slots for each of its three rows, and no two tokens may go to one.
const rope = (r: Draws) =>
  r.flag()
    ? made.ropeCase(r.int(1, 30), r.heads(), r.flag(), true)
    : made.ropeCase(r.int(1, 90), r.heads(), r.flag(), false);

const draws: Record<OpName, (r: Draws) => Make> = {
  embed: (r) => made.embedCase(r.int(1, 40), r.int(1, 70), r.int(1, 30)),
  embedGrad: (r) => made.embedGradCase(r.int(1, 40), r.int(1, 70), r.int(1, 30)),
  norm: (r) => made.normCase(r.int(1, 90), r.int(1, 140)),
  normBackward: (r) => made.normBackwardCase(r.int(1, 200), r.int(1, 140), r.flag()),
  reducePartials: (r) => made.reduceCase(r.int(1, 4), r.int(1, 5), r.int(1, 90), r.int(0, 9)),
  matmul,
  rope,
  ropeBackward: (r) => made.ropeBackwardCase(r.int(1, 150), r.heads(), r.flag(), r.flag()),
  attention: (r) => made.attentionCase(r.lengths(), r.heads()),
  attentionBackward: (r) => made.attentionBackwardCase(r.lengths(), r.heads()),
  cachedAttention: (r) => made.cachedCase(r.int(1, 20), r.heads(), r.int(1, 50)),
  swiglu: (r) => made.swigluCase(r.int(1, 50), r.int(1, 90)),
  swigluBackward: (r) => made.swigluBackwardCase(r.int(1, 50), r.int(1, 90)),
  gatherRows: (r) => made.gatherCase(r.int(1, 40), r.int(1, 60), r.int(1, 70)),
  scatterRows: (r) => made.scatterCase(r.int(1, 50), r.int(1, 70)),
  headStats,
  headGrad: (r) => made.headGradCase(r.int(1, 20), r.int(1, 150), 64 * r.int(0, 3), r.flag()),
  value: (r) => made.valueCase(r.int(1, 90), r.int(1, 140)),
  valueBackward: (r) =>
    made.valueBackwardCase(r.int(1, 150), r.int(1, 140), r.pick([null, false, true])),
  sumSquares: (r) => made.squaresCase(r.int(1, 13_000)),
  scale: (r) => made.scaleCase(r.int(1, 3000)),
  adamw: (r) => made.adamwCase(r.int(1, 3000)),
  sample,
};

export const opNames = Object.keys(draws) as OpName[];

/** So many instances of an operation; each is named by what was drawn. */
export function randomCases(
  op: OpName,
  count: number,
  headDims: readonly number[] = [2, 6, 8, 20, 32, 64, 128],
): OpCase[] {
  return Array.from({ length: count }, (_, i) => {
    const r = new Draws(i, op, headDims);
    const make = draws[op](r);
    return made.opCase(`${op} of ${r.drawn.join(" ")}`, make, 1000 + i);
  });
}
