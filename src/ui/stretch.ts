/** Long lists a stretch at a time, so that what is drawn never grows with them. */

/** From 0; `to` is not drawn. */
export interface Stretch {
  from: number;
  to: number;
}

/** The stretch with the cursor's place; the same wherever in it the cursor stands, so that nothing shifts. */
export function stretchAt(place: number, count: number, most: number): Stretch {
  const last = Math.max(0, count - 1);
  const from = Math.floor(Math.min(Math.max(0, place), last) / most) * most;
  return { from, to: Math.min(from + most, count) };
}
