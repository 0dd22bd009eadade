/** Levels by seed: the algorithms of an experiment play the same ones, groups play each many times. */
import type { Board } from "../env/sokoban/board.ts";
import { generating, type LevelOptions } from "../env/sokoban/generate.ts";
import { runWhole, type Sliced } from "../numeric/sliced.ts";

/** Levels that are remembered besides those kept for good. */
const MOST_REMEMBERED = 4096;

export class LevelStore {
  #options: LevelOptions;
  #kept = new Map<number, Board>();
  #recent = new Map<number, Board>();

  constructor(options: LevelOptions) {
    this.#options = options;
  }

  get(seed: number): Board {
    return runWhole(this.making(seed));
  }

  /** Makes the level where it is not remembered. */
  *making(seed: number): Sliced<Board> {
    const known = this.#kept.get(seed) ?? this.#recent.get(seed);
    if (known) return known;
    const { board } = yield* generating(seed, this.#options);
    // Oldest first: a run walks through its seeds and seldom comes back.
    if (this.#recent.size >= MOST_REMEMBERED)
      this.#recent.delete(this.#recent.keys().next().value!);
    this.#recent.set(seed, board);
    return board;
  }

  /** Never forgets this level: every evaluation plays it. */
  keep(seed: number): void {
    this.#kept.set(seed, this.get(seed));
  }
}
