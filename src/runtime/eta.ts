/** Time left, from the recent rate: early iterations compile, and a pause does not count. */

interface ProgressMark {
  at: number;
  done: number;
}

/** Number of units that the rate is averaged over. */
const WINDOW = 12;

export class Eta {
  #marks: ProgressMark[] = [];
  #total = 0;

  /**
   * Records that `done` of `total` units are done at this time; returns seconds left, null while
   * unknown.
   */
  note(done: number, total: number, milliseconds: number): number | null {
    const last = this.#marks.at(-1);
    // Another kind of work begins, e.g. after cloning.
    if (total !== this.#total || done < (last?.done ?? 0)) this.#marks = [];
    this.#total = total;
    if (done !== this.#marks.at(-1)?.done) this.#marks.push({ at: milliseconds, done });
    if (this.#marks.length > WINDOW + 1) this.#marks.shift();
    const [first, newest] = [this.#marks[0]!, this.#marks.at(-1)!];
    if (newest.done === first.done) return null;
    const each = (newest.at - first.at) / (newest.done - first.done);
    return Math.max(0, (each * (total - newest.done) - (milliseconds - newest.at)) / 1000);
  }

  /** The run was paused for this long. */
  skip(milliseconds: number): void {
    for (const mark of this.#marks) mark.at += milliseconds;
  }
}
