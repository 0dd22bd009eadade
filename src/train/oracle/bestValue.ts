/** V* of a saved state: what the best player would earn from it, in any environment. */
import type { Discount } from "../../method/credit/discount.ts";
import type { Environment } from "../../env/environment.ts";
import { SokobanEnv } from "../../env/sokoban/sokobanEnv.ts";
import { ShopTask } from "../../env/webshop/shopTask.ts";
import type { World } from "../../rollout/world.ts";
import type { State } from "./branches.ts";
import type { SaidTurn } from "./turnBranches.ts";
import { SokobanOptimum, whyNotExact } from "./sokobanOptimum.ts";
import { parseAction } from "../../env/webshop/parseAction.ts";
import { reachable, searchWords, selects } from "../../env/webshop/expert.ts";
import { productOf } from "../../env/webshop/pageNodes.ts";
import type { Options } from "../../env/webshop/product.ts";
import { computeReward } from "../../env/webshop/reward.ts";
import { RESULTS_PER_PAGE, type SearchTrail } from "../../env/webshop/state.ts";
import type { WebShopEnv } from "../../env/webshop/webshopEnv.ts";
import { greatest } from "../../numeric/lists.ts";

/**
 * V* of each state; NaN if unknown: with a discount per token (the number of tokens that the best
 * player would write is undefined), and if moves can slip (exact search does not support it). [S]
 */
export function bestValues(
  world: World,
  states: readonly State[],
  { gamma, steps }: Discount,
): Float64Array {
  if (steps === "token" && gamma !== 1) return new Float64Array(states.length).fill(NaN);
  let sokoban: SokobanOptimum | null = null;
  const valueOf = (environment: Environment): number => {
    if (world.best) return world.best(environment, gamma);
    if (environment instanceof ShopTask) return shopOptimum(environment.shop, gamma);
    if (!(environment instanceof SokobanEnv)) return NaN;
    if (whyNotExact(environment.options) !== null) return NaN;
    sokoban ??= new SokobanOptimum({ ...environment.options, gamma });
    return sokoban.value(environment);
  };
  return Float64Array.from(states, ({ task, snapshot }) => {
    const environment = world.create(task.seed);
    environment.restore(snapshot);
    return valueOf(environment);
  });
}

/**
 * Q* of each response, an expectation over the environment's randomness: what followed it in the
 * episode also contains luck. NaN if unknown. [K]
 */
export function bestAfterChance(
  world: World,
  turns: readonly SaidTurn[],
  { gamma, steps }: Discount,
): Float64Array {
  const known = world.bestAfter !== undefined && (steps === "turn" || gamma === 1);
  return Float64Array.from(turns, ({ state: { task, snapshot, info }, responseIds }) => {
    if (!known) return NaN;
    const environment = world.create(task.seed);
    environment.restore(snapshot);
    return world.bestAfter!(environment, world.prompter.answer(responseIds, info), gamma);
  });
}

// The maximum that can still be earned in a shop from the shopper's current state, over plans that
// an informed shopper could follow: search with the goal's words if needed, turn pages, open one
// product, choose options, buy. Products that only other search words would find are not
// considered; a plan that never buys earns 0. The reward is paid with the purchase, so a plan of n
// turns is worth gamma^(n-1) times it.

/** A product that can be bought, and the turns needed to open its page. */
interface Offer {
  asin: string;
  turns: number;
  /** Options already chosen there. */
  options: Options;
}

/** V* over such plans; 0 once the shopping is done. */
export function shopOptimum(shop: WebShopEnv, gamma: number): number {
  const { turnsLeft, ended } = shop.snapshot();
  if (ended) return 0;
  let best = 0;
  for (const offer of [...offersHere(shop), ...offersOfSearch(shop)]) {
    // No choice earns more than the best one, and every choice costs a turn.
    const bound = reachable(shop, offer.asin).reward * gamma ** offer.turns;
    if (bound > best) best = Math.max(best, worthOf(shop, offer, turnsLeft, gamma));
  }
  return best;
}

/** The product shown, and those among the results that led here. */
function offersHere({ page }: WebShopEnv): Offer[] {
  if (page.kind === "search" || page.kind === "done") return [];
  if (page.kind === "results") return offersOf(page, 0);
  const own = { asin: page.asin, turns: page.kind === "section" ? 1 : 0, options: page.options };
  return [own, ...offersOf(page, own.turns + 1)];
}

/** Results of a search for the goal's words: it works on every page. */
function offersOfSearch(shop: WebShopEnv): Offer[] {
  const search = `search[${searchWords(shop)}]`;
  if (parseAction(search) === null) return [];
  const saved = shop.snapshot();
  shop.step(search);
  const { page } = shop;
  shop.restore(saved);
  return page.kind === "results" ? offersOf(page, 1) : [];
}

/** `turns`: turns needed to reach the page of results that the trail is on. */
function offersOf({ found, pageNumber }: SearchTrail, turns: number): Offer[] {
  return found.flatMap((asin, i) => {
    if (!selects(asin.toLowerCase())) return [];
    const pages = Math.abs(Math.floor(i / RESULTS_PER_PAGE) + 1 - pageNumber);
    return [{ asin, turns: turns + pages + 1, options: {} }];
  });
}

/** The best plan for buying it: with fewer options than wanted if there are no turns left for more, or they do not pay. */
function worthOf(shop: WebShopEnv, offer: Offer, turnsLeft: number, gamma: number): number {
  const { goal, catalogue } = shop;
  const product = productOf(offer.asin, catalogue);
  const wanted = Object.entries(reachable(shop, offer.asin).options);
  const missing = wanted.filter(([name, value]) => offer.options[name] !== value);
  const spare = turnsLeft - offer.turns - 1;
  const worth = subsets(missing).map((choices) => {
    if (choices.length > spare) return 0;
    const options = { ...offer.options, ...Object.fromEntries(choices) };
    const purchase = { product, price: product.price, options };
    const { reward } = computeReward(purchase, goal, catalogue.nouns);
    return reward * gamma ** (offer.turns + choices.length);
  });
  return greatest([0, ...worth]);
}

function subsets<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((all, item) => [...all, ...all.map((set) => [...set, item])], [[]]);
}
