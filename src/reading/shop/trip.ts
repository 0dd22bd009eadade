/**
 * One shopping trip as data: its start, the texts, and the effect of each. A person's trip and a
 * model's episode have the same form here, so either can be replayed.
 */
import type { Catalogue } from "../../env/webshop/catalogue.ts";
import { clickablesOf } from "../../env/webshop/clickables.ts";
import { pageNodes, type PageNode, type Shop } from "../../env/webshop/pageNodes.ts";
import type { ShopAction } from "../../env/webshop/parseAction.ts";
import { parseAction } from "../../env/webshop/parseAction.ts";
import type { ShopPage } from "../../env/webshop/state.ts";
import { WebShopEnv, WEBSHOP_DEFAULTS } from "../../env/webshop/webshopEnv.ts";
import type { WebShopSnapshot } from "../../env/webshop/webshopEnv.ts";

/** Everything that determines an episode, except its texts. */
export interface TripSetup {
  /** Index in the catalogue's goals. */
  goal: number;
  /** Draws the results of `<r>`. */
  seed: number;
  /** Whether item pages offer the attributes; WebShop's `show_attrs`. */
  showAttributes: boolean;
  maxTurns: number;
}

interface TripTurn {
  /** As it was typed. */
  text: string;
  /** null if the text is not an action. */
  action: ShopAction | null;
  /** Whether it had an effect. */
  valid: boolean;
  after: WebShopSnapshot;
}

export interface Trip {
  setup: TripSetup;
  start: WebShopSnapshot;
  turns: readonly TripTurn[];
}

/** Defaults for a person's trip: the item pages show everything. */
export const TRIP_DEFAULTS: Omit<TripSetup, "goal"> = {
  seed: 0,
  showAttributes: true,
  maxTurns: WEBSHOP_DEFAULTS.maxTurns,
};

/** @throws InputError naming the invalid part of the setup. */
export function beginTrip(catalogue: Catalogue, setup: TripSetup): Trip {
  const env = tripEnvironment(catalogue, setup);
  env.resetGoal(setup.goal, setup.seed);
  return { setup, start: env.snapshot(), turns: [] };
}

/** The trip with one more turn. @throws Error if it has ended. */
export function takeTurn(catalogue: Catalogue, trip: Trip, text: string): Trip {
  const env = tripEnvironment(catalogue, trip.setup);
  env.restore(here(trip));
  const { info } = env.step(text);
  const turn = { text, action: info.action, valid: info.valid, after: env.snapshot() };
  return { ...trip, turns: [...trip.turns, turn] };
}

/** The trip that these texts produce; texts after its end are left out. */
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

/** The trip's current state. */
export function here({ start, turns }: Trip): WebShopSnapshot {
  return turns.at(-1)?.after ?? start;
}

/** The trip's state before its turn of that index, from 0; after the last: its end. */
export function standBefore({ start, turns }: Trip, turn: number): WebShopSnapshot {
  return turn === 0 ? start : turns[turn - 1]!.after;
}

/** The data that this trip's pages are made from. */
export function shopOf(catalogue: Catalogue, { goal, showAttributes }: TripSetup): Shop {
  return { catalogue, goal: catalogue.goals[goal]!, showAttributes };
}

/** Identifies an element of a page, in its data and on the screen. */
export type ElementKey = string;

function keyOf(node: PageNode): ElementKey {
  return node.role === "option"
    ? `option:${node.group}:${node.text}`
    : `${node.role}:${nameOf(node)}`;
}

function nameOf(node: PageNode): string {
  return node.role === "searchBar" ? "" : node.text;
}

/** The search box; a search uses this key also on pages without one. */
export const SEARCH_BAR: ElementKey = "searchBar:";

/** The element that this text uses on this page; null if it has no effect there. */
export function elementOf(page: ShopPage, text: string, shop: Shop): ElementKey | null {
  const action = parseAction(text);
  if (!action) return null;
  if (action.name === "search") return SEARCH_BAR;
  if (action.argument === "search") return null;
  const target = clickablesOf(pageNodes(page, shop)).get(action.argument);
  return target ? keyOf(target) : null;
}

/**
 * One action per line, as for the command line's `--actions`; a final newline does not start a
 * line.
 */
export function actionLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\r/g, "").replace(/\n$/, "").split("\n");
}
