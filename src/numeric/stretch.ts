/** Long lists in windows, so that the number of drawn items stays bounded. */

/** From 0; `to` is exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

/** The window with the cursor; the same for any cursor position in it, so that nothing shifts. */
export function stretchAt(place: number, count: number, most: number): Stretch {
  const last = Math.max(0, count - 1);
  const from = Math.floor(Math.min(Math.max(0, place), last) / most) * most;
  return { from, to: Math.min(from + most, count) };
}
