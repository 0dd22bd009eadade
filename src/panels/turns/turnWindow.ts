/** Long episodes a stretch at a time: fifty turns with their boards are many screens tall. */

/** Turns that are drawn at once. */
export const MOST_TURNS = 12;

/** From 0; `to` is not drawn. */
export interface Stretch {
  from: number;
  to: number;
}

/** The stretch with the cursor's turn; the same wherever in it the cursor stands, so that nothing shifts. */
export function stretchAt(turn: number, count: number): Stretch {
  const last = Math.max(0, count - 1);
  const from = Math.floor(Math.min(Math.max(0, turn), last) / MOST_TURNS) * MOST_TURNS;
  return { from, to: Math.min(from + MOST_TURNS, count) };
}
