/**
 * The texts that the talker's tokenizer learns from, as the talker will read and write them: games
 * of seeded Sokoban levels of several sizes, then shopping trips, about four to one by length.
 */
import type { Environment } from "../env/environment.ts";
import { expert } from "../env/webshop/expert.ts";
import { generateCatalogue } from "../env/webshop/generate/generateCatalogue.ts";
import { ShopTask } from "../env/webshop/shopTask.ts";
import { WebShopEnv } from "../env/webshop/webshopEnv.ts";
import { runWhole } from "../numeric/sliced.ts";
import type { SokobanSpec } from "../spec/experiment.ts";
import { presetSpec } from "../spec/presets.ts";
import { THOUGHT_LENGTHS, type ThoughtLength } from "../spec/thoughts.ts";
import { append } from "../numeric/lists.ts";
import type { PromptAdapter } from "../text/promptAdapter.ts";
import { talkerTemplate, talkerTokenizerFiles, tokenizerOf } from "../text/talkerTokenizer.ts";
import { webshopText } from "../text/webshopText.ts";
import { demonstrationRows } from "../train/clone.ts";
import { sokobanFamily } from "../train/sokobanFamily.ts";

/** Played in turn, at every length of thought. */
const LEVELS: readonly Partial<SokobanSpec>[] = [
  {},
  { rows: 5, columns: 5, maxTurns: 3, maxActionsPerTurn: 3, maxActions: 8 },
  { boxes: 2, maxTurns: 8, maxActionsPerTurn: 4, maxActions: 20 },
  { rows: 8, columns: 8, boxes: 2, searchDepth: 100, maxTurns: 15, maxActions: 30 },
];
const SHOP = { maxTurns: 9 };
/** Share of turns that are played at random instead of by the solver or the expert. */
const SLIPS = 0.1;
/** Nothing but bytes: its ids only carry the texts. */
const BYTES = tokenizerOf(talkerTokenizerFiles([]));

export function* talkerCorpus(games = 800): Generator<string> {
  let ahead = 0;
  const each = games / (LEVELS.length * THOUGHT_LENGTHS.length);
  for (const level of LEVELS) {
    for (const thought of THOUGHT_LENGTHS) {
      for (const text of sokobanGames(level, thought, Math.ceil(each))) {
        ahead += text.length;
        yield text;
      }
    }
  }
  const shop = generateCatalogue(1);
  for (let trip = 0; ahead > 0; trip++) {
    const text = shoppingTrip(new ShopTask(new WebShopEnv(shop, SHOP)), trip);
    ahead -= 4 * text.length;
    yield text;
  }
}

/** Games that the solver plays and explains, as they are cloned. */
function sokobanGames(level: Partial<SokobanSpec>, thought: ThoughtLength, games: number) {
  const spec = presetSpec("talker-nano");
  const environment = { ...spec.environment, ...level, thought } as SokobanSpec;
  const spoken = { ...spec, environment, clone: { ...spec.clone, noise: SLIPS, misread: SLIPS } };
  const speech = { tokenizer: BYTES, template: talkerTemplate() };
  const family = sokobanFamily(environment, spoken, speech);
  const seeds = Array.from({ length: games }, (_, i) => i + 1);
  return runWhole(demonstrationRows(family, spoken, seeds)).map(({ ids }) => BYTES.decode(ids));
}

function shoppingTrip(env: ShopTask, trip: number): string {
  const policy = expert({ share: SLIPS, seed: 1, episode: trip });
  const style = {
    tokenizer: BYTES,
    template: talkerTemplate(),
    context: "full",
    think: trip % 2 === 0,
  } as const;
  return episodeText(env, webshopText({ ...style, ...SHOP }), trip, () => [policy(env.shop)]);
}

/** The whole conversation. */
function episodeText<View>(
  env: Environment<View>,
  adapter: PromptAdapter<View>,
  seed: number,
  choose: (turn: number) => string[],
): string {
  let { observation, info } = env.reset(seed);
  const ids: number[] = [];
  for (let turn = 0, ended = false, previous: number[] | undefined; !ended; turn++) {
    append(ids, adapter.query(observation, info, turn, previous));
    previous = adapter.respond(choose(turn), info);
    append(ids, previous);
    const step = env.step(adapter.answer(previous, info));
    ({ observation, info } = step);
    ended = step.terminated || step.truncated;
  }
  return BYTES.decode(ids);
}
