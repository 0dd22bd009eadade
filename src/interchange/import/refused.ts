/** A file that cannot be shown: why, and what to do about it. */
export class RefusedError extends Error {
  readonly action: string;

  constructor([why, action]: readonly [string, string]) {
    super(why);
    this.name = "RefusedError";
    this.action = action;
  }
}
