/** What a row makes of an iteration's recorded episodes, and of one of them in particular. */
import {
  computeCredit,
  computeObjective,
  selectTrajectories,
  stepTotals,
  type Credit,
  type Objective,
} from "../../algorithm/registry.ts";
import type { TrajectoryBatch } from "../../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { batchOf, type Episodes } from "./batch.ts";
import { reasonOf } from "./reasons.ts";
import { Recent } from "./recent.ts";
import { words } from "./words.ts";

/** Computed over all episodes: what compares rollouts, or normalises over a batch, needs them all. */
export interface RowCredit {
  batch: TrajectoryBatch;
  credit: Credit;
}

/** A row, or why there is none. */
export type Tried<T> = { ok: T; reason: null } | { ok: null; reason: string };

const done = <T>(ok: T): Tried<T> => ({ ok, reason: null });
const refused = (reason: string): Tried<never> => ({ ok: null, reason });

/** Settings that a slider has passed through are forgotten beyond these. */
const KEPT = 64;
const credits = new Recent((_: Episodes) => new Map<string, Tried<RowCredit>>());

/** Remembered for the last iterations and configurations, so that moving the cursor computes nothing. */
export function creditOf(config: AlgorithmConfig, episodes: Episodes): Tried<RowCredit> {
  const known = credits.of(episodes);
  const key = JSON.stringify(config);
  const found = known.get(key) ?? tryCredit(config, episodes);
  known.delete(key);
  known.set(key, found);
  if (known.size > KEPT) known.delete(known.keys().next().value!);
  return found;
}

/** Whether `creditOf` would answer at once. */
export function isKnown(config: AlgorithmConfig, episodes: Episodes): boolean {
  return credits.known(episodes)?.has(JSON.stringify(config)) ?? false;
}

function tryCredit(config: AlgorithmConfig, episodes: Episodes): Tried<RowCredit> {
  try {
    const batch = batchOf(config, episodes);
    const credit = computeCredit(config, batch);
    const noTokens = batch.tokenStart.at(-1) === 0;
    if (noTokens && credit.turnAdvantage.some(Number.isNaN))
      return refused(words.noTokens(config.title));
    return done({ batch, credit });
  } catch (error) {
    return refused(reasonOf(error, config));
  }
}

/** One episode's share of the objective: its ratios and what the clip did. */
export type EpisodeObjective = Objective;

/**
 * The objective of one episode, weighted as a part of the whole batch. The KL to the reference is left out: it
 * changes neither ratios nor clips, and many logs lack its numbers.
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
    return done(computeObjective({ ...config, betaKl: 0 }, one.batch, one.credit, { totals }));
  } catch (error) {
    return refused(reasonOf(error, config));
  }
}
