/** How parts of the panel move the cursor. */

/** Moves the cursor. */
export type Go = (episode: number, turn?: number) => void;
