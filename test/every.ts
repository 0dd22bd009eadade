/**
 * Tests that go through all shapes, rows, looks or moments: `npm test` takes one or two of each kind, `npm run test:rest` all of them, in
 * the projects `every` and `screens`.
 */
export const EVERY = process.env["TURNBOOK_EVERY"] === "1";

/** All of them there, otherwise those that are taken. Throws where none is left, so that a name that has changed is noticed. */
export function some<T>(all: readonly T[], isTaken: (one: T) => boolean): T[] {
  const taken = all.filter((one) => EVERY || isTaken(one));
  if (taken.length === 0) throw new Error("some(): none of the cases is taken");
  return taken;
}

/** Counts days; TURNBOOK_DAY repeats one that is over. */
const DAY = Number(process.env["TURNBOOK_DAY"] ?? Math.floor(Date.now() / 86_400_000));

/** Takes those that are always taken, and of the others each day another share, so that all have had their turn after as many days as there are shares. */
export function byTurns<T>(all: readonly T[], shares: number, isAlways: (one: T) => boolean): T[] {
  const others = all.filter((one) => !isAlways(one));
  return some(all, (one) => isAlways(one) || (others.indexOf(one) + DAY) % shares === 0);
}
