/** A ratio, a clip rule, an aggregation and a regulariser that an experiment defines: their input, and their checked result. */
import { broadcast, segmentLengths } from "../numeric/segments.ts";
import { InputError } from "../numeric/inputError.ts";
import type { LossTotals } from "../method/objective/aggregate.ts";
import { ofUnits } from "../method/clip/unitLoss.ts";
import type { OwnObjective, PolicyLoss } from "../method/objective/policyTypes.ts";
import { offsetsOf } from "../method/objective/ratio.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import type {
  OwnAggregationInput,
  OwnClip,
  OwnClipInput,
  OwnRatio,
  OwnRatioInput,
  OwnRegulariser,
  OwnRegulariserInput,
} from "../record/definitions.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { callOf, checkNumbers, rowSettings } from "./ownCode.ts";

/** The row's own ratio and clip rule; undefined if it has neither. */
export function ownObjective(config: AlgorithmConfig): OwnObjective | undefined {
  const { ratio, clip } = config.own ?? {};
  if (ratio === undefined && clip === undefined) return undefined;
  return {
    ...(ratio !== undefined && { ratio: ownRatio(config) }),
    ...(clip !== undefined && { clip: ownClip(config) }),
  };
}

export function ownRatio(config: AlgorithmConfig): NonNullable<OwnObjective["ratio"]> {
  const who = `${config.own!.ratio!}: ratio`;
  return (d, unit) => {
    const units = Array.from(segmentLengths(unit), (_, u) => d.slice(unit[u], unit[u + 1]));
    const input: OwnRatioInput = { units, settings: rowSettings(config) };
    const found = listOf<OwnRatio>(who, callOf(config, "ratio")(input), units.length, "unit");
    const value = new Float64Array(units.length); // [U]
    const derivative = new Float64Array(d.length); // [N]
    for (const [u, one] of found.entries()) {
      const slopes = one.derivative;
      checkNumbers(who, `[${u}].value`, [one.value], 1);
      checkNumbers(who, `[${u}].derivative`, slopes, units[u]!.length);
      value[u] = one.value!;
      derivative.set(slopes, unit[u]);
      if (value[u] <= 0)
        throw new InputError(`${who} returned ${value[u]} as [${u}].value; it must be above 0`);
    }
    return { value, derivative };
  };
}

export function ownClip(config: AlgorithmConfig): NonNullable<OwnObjective["clip"]> {
  const who = `${config.own!.clip!}: clip`;
  return (ratio, advantage) => {
    const input: OwnClipInput = { ratio, advantage, settings: rowSettings(config) };
    const found = (callOf(config, "clip")(input) ?? {}) as Partial<OwnClip>;
    const column = (name: keyof OwnClip) => {
      checkNumbers(who, name, found[name], ratio.length);
      return Float64Array.from(found[name]!); // [U]
    };
    return { value: column("value"), derivative: column("derivative") };
  };
}

/** Weight of each token's loss by the row's own aggregation. [N] */
export function ownWeights(
  config: AlgorithmConfig,
  batch: TrajectoryBatch,
  { trajectories, turns, tokens }: LossTotals,
): Float64Array {
  const who = `${config.own!.aggregation!}: aggregate`;
  const { turn, trajectory } = offsetsOf(batch);
  const lengths = Float64Array.from(segmentLengths(turn)); // [K]
  const input: OwnAggregationInput = {
    episodes: batch.task.map((_, b) => ({
      lengths: lengths.slice(batch.turnStart[b], batch.turnStart[b + 1]),
    })),
    totals: { episodes: trajectories, turns, tokens },
    settings: rowSettings(config),
  };
  const B = batch.task.length;
  const found = listOf<object>(who, callOf(config, "aggregation")(input), B, "episode");
  const weight = new Float64Array(turn.at(-1)!); // [N]
  for (const [b, one] of found.entries()) {
    checkNumbers(who, `[${b}]`, one, trajectory[b + 1]! - trajectory[b]!);
    const low = Array.from(one).find((w) => w < 0);
    if (low !== undefined)
      throw new InputError(`${who} returned ${low} in [${b}]; a weight must be at least 0`);
    weight.set(one, trajectory[b]);
  }
  return weight;
}

/** What each token adds to the loss by the row's own regulariser, and the derivatives. All [N] */
export function ownRegulariser(
  config: AlgorithmConfig,
): (tokens: Omit<OwnRegulariserInput, "settings">) => Record<keyof OwnRegulariser, Float64Array> {
  const who = `${config.own!.regulariser!}: regularise`;
  return (tokens) => {
    const input: OwnRegulariserInput = { ...tokens, settings: rowSettings(config) };
    const found = (callOf(config, "regulariser")(input) ?? {}) as Partial<OwnRegulariser>;
    const column = (name: keyof OwnRegulariser) => {
      checkNumbers(who, name, found[name], tokens.logprobs.length);
      return Float64Array.from(found[name]!); // [N]
    };
    return {
      value: column("value"),
      derivative: column("derivative"),
      entropyDerivative:
        found.entropyDerivative === undefined
          ? new Float64Array(tokens.logprobs.length)
          : column("entropyDerivative"),
    };
  };
}

/**
 * What the unit of each token adds to the objective by the row's own clip rule, from the ratios [U] of units [U+1] and
 * the tokens' advantages [N]; null if the row has none. [N]
 */
export function ownSurrogate(
  config: AlgorithmConfig,
  { ratio, unit }: Pick<PolicyLoss, "ratio" | "unit">,
  tokenAdvantage: Float64Array,
): Float64Array | null {
  if (config.own?.clip === undefined || config.ratio === "none") return null;
  const adv = ofUnits({ level: config.ratio }, unit, tokenAdvantage); // [U]
  return broadcast(ownClip(config)(ratio, adv).value, unit); // [N]
}

/** The row without what holds it near other policies: neither ratios nor clips depend on that. */
export function withoutPull(config: AlgorithmConfig): AlgorithmConfig {
  const { regulariser: _, ...own } = config.own ?? {};
  return { ...config, betaKl: 0, ...(config.own && { own }) };
}

/** An empty list crosses as one of numbers. */
function listOf<T>(who: string, result: unknown, length: number, what: string): Partial<T>[] {
  const isList = Array.isArray(result) ? result.length === length : length === 0;
  if (!isList)
    throw new InputError(
      `${who} must return a list with one result for each of ${length} ${what}s`,
    );
  return length === 0 ? [] : (result as Partial<T>[]);
}
