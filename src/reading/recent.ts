/** A cache for the iterations viewed last: a live run has hundreds. */

/** Iterations; the panels show one, and a fork in it. */
export const RECENT_ITERATIONS = 4;

/** A value computed once for each of the last few keys; older ones are evicted, and recomputed on demand. */
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

  /** The value that `of` would return, without computing it. */
  known(key: Key): Value | undefined {
    return this.#made.get(key);
  }
}
