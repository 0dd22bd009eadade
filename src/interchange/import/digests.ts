/** Digests by digest, up to 53 bits each, in a sixth of the memory of a Map and without garbage: a large log has millions. */
import { freeBytes } from "../../numeric/bytes.ts";

/** Filled at most so far. */
const FULL = 0.7;

export class Digests {
  /** Keys and values in turn; a key is one more than the digest, 0 where there is none. */
  #cells = new Float64Array(2 << 10);
  #size = 0;

  get(key: number): number | undefined {
    const at = this.#placeOf(key);
    return this.#cells[at] === 0 ? undefined : this.#cells[at + 1];
  }

  set(key: number, value: number): void {
    const at = this.#placeOf(key);
    if (this.#cells[at] === 0) this.#size++;
    this.#cells[at] = key + 1;
    this.#cells[at + 1] = value;
    if (this.#size > (this.#cells.length / 2) * FULL) this.#grow();
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Float64Array(2 * old.length);
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] === 0) continue;
      const at = this.#placeOf(old[i]! - 1);
      this.#cells[at] = old[i]!;
      this.#cells[at + 1] = old[i + 1]!;
    }
    freeBytes(new Uint8Array(old.buffer));
  }

  /** Of the key, or where it would be: the first free one from where its bits say. */
  #placeOf(key: number): number {
    const cells = this.#cells;
    const last = cells.length - 1;
    let at = (key * 2) % cells.length;
    while (cells[at] !== 0 && cells[at] !== key + 1) at = (at + 2) & last & ~1;
    return at;
  }
}
