/**
 * The clipping-bias correction of S-PPO and ST-PPO: the policy's gradient is divided by the size of
 * C(theta), the gradient that the clip cut, so that heavily clipped batches move the policy less.
 *
 *   C(theta) = E[1/|y| sum over clipped t of rho_t A_t grad log pi(y_t)]
 *   g       <- g / denominator(|C|)
 *
 * The exact denominator is not public: arXiv 2511.20718, lemma 4.2 and eq. 7 to 9, are known here
 * through notes and a review only, which agree on "divided by |C|" and leave open a floor, an added
 * constant, and over what the norm is taken. Every plausible reading can be chosen.
 */
import { broadcast, segmentMean } from "../../numeric/segments.ts";
import { f, type TexPiece } from "../formula/tex.ts";

/** Above this share of clipped tokens "clipped-batches" corrects. */
const MANY_CLIPPED = 0.2;

interface ClipBiasFacts {
  about: string;
  /** The divisor of the gradient: from |C|, kappa and the share of clipped tokens. */
  of(C: number, kappa: number, clipFraction: number): number;
  formula: TexPiece;
  /** When it divides, if not always. */
  only?: TexPiece;
  readsKappa: boolean;
}

const share = f`${"batch.cutNorm"} / ${"settings.clipBiasKappa"}`;
const atLeastOne = {
  of: (C: number, kappa: number) => Math.max(1, C / kappa),
  formula: f`\max\big(1,\, ${share}\big)`,
  readsKappa: true,
};

/** The table of denominators (axis I), except "none". */
export const clipBiases = {
  "max-one": {
    ...atLeastOne,
    about:
      "max(1, |C| / kappa): the reading taken by default, the paper's text is not fully public",
  },
  norm: {
    about: "|C|, the literal reading of the equation",
    of: (C) => C,
    formula: f`${"batch.cutNorm"}`,
    readsKappa: false,
  },
  "norm-plus-one": {
    about: "|C| / kappa + 1",
    of: (C, kappa) => C / kappa + 1,
    formula: f`${share} + 1`,
    readsKappa: true,
  },
  "clipped-batches": {
    ...atLeastOne,
    about:
      "max(1, |C| / kappa) only where over 20 % of the tokens are clipped (a third party's reading)",
    of: (C, kappa, clipFraction) => (clipFraction > MANY_CLIPPED ? atLeastOne.of(C, kappa) : 1),
    only: f`${"batch.clipFraction"} > 0.2`,
  },
} as const satisfies Record<string, ClipBiasFacts>;

export type ClipBias = keyof typeof clipBiases;

/** The facts of one, with optional fields. */
export function clipBiasFacts(name: ClipBias): ClipBiasFacts {
  return clipBiases[name];
}

interface Correction {
  clipBias: ClipBias | "none";
  clipBiasKappa: number;
}

/**
 * The divisor of the gradient, at least 1 except for "norm". normOfC: L2 norm of C; clipFraction:
 * share of tokens clipped; both of the scope in clipBiasScope. Without a cut there is no bias to
 * correct: 1, where "norm" would divide by 0.
 */
export function clipBiasDenominator(
  { clipBias, clipBiasKappa: kappa }: Correction,
  normOfC: number,
  clipFraction: number,
): number {
  if (normOfC === 0 || clipBias === "none") return 1;
  return clipBiasFacts(clipBias).of(normOfC, kappa, clipFraction);
}

/** L2 norm. */
export function norm(x: Float64Array): number {
  return Math.sqrt(x.reduce((sum, v) => sum + v * v, 0));
}

/**
 * Trajectory b's own C as a gradient with respect to log-probs: cut [N] on its tokens, 0 elsewhere,
 * times the number of trajectories, because an aggregation that is a mean over trajectories has
 * divided by it. start: tokens of each trajectory [B+1]. [N]
 */
export function trajectoryCut(cut: Float64Array, start: Int32Array, b: number): Float64Array {
  const own = new Float64Array(cut.length); // [N]
  const B = start.length - 1;
  for (let t = start[b]!; t < start[b + 1]!; t++) own[t] = B * cut[t]!;
  return own;
}

/** Share of each trajectory's tokens that are clipped. tokenClipped [N], start [B+1] -> [B] */
export function trajectoryClipFractions(tokenClipped: Uint8Array, start: Int32Array): Float64Array {
  return segmentMean(Float64Array.from(tokenClipped), start);
}

/**
 * Each trajectory's gradient divided by its own denominator. gradient [N], start [B+1],
 * denominator [B] -> [N]
 */
export function divideTrajectories(
  gradient: Float64Array,
  start: Int32Array,
  denominator: Float64Array,
): Float64Array {
  const divisor = broadcast(denominator, start); // [N]
  return gradient.map((g, t) => g / divisor[t]!);
}
