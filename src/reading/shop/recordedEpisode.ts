/** A training run's record of an episode, made ready to be watched in the shop. */
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { InputError, show } from "../../spec/inputError.ts";
import type { WebShopSpec } from "../../spec/experiment.ts";
import { generatedShop } from "./generatedShop.ts";
import type { ShopEpisode } from "./replay.ts";

/**
 * The record's shop and goal, whose number is the episode's seed, and of each turn the executed
 * action, which a model may have said in other words; a turn without one keeps the model's own.
 * @throws InputError when the run's environment names no shop; recordings come from anywhere.
 */
export function recordedEpisode(record: EpisodeRecord, environment: WebShopSpec): ShopEpisode {
  const { catalogSeed, maxTurns } = environment;
  if (typeof catalogSeed !== "number") {
    const given = show(catalogSeed);
    throw new InputError(`environment.catalogSeed is ${given}; it must be a whole number`);
  }
  const setup = { goal: record.seed, seed: record.seed, showAttributes: false, maxTurns };
  const texts = record.turns.map(({ actions, text }) => actions?.[0] ?? text);
  return { catalogue: generatedShop(catalogSeed), setup, texts };
}
