/** The current page of an episode in its shop, reconstructed from its actions so far. */
import { pageNodes, type Shop } from "../../env/webshop/pageNodes.ts";
import { renderPage } from "../../env/webshop/render.ts";
import type { ShopPage } from "../../env/webshop/state.ts";
import type { WebShopSpec } from "../../spec/experiment.ts";
import { InputError } from "../../numeric/inputError.ts";
import { generatedShop } from "./generatedShop.ts";
import { here, playTrip, shopOf } from "./trip.ts";

/** Why there is no page to click. */
const OTHER_PAGE =
  "This run’s shop cannot be rebuilt here: the page differs from the recorded one.";

export interface PlayedTrip {
  /** The task's seed. */
  seed: number;
  /** The turns so far; actions are null if a file lacks them. */
  turns: readonly { actions: readonly string[] | null; text: string }[];
  /** What the model saw at that time. */
  seen: string;
}

export interface ShopStanding {
  page: ShopPage;
  shop: Shop;
  ended: boolean;
}

/** Null if the shop made from the spec shows a different page than the run did. */
export function standingOf(
  { catalogSeed, observation, maxTurns }: WebShopSpec,
  { seed, turns, seen }: PlayedTrip,
): ShopStanding | null {
  const catalogue = generatedShop(catalogSeed);
  // As the environment chooses the goal of a seed.
  const goal = seed % catalogue.goals.length;
  const setup = { goal, seed, showAttributes: false, maxTurns };
  // An invalid action did nothing, but used a turn.
  const texts = turns.map(({ actions, text }) => (actions === null ? text : (actions[0] ?? "")));
  const { page, ended } = here(playTrip(catalogue, setup, texts));
  const shop = shopOf(catalogue, setup);
  return renderPage(pageNodes(page, shop), observation) === seen ? { page, shop, ended } : null;
}

/** The same, or why there is no page. */
export function tryStanding(
  environment: WebShopSpec,
  played: PlayedTrip,
): { standing: ShopStanding; problem: null } | { standing: null; problem: string } {
  try {
    const standing = standingOf(environment, played);
    return standing ? { standing, problem: null } : { standing, problem: OTHER_PAGE };
  } catch (error) {
    if (error instanceof InputError) return { standing: null, problem: error.message };
    throw error;
  }
}
