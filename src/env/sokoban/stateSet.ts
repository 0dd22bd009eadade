/** A set of short rows of small integers: hundreds of thousands of them, without a string for each. */

const FIRST_ROWS = 1024;

export class StateSet {
  #width: number;
  /** The rows in insertion order. [capacity, width] */
  #rows: Uint16Array;
  /** 1 + the row that hashes here, 0 for an empty slot; at most half of the slots are used. [2 x capacity] */
  #places: Int32Array;
  #size = 0;

  constructor(width: number) {
    this.#width = width;
    this.#rows = new Uint16Array(FIRST_ROWS * width);
    this.#places = new Int32Array(2 * FIRST_ROWS);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether the row is new. */
  add(row: Uint16Array): boolean {
    const mask = this.#places.length - 1;
    let place = hashOf(row, 0, this.#width) & mask;
    for (let at = this.#places[place]!; at !== 0; at = this.#places[place]!) {
      if (this.#equals(row, (at - 1) * this.#width)) return false;
      place = (place + 1) & mask;
    }
    const start = this.#size * this.#width;
    for (let i = 0; i < this.#width; i++) this.#rows[start + i] = row[i]!;
    this.#places[place] = ++this.#size;
    if (2 * this.#size >= this.#places.length) this.#grow();
    return true;
  }

  #equals(row: Uint16Array, start: number): boolean {
    for (let i = 0; i < this.#width; i++) if (this.#rows[start + i] !== row[i]) return false;
    return true;
  }

  #grow(): void {
    const rows = new Uint16Array(2 * this.#rows.length);
    rows.set(this.#rows);
    this.#rows = rows;
    this.#places = new Int32Array(2 * this.#places.length);
    const mask = this.#places.length - 1;
    for (let n = 0; n < this.#size; n++) {
      let place = hashOf(rows, n * this.#width, this.#width) & mask;
      while (this.#places[place] !== 0) place = (place + 1) & mask;
      this.#places[place] = n + 1;
    }
  }
}

/** FNV-1a over the numbers, mixed so that the low bits depend on all of them. */
function hashOf(numbers: Uint16Array, start: number, width: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < start + width; i++) hash = Math.imul(hash ^ numbers[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}
