/** A row's credit for an iteration's recorded episodes, and for one of them in particular. */
import {
  computeObjective,
  creditUnderScale,
  selectTrajectories,
  stepTotals,
  withoutPull,
  type Objective,
} from "../../algorithm/registry.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { sharedBatch, type Episodes } from "./batch.ts";
import { Estimating } from "./estimates.ts";
import { reasonOf } from "./reasons.ts";
import { Recent } from "../recent.ts";
import type { RowCredit } from "./rowTypes.ts";
import { trainedNormalisation } from "./training.ts";
import { words } from "./words.ts";

/** A row to be computed. */
export interface RowRequest {
  config: AlgorithmConfig;
  /**
   * Whether its advantages are those that the episodes were trained with, so that the log has them.
   */
  trained: boolean;
  /** Factor that training applies to rewards. */
  rewardScale: number;
}

/** The request apart from the settings: not from training, and with unscaled rewards. */
type How = Omit<RowRequest, "config">;
const PLAIN: How = { trained: false, rewardScale: 1 };

/** A result, or why there is none; `pending`: the answer is on its way. */
export type Tried<T> = { ok: T; reason: null } | { ok: null; reason: string; pending?: true };

const done = <T>(ok: T): Tried<T> => ({ ok, reason: null });
const refused = (reason: string) => ({ ok: null, reason });

/** Maximum cached settings; a slider passes through many. */
const KEPT = 64;
const credits = new Recent((_: Episodes) => new Map<string, Tried<RowCredit>>());

/** Cached for the last iterations and configurations, so that moving the cursor computes nothing. */
export function creditOf(
  config: AlgorithmConfig,
  episodes: Episodes,
  how: How = PLAIN,
): Tried<RowCredit> {
  const known = credits.of(episodes);
  const key = keyOf(config, how);
  const found = known.get(key) ?? tryCredit(config, episodes, how);
  if (!found.ok && found.pending) return found;
  known.delete(key);
  known.set(key, found);
  if (known.size > KEPT) known.delete(known.keys().next().value!);
  return found;
}

/** Whether `creditOf` would answer at once. */
export function isKnown(config: AlgorithmConfig, episodes: Episodes, how: How = PLAIN): boolean {
  return credits.known(episodes)?.has(keyOf(config, how)) ?? false;
}

function keyOf(config: AlgorithmConfig, { trained, rewardScale }: How): string {
  return JSON.stringify([trained, rewardScale, config]);
}

function tryCredit(
  config: AlgorithmConfig,
  episodes: Episodes,
  { trained, rewardScale }: How,
): Tried<RowCredit> {
  try {
    const batch = sharedBatch(config, episodes);
    const scaled = { batch, rewardScale };
    const whitening = trained ? trainedNormalisation(config, scaled, episodes) : null;
    const credit = creditUnderScale(config, batch, rewardScale, whitening);
    const noTokens = batch.tokenStart.at(-1) === 0;
    if (noTokens && credit.turnAdvantage.some(Number.isNaN))
      return refused(lacking(batch)(config.title));
    return done({ batch, credit, whitening, rewardScale });
  } catch (error) {
    const why = refused(reasonOf(error, config));
    return error instanceof Estimating ? { ...why, pending: true } : why;
  }
}

/** What is missing for a computation if there are no tokens. */
function lacking({ turnReward }: TrajectoryBatch): (title: string) => string {
  return turnReward.some(Number.isNaN) ? words.noTurnRewards : words.noTokens;
}

/** One episode's share of the objective: its ratios and what the clip did. */
export type EpisodeObjective = Objective;

/**
 * The objective of one episode, weighted as a part of the whole batch. What holds the policy near
 * others is left out: it changes neither ratios nor clips, and many logs lack its numbers.
 */
export function objectiveOf(
  config: AlgorithmConfig,
  { batch, credit }: RowCredit,
  episode: number,
): Tried<EpisodeObjective> {
  if (batch.tokenStart.at(-1) === 0) return refused(words.noTokens(config.title));
  try {
    const totals = stepTotals(config, batch, credit);
    const one = selectTrajectories(batch, credit, [episode]);
    const plain = withoutPull(config);
    const own = computeObjective(plain, one.batch, one.credit, { totals });
    if (!own.picked) return done(own);
    // What was picked is seen in the whole batch only.
    const whole = computeObjective(plain, batch, credit);
    const floats = (x: Float64Array) => Float64Array.from(one.tokens, (t) => x[t]!);
    const marks = (x: Uint8Array, at: Int32Array) => Uint8Array.from(at, (i) => x[i]!);
    return done({
      ...own,
      dLogprob: floats(whole.dLogprob),
      dLogprobCut: floats(whole.dLogprobCut),
      picked: marks(whole.picked!, one.tokens),
      tokenClipped: marks(whole.tokenClipped, one.tokens),
      turnClipped: marks(whole.turnClipped, one.turns),
    });
  } catch (error) {
    return refused(reasonOf(error, config));
  }
}
