/** Training's normalisation, over episodes that include unrecorded ones: recovered from the log. */
import type { AdvantagePair } from "../../method/credit/givenAdvantage.ts";
import { creditUnderScale } from "../../algorithm/registry.ts";
import type { Normalisation } from "../../method/credit/whiten.ts";
import { composeOffsets, gatherSegments } from "../../numeric/segments.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { Episodes } from "./batch.ts";
import type { RowCredit } from "./rowTypes.ts";

/** An iteration that was played and trained with the settings of the row in question. */
export interface TrainedIteration {
  episodes: Episodes;
  /** Episodes of the iteration, recorded or not; null if the log does not have it. */
  count: number | null;
}

/** Relative to the largest advantage: above the log's rounding, below anything visible. */
const TOLERANCE = 1e-4;
/** For squares: smaller differences are rounding. */
const ROUNDING = 1e-10;

/** Training's advantages of turns and tokens; NaN if not recorded. [K], [N] */
export function recordedAdvantages(episodes: Episodes): AdvantagePair {
  const turns = episodes.flatMap((episode) => episode.turns);
  const of = (records: readonly { advantage: number }[]) =>
    new Float64Array(records.map(({ advantage }) => numberOr(advantage)));
  return { turn: of(turns), token: of(turns.flatMap((turn) => turn.tokens)) };
}

/** Foreign files may contain anything there. */
function numberOr(x: unknown): number {
  return typeof x === "number" ? x : NaN;
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** The normalisation of the episodes' iteration; null if the row has none, or if none explains the log. */
export function trainedNormalisation(
  config: AlgorithmConfig,
  { batch, rewardScale }: Pick<RowCredit, "batch" | "rewardScale">,
  episodes: Episodes,
): Normalisation | null {
  if (config.whiten === "none") return null;
  const plain = { ...config, whiten: "none" } as const;
  const { turnAdvantage, tokenAdvantage, kept } = creditUnderScale(plain, batch, rewardScale);
  const { turnStart } = batch;
  const tokensOf = composeOffsets(turnStart, batch.tokenStart); // [B+1]
  const all = [...batch.task.keys()];
  const chosen = kept ? all.filter((b) => kept[b] === 1) : all;
  const sample = ({ turn, token }: AdvantagePair) =>
    joined(gatherSegments(turn, turnStart, chosen), gatherSegments(token, tokensOf, chosen));
  const raw = { turn: turnAdvantage, token: tokenAdvantage };
  return recoverWhitening(sample(raw), sample(recordedAdvantages(episodes)));
}

/**
 * The normalisation that maps `raw` to `adv`, by least squares; null if none does so exactly, or if
 * all values are equal, so that many would.
 */
export function recoverWhitening(raw: Float64Array, adv: Float64Array): Normalisation | null {
  const center = (x: Float64Array) => x.reduce((sum, y) => sum + y, 0) / x.length;
  const [x, y] = [center(raw), center(adv)];
  let [across, along, size] = [0, 0, 0];
  raw.forEach((one, i) => {
    across += (one - x) * (adv[i]! - y);
    along += (one - x) * (one - x);
    size += one * one;
  });
  const slope = across / along;
  if (!(along > ROUNDING * size && slope > 0 && Number.isFinite(slope))) return null;
  const fit = { mean: x - y / slope, divisor: 1 / slope };
  return isExact(fit, raw, adv) ? fit : null;
}

function isExact({ mean, divisor }: Normalisation, raw: Float64Array, adv: Float64Array): boolean {
  const largest = adv.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  return raw.every((one, i) => Math.abs((one - mean) / divisor - adv[i]!) <= TOLERANCE * largest);
}
