/**
 * Importance ratios pi_theta / pi_old at four levels. d_t = log pi_theta(y_t) - log pi_old(y_t).
 *
 *   token              rho_t = exp(d_t)
 *   turn-product       rho_h = exp(sum of d_t over the turn)        Turn-PPO, arXiv 2512.17008
 *   turn-geomean       rho_h = exp(mean of d_t over the turn)       ST-PPO, arXiv 2511.20718, eq. 4
 *   sequence-geomean   s_b = exp(mean of d_t over the trajectory) GSPO, arXiv 2507.18071, eq. 7
 */
import { exp } from "../../numeric/deterministic.ts";
import {
  broadcast,
  composeOffsets,
  segmentLengths,
  segmentSum,
  singletons,
} from "../../numeric/segments.ts";
import type { Binding } from "../formula/vocabulary.ts";
import type { TrajectoryBatch } from "../trajectoryBatch.ts";
import { f, open, turnSum, type TexPiece } from "../formula/tex.ts";

/**
 * Exponents are clamped to +-20, so that no ratio overflows: log-ratios of tokens and their
 * products, as in verl's vanilla loss, and geometric means as a whole. The means use their tokens
 * unclamped, like verl's GSPO and GMPO: a token that has become nearly impossible has full weight.
 * verl clamps the mean at 10 in GSPO and not at all in GMPO: this only matters for ratios above
 * 22,026, or outside of e^-20 to e^20.
 */
export const LOG_RATIO_LIMIT = 20;

export interface Offsets {
  /** Tokens of each trajectory. [B+1] */
  trajectory: Int32Array;
  /** Tokens of each turn. [K+1] */
  turn: Int32Array;
}

/** Tokens of each turn and each trajectory. */
export function offsetsOf(batch: TrajectoryBatch): Offsets {
  const { turnStart, tokenStart } = batch;
  return { turn: tokenStart, trajectory: composeOffsets(turnStart, tokenStart) };
}

export interface Ratios {
  /** Tokens of each unit, the unit being what one ratio covers. [U+1] */
  unit: Int32Array;
  /** [U] */
  logRatio: Float64Array;
  /** [U] */
  ratio: Float64Array;
  /** d ratio / d logprob of each token; a clamped log-ratio has none. [N] */
  dRatio: Float64Array;
}

interface RatioFacts {
  about: string;
  /** What one ratio covers. */
  covers: "token" | "turn" | "trajectory";
  /** How its tokens' log-ratios are pooled. */
  pools: "one" | "sum" | "mean";
  /** Its formula, of log-ratios d. */
  formula(d: Binding): TexPiece;
}

/** The table of ratio levels (axis E), except "none". */
export const ratios = {
  token: {
    about: "exp(d_t), one per token",
    covers: "token",
    pools: "one",
    formula: (d) => f`${"token.ratio"} &= \exp ${d}`,
  },
  "turn-product": {
    about: "exp(sum of d_t), one per turn",
    covers: "turn",
    pools: "sum",
    formula: (d) => f`${"turn.ratio"} &= \exp\Big(${turnSum(d)}\Big)`,
  },
  "turn-geomean": {
    about: "exp(mean of d_t), one per turn",
    covers: "turn",
    pools: "mean",
    formula: (d) =>
      f`${"turn.ratio"} &= \exp\Big(\frac{1}{${"turn.tokens"}}${turnSum(d, true)}\Big)`,
  },
  "sequence-geomean": {
    about: "exp(mean of d_t), one per trajectory (GSPO)",
    covers: "trajectory",
    pools: "mean",
    formula: (d) =>
      open`${"trajectory.ratio"} &= \exp\Big(\frac{1}{${"trajectory.tokens"}}\sum_{t\in b} ${d}\Big)`,
  },
} as const satisfies Record<string, RatioFacts>;

export type RatioLevel = keyof typeof ratios;
export type RatioName = RatioLevel | "none";

/** Whether a turn has one ratio, the mean of its tokens'; without a ratio of turns their product is told. */
export function isTurnMean(level: RatioName): boolean {
  return level !== "none" && ratios[level].covers === "turn" && ratios[level].pools === "mean";
}

/** Unclamped token log-ratios, for means; both columns are present. [N] */
export function plainLogRatios({
  logprob,
  oldLogprob,
}: {
  logprob?: Float64Array;
  oldLogprob?: Float64Array;
}): Float64Array {
  return logprob!.map((x, t) => x - oldLogprob![t]!);
}

/** Token log-ratios within the limit. [N] */
export function tokenLogRatios(logprob: Float64Array, oldLogprob: Float64Array): Float64Array {
  return logprob.map((x, t) => clamp(x - oldLogprob[t]!));
}

/** The ratio of every unit of the level, and its derivative. */
export function importanceRatios(
  level: RatioLevel,
  logprob: Float64Array,
  oldLogprob: Float64Array,
  offsets: Offsets,
): Ratios {
  return poolLogRatios(level, plainLogRatios({ logprob, oldLogprob }), offsets);
}

/**
 * The same from token log-ratios d [N]. countEpsilon is added to the token counts of means, to
 * reproduce numbers that were computed so.
 */
export function poolLogRatios(
  level: RatioLevel,
  d: Float64Array,
  offsets: Offsets,
  countEpsilon = 0,
): Ratios {
  const { pools } = ratios[level];
  const unit = ratioUnits(level, offsets, d.length); // [U+1]
  const held = pools === "mean" ? d : d.map(clamp); // [N]
  const sum = segmentSum(held, unit); // [U]
  const counts = segmentLengths(unit); // [U]
  const n = pools === "sum" ? null : counts.map((c) => c + countEpsilon); // [U]
  const raw = sum.map((s, u) => s / (n?.[u] ?? 1)); // [U]
  const logRatio = raw.map(clamp); // [U]
  const ratio = logRatio.map(exp); // [U]
  const dRatio = new Float64Array(d.length); // [N]
  for (let u = 0; u < ratio.length; u++) {
    if (logRatio[u] !== raw[u]) continue;
    for (let t = unit[u]!; t < unit[u + 1]!; t++) {
      dRatio[t] = held[t] !== d[t] ? 0 : ratio[u]! / (n?.[u] ?? 1);
    }
  }
  return { unit, logRatio, ratio, dRatio };
}

/** Tokens of what each ratio of the level covers, of N tokens. [U+1] */
export function ratioUnits(level: RatioLevel, offsets: Offsets, N: number): Int32Array {
  const { covers } = ratios[level];
  return covers === "token" ? singletons(N) : offsets[covers];
}

/** From d/d ratio to d/d logprob, times the units' weights. Both [U] -> [N] */
export function throughRatio(
  dRatio: Float64Array,
  weight: Float64Array,
  ratios: Ratios,
): Float64Array {
  const dUnit = dRatio.map((g, u) => g * weight[u]!); // [U]
  const upstream = broadcast(dUnit, ratios.unit); // [N]
  return ratios.dRatio.map((g, t) => g * upstream[t]!);
}

function clamp(x: number): number {
  return Math.min(LOG_RATIO_LIMIT, Math.max(-LOG_RATIO_LIMIT, x));
}
