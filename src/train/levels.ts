/**
 * Which level seeds a run trains on, clones and is tested on. Held-out levels come first: they are
 * the first distinct boards of RAGEN's validation seeds (123, 124, ...), and every training seed
 * with one of their boards is skipped. So no held-out board is ever in a training set, whatever the
 * spec. `levelNumbers.ts` assigns seeds to runs.
 */
import { runWhole, type Sliced } from "../numeric/sliced.ts";
import { InputError } from "../numeric/inputError.ts";
import { candidatesOfRun, candidatesToClone, type Candidates } from "./levelNumbers.ts";
import type { TaskSeeds, TestSet, TrainingSet } from "./world.ts";

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
      "environment has too few distinct levels to train on boards that are not held out; use a larger size or fewer evaluation.levels",
    );
  }

  *#board(seed: number): Sliced<string> {
    const { boardOf, making } = this.#levels;
    if (making) yield* making(seed);
    yield;
    return boardOf(seed);
  }
}
