/**
 * An episode to be watched page by page: its setup, and its pages with the element that each turn
 * uses.
 */
import type { Catalogue } from "../../env/webshop/catalogue.ts";
import type { Policy } from "../../env/webshop/policies.ts";
import type { WebShopSnapshot } from "../../env/webshop/webshopEnv.ts";
import {
  elementOf,
  tripEnvironment,
  playTrip,
  shopOf,
  standBefore,
  type ElementKey,
  type Trip,
  type TripSetup,
} from "./trip.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import type { WebShopSpec } from "../../spec/experiment.ts";
import { generatedShop } from "./generatedShop.ts";

/** From any source: a person, an expert, or the recorded responses of a model in training. */
export interface ShopEpisode {
  catalogue: Catalogue;
  setup: TripSetup;
  /** One text per turn, as passed to the environment. */
  texts: readonly string[];
}

export interface Frame {
  stand: WebShopSnapshot;
  /** The text of the turn; null on the last page. */
  text: string | null;
  valid: boolean;
  /** The element that the text uses; null if it does nothing. */
  element: ElementKey | null;
  /** The words of a search; null for anything else. */
  typed: string | null;
}

interface Replay {
  trip: Trip;
  /** One before each turn, and one after the last. */
  frames: Frame[];
  /** Number of texts after the episode's end, which had no effect. */
  leftOut: number;
}

/** The episode that a policy plays. */
export function episodeBy(policy: Policy, catalogue: Catalogue, setup: TripSetup): ShopEpisode {
  const env = tripEnvironment(catalogue, setup);
  env.resetGoal(setup.goal, setup.seed);
  const texts: string[] = [];
  while (!env.snapshot().ended) {
    const text = policy(env);
    texts.push(text);
    env.step(text);
  }
  return { catalogue, setup, texts };
}

export function replayOf({ catalogue, setup, texts }: ShopEpisode): Replay {
  const trip = playTrip(catalogue, setup, texts);
  const frames = Array.from({ length: trip.turns.length + 1 }, (_, i) =>
    frameOf(catalogue, trip, i),
  );
  return { trip, frames, leftOut: texts.length - trip.turns.length };
}

function frameOf(catalogue: Catalogue, trip: Trip, at: number): Frame {
  const stand = standBefore(trip, at);
  const turn = trip.turns[at];
  if (!turn) return { stand, text: null, valid: true, element: null, typed: null };
  const { text, valid, action } = turn;
  const element = elementOf(stand.page, text, shopOf(catalogue, trip.setup));
  const typed = action?.name === "search" ? action.argument : null;
  return { stand, text, valid, element, typed };
}

/**
 * A training run's record of an episode, prepared to be watched in the shop.
 *
 * The record's shop and goal, whose index is the episode's seed, and for each turn the executed
 * action, which a model may have worded differently; a turn without one keeps the model's own text.
 * @throws InputError if the run's environment is not a shop; recordings come from anywhere.
 */
export function recordedEpisode(record: EpisodeRecord, environment: WebShopSpec): ShopEpisode {
  const { catalogSeed, maxTurns } = environment;
  if (typeof catalogSeed !== "number") {
    const given = show(catalogSeed);
    throw new InputError(`environment.catalogSeed is ${given}; it must be a whole number`);
  }
  const setup = { goal: record.seed, seed: record.seed, showAttributes: false, maxTurns };
  return { catalogue: generatedShop(catalogSeed), setup, texts: textsOf(record) };
}

/** The executed action of each turn, which a model may have worded differently; without one, the model's own text. */
export function textsOf({ turns }: EpisodeRecord): string[] {
  return turns.map(({ actions, text }) => actions?.[0] ?? text);
}
