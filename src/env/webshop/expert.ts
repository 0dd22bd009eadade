/**
 * A shopper who sees the reward: searches with the goal's words, opens the product that can earn
 * the most, sets the requested options and buys. It uses only the current state, so it can continue
 * from anywhere, including after mistakes.
 */
import type { Catalogue } from "./catalogue.ts";
import { availableOf, clickablesOf } from "./clickables.ts";
import { Draws } from "./draws.ts";
import type { Policy } from "./policies.ts";
import { productOf } from "./pageNodes.ts";
import { parseAction } from "./parseAction.ts";
import type { Goal, Options, Product } from "./product.ts";
import { computeReward } from "./reward.ts";
import {
  RESULTS_PER_PAGE,
  SECTIONS,
  shownResults,
  type ItemPage,
  type SearchTrail,
  type ItemTrail,
} from "./state.ts";
import type { WebShopEnv } from "./webshopEnv.ts";

/** How often it acts randomly, and from which draws. */
interface Noise {
  /** 0 to 1: share of turns on which it takes a random listed action. */
  share: number;
  seed: number;
  episode: number;
}

/** The expert; with noise, every turn is either its best or a random listed action. */
export function expert(noise?: Noise): Policy {
  if (!noise || noise.share === 0) return bestAction;
  const { seed, episode } = noise;
  const key = { seed, stream: "webshop-noise", iteration: episode, trajectory: 0, step: 0 };
  const draws = new Draws(key);
  return (env) => (draws.number() < noise.share ? anyAction(env, draws) : bestAction(env));
}

function anyAction(env: WebShopEnv, draws: Draws): string {
  const { has_search_bar, clickables } = availableOf(env.nodes);
  return has_search_bar ? bestAction(env) : `click[${draws.choice(clickables)}]`;
}

function bestAction(env: WebShopEnv): string {
  const { page } = env;
  switch (page.kind) {
    case "search":
      return `search[${searchWords(env)}]`;
    case "results":
      return nextToBest(env, page);
    case "section":
      return "click[< prev]";
    case "item":
      return onItem(env, page);
    case "done":
      throw new Error("the shopping is done");
  }
}

/** Characters that an action's argument cannot contain. */
const UNNAMEABLE = /[[\]\n]/g;

/** Attributes, kind of product and wanted options: words of the instruction, in its order. */
export function searchWords({ goal }: WebShopEnv): string {
  const options = Object.values(goal.options);
  const words = [...goal.attributes, goal.query, ...options].join(" ");
  return words.toLowerCase().replace(UNNAMEABLE, " ");
}

/** Opens the best product found, turning pages if needed; after someone else's search, looks for better results. */
function nextToBest(env: WebShopEnv, page: SearchTrail): string {
  const best = bestFound(env, page);
  const own = searchWords(env);
  const others = page.keywords.join(" ") !== own;
  if (others && (best === null || reachable(env, best).reward < 1)) return `search[${own}]`;
  if (best === null) return "click[back to search]";
  if (shownResults(page).includes(best)) return `click[${best.toLowerCase()}]`;
  const onPage = Math.floor(page.found.indexOf(best) / RESULTS_PER_PAGE) + 1;
  return onPage > page.pageNumber ? "click[next >]" : "click[< prev]";
}

/** The first of the found products that can earn the most; null if none can be opened. */
function bestFound(env: WebShopEnv, { found }: SearchTrail): string | null {
  let best: string | null = null;
  let most = -1;
  for (const asin of found) {
    if (!selects(asin.toLowerCase())) continue;
    const reward = reachable(env, asin).reward;
    if (reward > most) [best, most] = [asin, reward];
  }
  return best;
}

/** Sets the next option that earns something, else buys; leaves a product that is not the best. */
function onItem(env: WebShopEnv, page: ItemPage): string {
  const best = reachable(env, page.asin);
  const other = bestFound(env, page);
  const worse = other !== null && reachable(env, other).reward > best.reward;
  // Going back takes three turns until the purchase, without options.
  if (worse && env.snapshot().turnsLeft > 3) return "click[< prev]";
  const clickables = clickablesOf(env.nodes);
  const missing = Object.entries(best.options).find(([name, value]) => {
    const target = clickables.get(value);
    const sets = target?.role === "option" && target.group === name;
    return sets && page.options[name] !== value;
  });
  return missing ? `click[${missing[1]}]` : "click[buy now]";
}

/** Names that click something else, or nothing, before any product or option of that name. */
const TAKEN = new Set<string>([
  ...["search", "back to search", "< prev", "next >", "buy now"],
  ...SECTIONS,
]);

/** Whether a click can name this product or option unambiguously. */
export function selects(name: string): boolean {
  return !TAKEN.has(name) && parseAction(`click[${name}]`)?.argument === name;
}

interface Reachable {
  reward: number;
  /** The choices that earn it, no more than needed. */
  options: Options;
}

const known = new WeakMap<Goal, Map<string, Reachable>>();

/** The maximum that a product can earn for the goal, cached while the goal stays the same. */
export function reachable({ goal, catalogue }: WebShopEnv, asin: string): Reachable {
  let ofGoal = known.get(goal);
  if (!ofGoal) known.set(goal, (ofGoal = new Map<string, Reachable>()));
  let best = ofGoal.get(asin);
  if (!best) ofGoal.set(asin, (best = bestOptions(productOf(asin, catalogue), goal, catalogue)));
  return best;
}

/**
 * Greedy, group by group: the choice that adds most to those before. One value may satisfy several
 * wishes and so make a later choice worthless; then a better combination may be missed. Only what a
 * click can do counts: a value of several groups sets the last of them.
 */
function bestOptions(product: Product, goal: Goal, { nouns }: Catalogue): Reachable {
  const score = (options: Options) =>
    computeReward({ product, price: product.price, options }, goal, nouns);
  const bare = score({});
  let best: Reachable = { reward: bare.reward, options: {} };
  if (bare.rType === 0) return best;
  const groupOf = new Map(
    product.options.flatMap(({ name, values }) => values.map((value) => [value, name] as const)),
  );
  for (const { name, values } of product.options) {
    for (const value of new Set(values)) {
      if (groupOf.get(value) !== name || !selects(value)) continue;
      const options = { ...best.options, [name]: value };
      const { reward } = score(options);
      if (reward > best.reward) best = { reward, options };
    }
  }
  return best;
}

/**
 * Phi = 1/2 what can still be earned with the products at hand + 1/2 what buying right now would
 * pay, each from 0 to 1. At hand are the products found on pages of results, the opened product on
 * its own pages, and nothing on the search page; so a good search, opening the right product and
 * each attribute or option gained raise it. After buying it is the reward.
 */
export function shopPotential(env: WebShopEnv): number {
  const { page } = env;
  switch (page.kind) {
    case "search":
      return 0;
    case "results": {
      const best = bestFound(env, page);
      return best === null ? 0 : reachable(env, best).reward / 2;
    }
    case "item":
    case "section":
      return (reachable(env, page.asin).reward + buyingNow(env, page)) / 2;
    case "done":
      return page.reward.reward;
  }
}

function buyingNow({ catalogue, goal }: WebShopEnv, { asin, options }: ItemTrail): number {
  const product = productOf(asin, catalogue);
  return computeReward({ product, price: product.price, options }, goal, catalogue.nouns).reward;
}
