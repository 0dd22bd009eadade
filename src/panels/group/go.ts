/** How parts of the panel move the cursor. */

/** Moves the cursor. */
export type GoToTurn = (episode: number, turn?: number) => void;
