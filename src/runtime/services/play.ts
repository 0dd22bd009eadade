/**
 * The playground: the state of a game, what the policy would do there, and the policy's turn if requested. And what the model read
 * before a turn of an episode, which only its tokenizer and template, or a run's code, know.
 */
import { ACTIONS } from "../../env/sokoban/board.ts";
import { SokobanEnv } from "../../env/sokoban/sokobanEnv.ts";
import type { ShopTaskInfo } from "../../env/webshop/shopTask.ts";
import { rollout } from "../../rollout/rollout.ts";
import { withoutStop } from "../../text/promptAdapter.ts";
import type { Player } from "../../train/oracle/branches.ts";
import type {
  MoveChance,
  PlayAnswer,
  PlayQuestion,
  PromptAnswer,
  PromptPart,
  PromptQuestion,
} from "../questions.ts";
import {
  askedLearner,
  isOver,
  openGame,
  playTurn,
  replay,
  spoken,
  type AskedLearner,
  type Service,
} from "./asked.ts";
import { type OpenGame } from "./game.ts";
import { scoreResponses, stateValues } from "./score.ts";

/** @throws InputError if the task cannot be played. */
export async function answerPlay(service: Service, question: PlayQuestion): Promise<PlayAnswer> {
  const asked = askedLearner(service, question.algorithm);
  const { player } = asked;
  const game = openGame(player, { name: `playground:${question.seed}`, seed: question.seed });
  const key = { seed: service.experiment.spec.seed, iteration: asked.trained };
  for (const said of question.said) {
    if (isOver(game)) break;
    const ids = "ids" in said ? [...said.ids] : await spoken(player, said.text, game.state, key);
    playTurn(player, game, ids);
  }
  const taken = question.take && !isOver(game) ? await take(service, asked, game, question) : null;
  const over = isOver(game);
  const context = contextOf(player, game);
  const { turnsLeft } = game.state.info as { turnsLeft?: number };
  return {
    kind: "play",
    trained: asked.trained,
    observation: game.state.observation,
    turns: game.turns.map(({ text, actions, reward }) => ({ text, actions, reward })),
    taken,
    over,
    success: game.success,
    turnsLeft: turnsLeft ?? null,
    moves: over ? [] : await movesOf(service, asked, game, context),
    search: !over && canSearch(game),
    values: over ? {} : await stateValues(service, context),
  };
}

/** What the policy sees before it responds. */
function contextOf({ context }: Player, { state }: OpenGame): number[] {
  return context === "full" ? [...state.historyIds, ...state.queryIds] : state.queryIds;
}

/** The policy's own turn, sampled as in training. */
async function take(
  { gate, experiment }: Service,
  { player, trained }: AskedLearner,
  game: OpenGame,
  { draw }: PlayQuestion,
): Promise<{ ids: number[] }> {
  const { state } = game;
  const world = { ...player.world, maxTurns: state.turn + 1 };
  const key = { seed: experiment.spec.seed, stream: "playground", iteration: trained, first: draw };
  const request = { ...player, world, tasks: [state.task], from: [state], key, gate };
  const [episode] = await rollout(request);
  const { responseIds, sampledLogprob } = episode!.turns[0]!;
  playTurn(player, game, responseIds, { sampledLogprob });
  return { ids: responseIds };
}

/** Most likely first. Where a response may hold several actions, this is its first; in the shop an action is the whole response. */
async function movesOf(
  service: Service,
  { learner, player }: AskedLearner,
  game: OpenGame,
  context: number[],
): Promise<MoveChance[]> {
  const { world } = player;
  const { stopIds } = world.prompter;
  const listed = world.actions?.(game.environment) ?? boardActions(game);
  const isList = listed !== null;
  const actions = [...(listed ?? shopActions(game))];
  const responses = actions.map((action) => {
    const ids = world.prompter.respond([action], game.state.info);
    return isList ? withoutStop(ids, stopIds) : ids;
  });
  const scores = await scoreResponses(service, learner, context, responses);
  const moves = actions.map((action, i) => ({ action, probability: Math.exp(scores[i]!) }));
  return isList ? moves : moves.sort((a, b) => b.probability - a.probability);
}

/** Null for an environment without a board. */
function boardActions({ environment }: OpenGame): readonly string[] | null {
  return environment instanceof SokobanEnv ? ACTIONS : null;
}

const SEARCH = /^search\[/;

const listOf = ({ state }: OpenGame) => (state.info as Partial<ShopTaskInfo>).actionList ?? [];

/** Everything that can be clicked; searches are free text. */
function shopActions(game: OpenGame): string[] {
  return listOf(game).filter((action) => !SEARCH.test(action));
}

function canSearch(game: OpenGame): boolean {
  return listOf(game).some((action) => SEARCH.test(action));
}

/** @throws InputError if the episode cannot be replayed. */
export function answerPrompt(service: Service, question: PromptQuestion): PromptAnswer {
  const { player } = askedLearner(service, question.algorithm);
  const { prompter } = player.world;
  const { game } = replay(player, question.episode, question.turn);
  const texts = (ids: readonly number[]) => ids.map((id) => prompter.tokenText(id));
  const asked = (turn: number, ids: readonly number[]): PromptPart => ({
    turn,
    who: "environment",
    tokens: texts(ids),
  });
  const before = player.context === "full" ? game.turns : [];
  const parts = before.flatMap(({ queryIds, responseIds }, turn): PromptPart[] => [
    asked(turn, queryIds),
    { turn, who: "model", tokens: texts(responseIds) },
  ]);
  return { kind: "prompt", parts: [...parts, asked(question.turn, game.state.queryIds)] };
}
