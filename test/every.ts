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
