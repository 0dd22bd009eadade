/** How near a shopper is to the reward, from the reward's own terms. */
import { bestFound, reachable } from "./expert.ts";
import { productOf } from "./pageNodes.ts";
import { computeReward } from "./reward.ts";
import type { ItemTrail } from "./state.ts";
import type { WebShopEnv } from "./webshopEnv.ts";

/**
 * Phi = 1/2 what can still be earned with what is at hand + 1/2 what buying right now would pay, each from 0 to 1.
 * At hand are the products found on pages of results, the opened product on its own pages, and nothing on the search
 * page; so a good search, opening the right product and each attribute or option gained raise it. After buying it is
 * the reward.
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
