/** Places named of those that could not be read. */
export const MOST_PLACES = 3;

/** A file that cannot be shown: why, and what to do about it. */
export class RefusedError extends Error {
  readonly action: string;

  /** `where`: a sentence on the place in the file, where there is one. */
  constructor([why, action]: readonly [string, string], where = "") {
    super(where === "" ? why : `${why} ${where}`);
    this.name = "RefusedError";
    this.action = action;
  }
}
