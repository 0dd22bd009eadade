/**
 * Level seeds by run: level n of a run, the levels that replace it if its board is held out, and
 * those for cloning.
 *
 * Since revision 2 no level seed belongs to two runs of seeds 0 to 2,000, nor to a run and to
 * cloning, as long as none needs over a million levels (`spec/levelCount.ts`). All ranges, with M =
 * 1,000,000, F = 15,485,863 and L = 28,274:
 *
 *   123 ...                held out: a training seed of an equal board is replaced
 *   10,000 + (s-1) M + n   levels n < L of runs of seed s from 1 to 1,000
 *   ... + t F              the t-th replacement, t < 35
 *   2,000,000,000 + n      cloning, at most 100,000
 *   2^31 + 1,073,000 s + n all other levels of a run, up to M, then 73,000 for their replacements
 *   ... after seed 2,000   more replacements of cloned levels
 *
 * F mod M is 485,863, and t 485,863 mod M is at least L away from 0 and from M for t from 1 to 34.
 * So a replacement is never a run's level n < L, and the t-th replacement of one level equals the
 * u-th of another only if levels and numbers are the same. Below 2^32 in all.
 */

import { MOST_LEVELS, MOST_SEED, OLD_LEVELS, OLD_SEEDS } from "../spec/levelCount.ts";

/** The seeds to try for one level, in order. */
export type Candidates = () => Iterable<number>;

/** RAGEN's base of training seeds (config/base.yaml): the run of seed 1 has 10000, 10001, ... */
const TRAIN_BASE = 10_000;
/** Demonstrations start here, far from the levels that a run trains on. */
const CLONE_BASE = 2_000_000_000;
/** Distance between the levels of run seeds s and s + 1. */
const RUN_STRIDE = MOST_LEVELS;
/** Step to a replacement; a prime. */
const FAR = 15_485_863;
/** Seeds before revision 2 are below this; those of the other levels start here. */
const HALF = 2 ** 31;
const MOST_TRIES = 1000;

/** Replacements of a level whose seed is the same as in revision 1. */
const LOW_TRIES = 34;
/** Seeds of a run from HALF on: RUN_STRIDE for its levels, the rest to replace them. */
const HIGH_STRIDE = 1_073_000;
const SPARE = HIGH_STRIDE - RUN_STRIDE;

/** More would wrap into the seeds of runs; these follow them, the last below 2^32. */
const CLONE_TRIES = 10;
const CLONE_SPARE = HALF + (MOST_SEED + 1) * HIGH_STRIDE;
const CLONE_SPARES = 400_000;

/** For level n of a run, from 0. */
export function candidatesOfRun(runSeed: number, revision: number): (n: number) => Candidates {
  if (revision >= 2) return (n) => () => ownSeeds(runSeed, n);
  const run = (runSeed + 999) % 1000;
  return (n) => () => farSeeds(TRAIN_BASE + run * RUN_STRIDE + n, MOST_TRIES);
}

/** For the n-th level to demonstrate, from 0; the same for all runs. */
export function candidatesToClone(revision: number): (n: number) => Candidates {
  if (revision >= 2) return (n) => () => ownCloneSeeds(n);
  return (n) => () => farSeeds(CLONE_BASE + n, MOST_TRIES);
}

function* ownCloneSeeds(n: number): Iterable<number> {
  yield* farSeeds(CLONE_BASE + n, CLONE_TRIES);
  for (let t = 0; t < MOST_TRIES; t++) yield CLONE_SPARE + ((n + t * FAR) % CLONE_SPARES);
}

function* farSeeds(first: number, tries: number): Iterable<number> {
  for (let t = 0; t < tries; t++) yield (first + t * FAR) % HALF;
}

/** @param runSeed 0 to 2,000; n below RUN_STRIDE. */
function* ownSeeds(runSeed: number, n: number): Iterable<number> {
  const isLow = runSeed >= OLD_SEEDS.first && runSeed <= OLD_SEEDS.last && n < OLD_LEVELS;
  const high = HALF + runSeed * HIGH_STRIDE;
  if (isLow) yield* farSeeds(TRAIN_BASE + (runSeed - 1) * RUN_STRIDE + n, LOW_TRIES + 1);
  else yield high + n;
  for (let t = 0; t < MOST_TRIES; t++) yield high + RUN_STRIDE + ((n + t * FAR) % SPARE);
}
