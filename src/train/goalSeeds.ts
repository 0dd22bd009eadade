/**
 * Which goals of a shop a run trains on, clones and is tested on; a goal's seed is its index. A
 * quarter of the products are held out with all their goals, so no training goal has a held-out
 * goal's product, nor the same instruction text. The split depends on the shop alone.
 */
import type { Catalogue } from "../env/webshop/catalogue.ts";
import { permutation } from "../numeric/rng.ts";
import type { Sliced } from "../numeric/sliced.ts";
import { LEVELS_OF_SET } from "../spec/specChecks.ts";
import { InputError } from "../numeric/inputError.ts";
import type { TaskSeeds, TestSet, TrainingSet } from "./world.ts";

/** One product in this many is held out. */
const HELD_OUT_EVERY = 4;

export class GoalSeeds implements TaskSeeds {
  #heldOut: number[];
  #train: number[];
  #productOf: (goal: number) => string;

  /** @throws InputError if the shop is too small to hold anything out. */
  constructor({ goals }: Catalogue, shopSeed: number) {
    const asins = [...new Set(goals.map(({ asin }) => asin))].sort();
    const order = permutation(asins.length, keyOf(shopSeed, "webshop-held-out", 0));
    const held = new Set(asins.filter((_, i) => order[i]! % HELD_OUT_EVERY === 0));
    const [kept, trained]: [number[], number[]] = [[], []];
    goals.forEach(({ asin }, g) => (held.has(asin) ? kept : trained).push(g));
    const texts = new Set(trained.map((g) => goals[g]!.instruction));
    this.#heldOut = byRounds(
      kept.filter((g) => !texts.has(goals[g]!.instruction)),
      (g) => goals[g]!.asin,
    );
    this.#train = trained;
    this.#productOf = (g) => goals[g]!.asin;
    if (this.#heldOut.length === 0 || trained.length === 0) {
      throw new InputError(`the shop has ${asins.length} products with goals; too few to hold out`);
    }
  }

  /** Nothing to do: other weights have seen only training goals of this shop. */
  exclude(): void {}

  /** As many distinct products as possible come first. */
  heldOut(n: number): number[] {
    return this.#heldOut.slice(0, n);
  }

  /** By product: no product's goals are in both. */
  split(): Record<TestSet, number[]> {
    const products = [...new Set(this.#heldOut.map(this.#productOf))];
    const of = (parity: number) =>
      this.#heldOut
        .filter((g) => products.indexOf(this.#productOf(g)) % 2 === parity)
        .slice(0, LEVELS_OF_SET);
    return { validation: of(0), test: of(1) };
  }

  /** Held-out goals that are in neither set of `split`, in the study's own order; studies of one shop share them. */
  sealed(study: number, n: number): number[] {
    const { validation, test } = this.split();
    const scored = new Set([...validation, ...test]);
    const left = this.#heldOut.filter((g) => !scored.has(g));
    if (left.length < n)
      throw new InputError(
        `sealed.levels is ${n}; the shop has ${left.length} goals that no other score uses`,
      );
    const order = permutation(left.length, keyOf(study, "webshop-sealed", 0));
    return Array.from({ length: n }, (_, i) => left[order[i]!]!);
  }

  /** Walks through the run's own order of the goals; with a pool, of the first `pool` of them. */
  train(runSeed: number, iteration: number, { tasks, episodes, pool }: TrainingSet): number[] {
    const order = permutation(this.#train.length, keyOf(runSeed, "webshop-train", 0));
    const count = pool > 0 ? Math.min(pool, order.length) : order.length;
    const first = (iteration - 1) * (pool > 0 ? tasks : episodes);
    return Array.from({ length: tasks }, (_, i) => this.#train[order[(first + i) % count]!]!);
  }

  clone(n: number): number[] {
    const order = permutation(this.#train.length, keyOf(0, "webshop-clone", 0));
    return Array.from({ length: n }, (_, i) => this.#train[order[i % order.length]!]!);
  }

  // Goals come with their shop and need no making.
  *heldOutSliced(n: number): Sliced<number[]> {
    return this.heldOut(n);
  }

  *trainSliced(runSeed: number, iteration: number, set: TrainingSet): Sliced<number[]> {
    return this.train(runSeed, iteration, set);
  }

  *cloneSliced(n: number): Sliced<number[]> {
    return this.clone(n);
  }
}

function keyOf(seed: number, stream: string, iteration: number) {
  return { seed, stream, iteration, trajectory: 0, step: 0 };
}

/** One item of each group, then a second of each, and so on. */
function byRounds(items: number[], groupOf: (item: number) => string): number[] {
  const seen = new Map<string, number>();
  const rounds = items.map((item) => {
    const round = seen.get(groupOf(item)) ?? 0;
    seen.set(groupOf(item), round + 1);
    return { item, round };
  });
  return rounds.sort((a, b) => a.round - b.round).map(({ item }) => item);
}
