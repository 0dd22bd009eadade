/** How parts of the panel move the cursor. */

/** Moves the cursor. */
export type GoToken = (turn: number, token: number | null) => void;
