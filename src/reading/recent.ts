/** What is remembered of the iterations that were looked at last: a live run has hundreds. */

/** Iterations; the panels look at one, and at a fork in it. */
export const RECENT_ITERATIONS = 4;

/** Something made once for each of the last few keys; that of older ones is forgotten, and made anew if asked for. */
export class Recent<Key extends object, Value> {
  #made = new Map<Key, Value>();
  #make: (key: Key) => Value;

  constructor(make: (key: Key) => Value) {
    this.#make = make;
  }

  of(key: Key): Value {
    const value = this.#made.has(key) ? this.#made.get(key)! : this.#make(key);
    this.#made.delete(key);
    this.#made.set(key, value);
    if (this.#made.size > RECENT_ITERATIONS) this.#made.delete(this.#made.keys().next().value!);
    return value;
  }

  /** What `of` would give without making it. */
  known(key: Key): Value | undefined {
    return this.#made.get(key);
  }
}
