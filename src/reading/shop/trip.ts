/**
 * One shopping trip as data: where it began, what was written, and what each text led to. A person's
 * trip and a model's episode are the same thing here, so either can be watched again.
 */
import type { Catalogue } from "../../env/webshop/catalogue.ts";
import { clickablesOf } from "../../env/webshop/clickables.ts";
import { pageNodes, type PageNode, type Shop } from "../../env/webshop/pageNodes.ts";
import type { ShopAction } from "../../env/webshop/parseAction.ts";
import { parseAction } from "../../env/webshop/parseAction.ts";
import type { ShopPage } from "../../env/webshop/state.ts";
import { WebShopEnv, WEBSHOP_DEFAULTS } from "../../env/webshop/webshopEnv.ts";
import type { WebShopSnapshot } from "../../env/webshop/webshopEnv.ts";

/** All that decides an episode, its texts aside. */
export interface TripSetup {
  /** Position in the catalogue's goals. */
  goal: number;
  /** Draws the results of `<r>`. */
  seed: number;
  /** Whether item pages offer the attributes; WebShop's `show_attrs`. */
  showAttributes: boolean;
  maxTurns: number;
}

interface TripTurn {
  /** As it was written. */
  text: string;
  /** null when the text was none. */
  action: ShopAction | null;
  /** Whether it did something. */
  valid: boolean;
  after: WebShopSnapshot;
}

export interface Trip {
  setup: TripSetup;
  start: WebShopSnapshot;
  turns: readonly TripTurn[];
}

/** What a person's trip begins with: the item pages show all that the shop knows. */
export const TRIP_DEFAULTS: Omit<TripSetup, "goal"> = {
  seed: 0,
  showAttributes: true,
  maxTurns: WEBSHOP_DEFAULTS.maxTurns,
};

/** @throws InputError naming what in the setup is wrong. */
export function beginTrip(catalogue: Catalogue, setup: TripSetup): Trip {
  const env = tripEnvironment(catalogue, setup);
  env.resetGoal(setup.goal, setup.seed);
  return { setup, start: env.snapshot(), turns: [] };
}

/** The trip with one more turn. @throws Error when it has ended. */
export function takeTurn(catalogue: Catalogue, trip: Trip, text: string): Trip {
  const env = tripEnvironment(catalogue, trip.setup);
  env.restore(here(trip));
  const { info } = env.step(text);
  const turn = { text, action: info.action, valid: info.valid, after: env.snapshot() };
  return { ...trip, turns: [...trip.turns, turn] };
}

/** The trip that these texts make; those after its end are left out. */
export function playTrip(catalogue: Catalogue, setup: TripSetup, texts: readonly string[]): Trip {
  let trip = beginTrip(catalogue, setup);
  for (const text of texts) {
    if (here(trip).ended) break;
    trip = takeTurn(catalogue, trip, text);
  }
  return trip;
}

export function tripEnvironment(catalogue: Catalogue, setup: TripSetup): WebShopEnv {
  const { showAttributes, maxTurns } = setup;
  return new WebShopEnv(catalogue, { showAttributes, maxTurns });
}

/** Where the trip has come to. */
export function here({ start, turns }: Trip): WebShopSnapshot {
  return turns.at(-1)?.after ?? start;
}

/** Where the trip stood before its turn of that number, from 0; after the last: where it ended. */
export function standBefore({ start, turns }: Trip, turn: number): WebShopSnapshot {
  return turn === 0 ? start : turns[turn - 1]!.after;
}

/** What pages of this trip are made from. */
export function shopOf(catalogue: Catalogue, { goal, showAttributes }: TripSetup): Shop {
  return { catalogue, goal: catalogue.goals[goal]!, showAttributes };
}

/** Names one element of a page, the same in its data and on the screen. */
export type ElementKey = string;

function keyOf(node: PageNode): ElementKey {
  return node.role === "option"
    ? `option:${node.group}:${node.text}`
    : `${node.role}:${nameOf(node)}`;
}

function nameOf(node: PageNode): string {
  return node.role === "searchBar" ? "" : node.text;
}

/** The search box, which a search also uses on pages that show none. */
export const SEARCH_BAR: ElementKey = "searchBar:";

/** The element that this text uses on this page; null when it does nothing there. */
export function elementOf(page: ShopPage, text: string, shop: Shop): ElementKey | null {
  const action = parseAction(text);
  if (!action) return null;
  if (action.name === "search") return SEARCH_BAR;
  if (action.argument === "search") return null;
  const target = clickablesOf(pageNodes(page, shop)).get(action.argument);
  return target ? keyOf(target) : null;
}

/** One action a line, as the command line's `--actions` takes them; the final newline is no line. */
export function actionLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\r/g, "").replace(/\n$/, "").split("\n");
}
