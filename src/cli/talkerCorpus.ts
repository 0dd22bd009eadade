/**
 * The texts that the talker's tokenizer learns from, as the talker will read and write them: games
 * of seeded Sokoban levels of several sizes, then shopping trips, about four to one by length.
 */
import type { Environment } from "../env/environment.ts";
import { ACTIONS } from "../env/sokoban/board.ts";
import { SokobanEnv } from "../env/sokoban/sokobanEnv.ts";
import { solveActions } from "../env/sokoban/solver.ts";
import { expert } from "../env/webshop/expert.ts";
import { generateCatalogue } from "../env/webshop/generate/generateCatalogue.ts";
import { ShopTask } from "../env/webshop/shopTask.ts";
import { WebShopEnv } from "../env/webshop/webshopEnv.ts";
import { append } from "../numeric/lists.ts";
import { uniforms } from "../numeric/rng.ts";
import type { PromptAdapter } from "../text/promptAdapter.ts";
import { ragenGrid } from "../text/ragenGrid.ts";
import { talkerTemplate, talkerTokenizerFiles, tokenizerOf } from "../text/talkerTokenizer.ts";
import { webshopText } from "../text/webshopText.ts";

/** Played in turn. */
const LEVELS = [
  { size: [6, 6], boxes: 1, maxTurns: 5, maxActionsPerTurn: 5, maxActions: 10 },
  { size: [5, 5], boxes: 1, maxTurns: 3, maxActionsPerTurn: 3, maxActions: 8 },
  { size: [6, 6], boxes: 2, maxTurns: 8, maxActionsPerTurn: 4, maxActions: 20 },
  { size: [8, 8], boxes: 2, maxTurns: 15, maxActionsPerTurn: 2, maxActions: 30 },
] as const;
const SHOP = { maxTurns: 9 };
/** Share of turns that are played at random instead of by the solver or the expert. */
const SLIPS = 0.2;
/** Nothing but bytes: its ids only carry the texts. */
const BYTES = tokenizerOf(talkerTokenizerFiles([]));

export function* talkerCorpus(games = 600): Generator<string> {
  let ahead = 0;
  for (let game = 0; game < games; game++) {
    const text = sokobanGame(game);
    ahead += text.length;
    yield text;
  }
  const shop = generateCatalogue(1);
  for (let trip = 0; ahead > 0; trip++) {
    const text = shoppingTrip(new ShopTask(new WebShopEnv(shop, SHOP)), trip);
    ahead -= 4 * text.length;
    yield text;
  }
}

const styleOf = (episode: number) =>
  ({
    tokenizer: BYTES,
    template: talkerTemplate(),
    context: "full",
    think: episode % 2 === 0,
  }) as const;

function sokobanGame(game: number): string {
  const level = LEVELS[game % LEVELS.length]!;
  const style = styleOf(Math.floor(game / LEVELS.length));
  const env = new SokobanEnv({ ...level, think: style.think });
  const key = { seed: game, stream: "talker-corpus", iteration: 0, trajectory: 0 };
  return episodeText(env, ragenGrid({ ...style, ...level }), game, (turn) => {
    const [chance, howMany, ...which] = uniforms({ ...key, step: 8 * turn }, 10);
    const length = 1 + Math.floor(howMany! * level.maxActionsPerTurn);
    const best = chance! < SLIPS ? null : solveActions(env.board);
    const random = which.map((u) => ACTIONS[Math.floor(u * ACTIONS.length)]!);
    return (best ?? random).slice(0, length);
  });
}

function shoppingTrip(env: ShopTask, trip: number): string {
  const policy = expert({ share: SLIPS, seed: 1, episode: trip });
  const adapter = webshopText({ ...styleOf(trip), ...SHOP });
  return episodeText(env, adapter, trip, () => [policy(env.shop)]);
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
