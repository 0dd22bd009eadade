/** The turn guessed in the first screen, for the figure that replaces it: nobody is asked twice. */
let guessed: number | null = null;

/** Counted from 0; null once the first screen is gone. */
export function rememberGuess(turn: number | null): void {
  guessed = turn;
}

export function guessedBefore(): number | null {
  return guessed;
}
