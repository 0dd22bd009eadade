/** Which iterations of a run a recording keeps episodes, weights and true values of. */

export interface Keeps {
  /** Whether an iteration's episodes are kept. */
  keep: (iteration: number) => boolean;
  /** Iterations after which the weights are kept; the start needs none. */
  checkpoints: number[];
  /** Iterations whose first episodes get their true values: those whose policy is kept, and the last. */
  truths: number[];
}

/** iterations: of the run. every: keeps each so manieth, the first, the last, and the one that the middle's weights played. */
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
