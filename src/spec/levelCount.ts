/**
 * How many levels a run needs, and which runs have their own levels: since revision 2 those of
 * seeds 0 to 2,000, a million each (`train/levelNumbers.ts`). Before, seeds a thousand apart shared
 * levels, and so did neighbours after a million. A shop's number of goals is fixed; every run walks
 * through them in its own order.
 */
import { InputError } from "../numeric/inputError.ts";
import type { RevisionReason } from "./revision.ts";

/** The highest seed, and the maximum levels of a run, without overlap with another run. */
export const MOST_SEED = 2000;
export const MOST_LEVELS = 1_000_000;
/** Runs of a study have seeds up to this one; the levels of the others, up to MOST_SEED, are sealed: each study has its own. */
export const LAST_STUDY_SEED = 1000;
export const SEALED_RUNS = MOST_SEED - LAST_STUDY_SEED;
export const MOST_SEALED = 1000;
/** Studies with levels of their own. */
export const MOST_STUDIES = (SEALED_RUNS * MOST_LEVELS) / MOST_SEALED;
/** Maximum seats of a class: their seeds are consecutive. */
export const MOST_SEATS = 200;
/** Seeds that have the same levels as in revision 1, and how many of them belong to no other run, including replacements. */
export const OLD_SEEDS = { first: 1, last: 1000 } as const;
export const OLD_LEVELS = 28_274;

export interface LevelFields {
  revision?: number | undefined;
  seed: number;
  environment: { kind: string; trainLevels: number };
  optimisation: { iterations: number; tasksPerIteration: number; groupSize: number };
}

/** Maximum levels that the run plays: one for each episode, or its pool. */
function levelsNeeded({ environment: { trainLevels }, optimisation }: LevelFields): number {
  const { iterations, tasksPerIteration, groupSize } = optimisation;
  const episodes = iterations * tasksPerIteration * groupSize;
  return trainLevels > 0 ? Math.min(trainLevels, episodes) : episodes;
}

const hasLevels = ({ environment }: LevelFields) => environment.kind !== "webshop";

/** What the first revision draws from the levels of other seeds. */
export function levelReasons(spec: LevelFields): RevisionReason[] {
  if (!hasLevels(spec)) return [];
  const { seed } = spec;
  if (seed < OLD_SEEDS.first || seed > OLD_SEEDS.last)
    return [{ what: `seed ${seed}`, was: "levels of another seed", now: "levels of its own" }];
  if (levelsNeeded(spec) <= OLD_LEVELS) return [];
  return [{ what: "levels", was: `after ${OLD_LEVELS} another seed's too`, now: "all its own" }];
}

/** The first two seeds of a list that share levels: in the first revision, seeds a thousand apart do. */
export function sharingSeeds(
  spec: LevelFields,
  seeds: readonly number[],
): readonly [number, number] | null {
  if ((spec.revision ?? 1) >= 2 || !hasLevels(spec)) return null;
  const known = new Map<number, number>();
  for (const seed of seeds) {
    const before = known.get(seed % OLD_SEEDS.last);
    if (before !== undefined) return [before, seed];
    known.set(seed % OLD_SEEDS.last, seed);
  }
  return null;
}

/** @throws InputError if a run of revision 2 would need another run's levels. */
export function checkLevels(spec: LevelFields): void {
  if ((spec.revision ?? 1) < 2 || !hasLevels(spec)) return;
  if (spec.seed > MOST_SEED)
    throw new InputError(
      `seed is ${spec.seed}; it must be a whole number from 0 to ${MOST_SEED}: these have levels of their own`,
    );
  const needed = levelsNeeded(spec);
  if (needed > MOST_LEVELS)
    throw new InputError(
      `optimisation.iterations x tasksPerIteration x groupSize needs ${needed} levels; it must need at most ${MOST_LEVELS}, or environment.trainLevels must be a pool of 1 to ${MOST_LEVELS}`,
    );
}
