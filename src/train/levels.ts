/**
 * Which level seeds a run trains on, clones and is tested on. Held-out levels come first: they are
 * the first distinct boards of RAGEN's validation seeds (123, 124, ...), and every training seed
 * with one of their boards is skipped. So no held-out board is ever in a training set, whatever the
 * spec. `levelNumbers.ts` assigns seeds to runs.
 */
import { runWhole, type Sliced } from "../numeric/sliced.ts";
import { InputError } from "../numeric/inputError.ts";
import type { TaskSeeds, TestSet, TrainingSet } from "./world.ts";
import {
  LAST_STUDY_SEED,
  MOST_LEVELS,
  MOST_SEALED,
  MOST_SEED,
  OLD_LEVELS,
  OLD_SEEDS,
  SEALED_RUNS,
} from "../spec/levelCount.ts";

/** RAGEN's base of validation seeds (config/base.yaml). */
const HELD_OUT_BASE = 123;
/** Total number of held-out boards, whether or not a run evaluates on all of them. */
export const HELD_OUT_LEVELS = 512;
/** Returns a level's identity: equal for equal boards. */
type BoardOf = (seed: number) => string;

interface Levels {
  boardOf: BoardOf;
  /** Generates a level in slices, so that `boardOf` finds it. Absent: levels take no time. */
  making?: (seed: number) => Sliced<unknown>;
  /** This level will be requested again and again. */
  keep?: (seed: number) => void;
}

export class LevelSeeds implements TaskSeeds {
  #levels: Levels;
  #heldOut: number[] = [];
  #heldOutBoards = new Set<string>();
  #seenBoards = new Set<string>();
  #nextHeldOut = HELD_OUT_BASE;

  constructor(levels: Levels | BoardOf) {
    this.#levels = typeof levels === "function" ? { boardOf: levels } : levels;
  }

  /** Boards that pretrained weights have seen: never held out. Call before `heldOut`. */
  exclude(boards: Iterable<string>): void {
    for (const board of boards) this.#seenBoards.add(board);
  }

  /** Seeds of the first n held-out levels, all boards distinct. [n] */
  heldOut(n: number): number[] {
    return runWhole(this.heldOutSliced(n));
  }

  *heldOutSliced(n: number, onLevel?: (made: number) => void): Sliced<number[]> {
    // Without this, a level family with fewer distinct boards than requested would search for ever.
    const last = HELD_OUT_BASE + 100 * n + 1000;
    while (this.#heldOut.length < n && this.#nextHeldOut < last) {
      const seed = this.#nextHeldOut++;
      const board = yield* this.#board(seed);
      if (this.#heldOutBoards.has(board) || this.#seenBoards.has(board)) continue;
      this.#heldOutBoards.add(board);
      this.#heldOut.push(seed);
      this.#levels.keep?.(seed);
      onLevel?.(this.#heldOut.length);
    }
    return this.#heldOut.slice(0, n);
  }

  /** Two halves: all boards are distinct. */
  split(): Record<TestSet, number[]> {
    const all = this.heldOut(HELD_OUT_LEVELS);
    const half = Math.ceil(all.length / 2);
    return { validation: all.slice(0, half), test: all.slice(half) };
  }

  /** From the levels of run seeds 1001 to 2000 of revision 2, which a study does not train on. */
  sealed(study: number, n: number, trained: Iterable<number>): number[] {
    this.heldOut(HELD_OUT_LEVELS);
    const taken = new Set([...this.#heldOutBoards, ...this.#seenBoards]);
    const boardOf = (seed: number) => runWhole(this.#board(seed));
    for (const seed of trained) taken.add(boardOf(seed));
    const first = Math.floor(study / SEALED_RUNS) * MOST_SEALED;
    const levels = candidatesOfRun(LAST_STUDY_SEED + 1 + (study % SEALED_RUNS), 2);
    return Array.from({ length: n }, (_, i) => {
      for (const seed of levels(first + i)()) {
        const board = boardOf(seed);
        if (taken.has(board)) continue;
        taken.add(board);
        return seed;
      }
      throw new InputError(
        `sealed.levels is ${n}; the environment has too few levels that no run has seen: use fewer, or a larger size`,
      );
    });
  }

  /**
   * The training seeds of one iteration (from 1) of a run. With a pool of P levels an algorithm
   * cycles through them; without one, each iteration has `episodes` new levels, and an algorithm
   * with fewer tasks takes the first of them. Only the boards requested by `heldOut` so far are
   * avoided. [tasks]
   */
  train(runSeed: number, iteration: number, set: TrainingSet): number[] {
    return runWhole(this.trainSliced(runSeed, iteration, set));
  }

  trainSliced(
    runSeed: number,
    iteration: number,
    { tasks, episodes, pool, revision = 1 }: TrainingSet,
    onLevel?: (made: number) => void,
  ): Sliced<number[]> {
    const first = (iteration - 1) * (pool > 0 ? tasks : episodes);
    const numbers = Array.from({ length: tasks }, (_, i) =>
      pool > 0 ? (first + i) % pool : first + i,
    );
    return this.#seeds(numbers.map(candidatesOfRun(runSeed, revision)), onLevel);
  }

  /** Seeds of n levels to demonstrate. [n] */
  clone(n: number, revision = 1): number[] {
    return runWhole(this.cloneSliced(n, revision));
  }

  cloneSliced(n: number, revision = 1, onLevel?: (made: number) => void): Sliced<number[]> {
    const levels = Array.from({ length: n }, (_, i) => i);
    return this.#seeds(levels.map(candidatesToClone(revision)), onLevel);
  }

  /** For each level the first candidate whose board is not held out. */
  *#seeds(levels: Candidates[], onLevel?: (made: number) => void): Sliced<number[]> {
    const seeds: number[] = [];
    for (const candidates of levels) {
      seeds.push(yield* this.#notHeldOut(candidates));
      onLevel?.(seeds.length);
    }
    return seeds;
  }

  *#notHeldOut(candidates: Candidates): Sliced<number> {
    for (const seed of candidates())
      if (!this.#heldOutBoards.has(yield* this.#board(seed))) return seed;
    throw new InputError(
      "environment has too few distinct levels to train on those that are not held out; use a larger size or fewer evaluation.levels",
    );
  }

  *#board(seed: number): Sliced<string> {
    const { boardOf, making } = this.#levels;
    if (making) yield* making(seed);
    yield;
    return boardOf(seed);
  }
}

// Level seeds by run: level n of a run, the levels that replace it if its board is held out, and
// those for cloning.
// Since revision 2 no level seed belongs to two runs of seeds 0 to 2,000, nor to a run and to
// cloning, as long as none needs over a million levels (`spec/levelCount.ts`). All ranges, with M =
// 1,000,000, F = 15,485,863 and L = 28,274:
// 123 ...                held out: a training seed of an equal board is replaced
// 10,000 + (s-1) M + n   levels n < L of runs of seed s from 1 to 1,000
// ... + t F              the t-th replacement, t < 35
// 2,000,000,000 + n      cloning, at most 100,000
// 2^31 + 1,073,000 s + n all other levels of a run, up to M, then 73,000 for their replacements
// ... after seed 2,000   more replacements of cloned levels
// F mod M is 485,863, and t 485,863 mod M is at least L away from 0 and from M for t from 1 to 34.
// So a replacement is never a run's level n < L, and the t-th replacement of one level equals the
// u-th of another only if levels and numbers are the same. Below 2^32 in all.

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
