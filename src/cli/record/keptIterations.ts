/** The iterations of a run whose episodes, weights and true values a recording stores. */

export interface Keeps {
  /** Whether an iteration's episodes are stored. */
  keep: (iteration: number) => boolean;
  /** Iterations after which the weights are stored; the start needs none. */
  checkpoints: number[];
  /** Iterations whose first episodes get true values: those whose policy is stored, and the last. */
  truths: number[];
}

/** iterations: of the run. every: stores one in this many, the first, the last, and the one that the middle's weights played. */
export function keepsOf(iterations: number, every: number): Keeps {
  const middle = Math.floor(iterations / 2);
  const played = [1, middle + 1, iterations];
  return {
    keep: (n) => n % every === 0 || played.includes(n),
    checkpoints: unique([middle, iterations]).filter((n) => n > 0),
    truths: unique(played.filter((n) => n <= iterations)),
  };
}

function unique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
