/** Sequential random choices from the counter-based generator. */
import { uniform, type RandomKey } from "../../numeric/rng.ts";

export class Draws {
  #key: RandomKey;

  /** `key.step` counts up from its initial value. */
  constructor(key: RandomKey) {
    this.#key = { ...key };
  }

  /** In [0, 1). */
  number(): number {
    const drawn = uniform(this.#key);
    this.#key.step += 1;
    return drawn;
  }

  /** Integer in 0..n-1. */
  below(n: number): number {
    return Math.floor(this.number() * n);
  }

  choice<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** `count` different entries, in random order. */
  sample<T>(list: readonly T[], count: number): T[] {
    const rest = [...list];
    return Array.from({ length: count }, () => rest.splice(this.below(rest.length), 1)[0]!);
  }
}
