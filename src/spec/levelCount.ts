/**
 * How many levels a run needs, and which runs have levels of their own: since revision 2 those of seeds 0 to 2,000, a million
 * each (`train/levelNumbers.ts`). Before it seeds a thousand apart shared them, and so did neighbours after a million.
 * A shop's goals are as many as they are; every run walks through them in an order of its own.
 */
import { InputError } from "../numeric/inputError.ts";
import type { RevisionReason } from "./revision.ts";

/** The highest seed, and the most levels of a run, that are no other run's. */
export const MOST_SEED = 2000;
export const MOST_LEVELS = 1_000_000;
/** Desks of a class at most: their seeds follow each other. */
export const MOST_SEATS = 200;
/** Seeds that have the levels they always had, and how many of them are no other run's, replacements included. */
export const OLD_SEEDS = { first: 1, last: 1000 } as const;
export const OLD_LEVELS = 28_274;

export interface LevelFields {
  revision?: number | undefined;
  seed: number;
  environment: { kind: string; trainLevels: number };
  optimisation: { iterations: number; tasksPerIteration: number; groupSize: number };
}

/** Levels that the run plays at most: one for each episode, or its pool. */
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

/** The first two seeds of a list that share levels, as in the first revision those do that are a thousand apart. */
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

/** @throws InputError where a run of revision 2 would need levels that are another's. */
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
