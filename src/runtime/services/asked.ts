/** What every service uses: the asked learner as a player, and a replayed recorded episode. */
import { discountOf, type Discount } from "../../method/credit/discount.ts";
import { thoughtBlock } from "../../env/thoughtBlock.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { type Episode, playResponse } from "../../rollout/rollout.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { InputError } from "../../numeric/inputError.ts";
import { specAt } from "../../spec/schedule.ts";
import type { Experiment } from "../../train/experiment.ts";
import type { Player, State } from "../../train/oracle/branches.ts";
import type { AnyLearner } from "../../train/preference/learner.ts";
import type { Policies } from "../policies.ts";
import { MOST_BRANCHES } from "../questions.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import { changeBoard } from "./changeBoard.ts";
import type { OpenGame } from "./game.ts";

export interface Service {
  experiment: Experiment;
  /** The policies that played the newest episodes; absent: only the current ones are asked. */
  policies?: Policies;
  /** Work done, possibly fractional, and in total. */
  progress: (done: number, total: number) => void;
  /** Awaited between steps; rejects to cancel. */
  gate: () => Promise<void>;
}

export interface AskedLearner {
  learner: AnyLearner;
  player: Player;
  /** Iterations of training behind the player's policy. */
  trained: number;
  /** The learner's own discount; no discount if its credit has none. */
  discount: Discount;
}

const NONE: Discount = { gamma: 1, steps: "turn" };

/** The spec of one method, with its schedule applied up to now. */
export function specNow(
  { experiment: { spec, position } }: Service,
  method: string,
): ExperimentSpec {
  return specAt(spec, method, Math.max(1, position.iteration));
}

/** @throws InputError if the run has no such learner, or it has crashed. */
export function askedLearner(service: Service, algorithm: string): AskedLearner {
  const { learners, family } = service.experiment;
  const number = learners.findIndex((learner) => learner.algorithm.name === algorithm);
  const learner = learners[number];
  if (!learner) throw new InputError(`the live run does not train ${algorithm}`);
  if (learner.crashed) throw new InputError(`${algorithm} has crashed: its model is unusable`);
  const trained = trainedNow(service, number);
  const { context, sampling } = specNow(service, algorithm);
  const player = { model: learner.actor, world: family.world, context, sampling };
  const discount = "gamma" in learner.algorithm ? discountOf(learner.algorithm) : NONE;
  return { learner, player, trained, discount };
}

/** Iterations that a learner has been trained for. */
function trainedNow({ experiment: { position } }: Service, learner: number): number {
  return Math.max(0, position.iteration - 1) + Number(learner < position.next);
}

/**
 * Asks the policy that played an iteration if it is stored, else the current one.
 * @throws InputError as `askedOf` does.
 */
export async function withPlayerOf<A>(
  service: Service,
  { algorithm, iteration }: { algorithm: string; iteration: number },
  answer: (asked: AskedLearner) => Promise<A>,
): Promise<A> {
  const asked = askedLearner(service, algorithm);
  const trained = iteration - 1;
  const then = await service.policies?.borrow(asked.learner, trained);
  if (!then) return answer(asked);
  try {
    const player = { ...asked.player, model: then.actor };
    return await answer({ ...asked, trained, player });
  } finally {
    then.dispose();
  }
}

/** @throws InputError naming the range. */
export function checkBranches(branches: number): void {
  if (Number.isInteger(branches) && branches >= 2 && branches <= MOST_BRANCHES) return;
  throw new InputError(
    `branches is ${branches}; it must be a whole number from 2 to ${MOST_BRANCHES}`,
  );
}

/** A replayed episode: as training had it, with the state before each of its turns. */
interface Replayed {
  /** The game's current state. */
  game: OpenGame;
  episode: Episode;
  /** One more than there are turns: the last is after the episode. [K+1] */
  states: State[];
  /** Where each response led: the next state, unless the board was changed there. [K] */
  led: State[];
}

export function openGame({ world }: Player, task: Episode["task"]): OpenGame {
  const environment = world.create(task.seed);
  const { observation, info } = environment.reset(task.seed);
  const queryIds = world.prompter.query(observation, info, 0);
  const snapshot = environment.snapshot();
  const state: State = { task, turn: 0, snapshot, observation, info, queryIds, historyIds: [] };
  return { environment, state, turns: [], terminated: false, truncated: false, success: false };
}

/** How a response was sampled, if known. */
interface Spoken {
  /** From the sampler. */
  sampledLogprob?: number[];
  /** Seed of the environment's randomness. Absent: from the episode's seed and the turn. */
  chance?: number | undefined;
}

/** Plays one response. */
export function playTurn(
  { world }: Player,
  game: OpenGame,
  responseIds: number[],
  { sampledLogprob = responseIds.map(() => 0), chance }: Spoken = {},
): void {
  const { environment, state } = game;
  const { observation, queryIds } = state;
  const said = { observation, queryIds, responseIds, sampledLogprob, chance };
  const { step, turn } = playResponse(world, environment, state.info, said);
  game.turns.push(turn);
  game.terminated = step.terminated;
  game.truncated = step.truncated || (!step.terminated && state.turn + 1 >= world.maxTurns);
  game.success = step.info.success ?? false;
  game.state = {
    task: state.task,
    turn: state.turn + 1,
    snapshot: environment.snapshot(),
    observation: step.observation,
    info: step.info,
    queryIds: world.prompter.query(
      step.observation,
      step.info,
      state.turn + 1,
      responseIds,
      queryIds,
    ),
    historyIds: [...state.historyIds, ...queryIds, ...responseIds],
  };
}

export const isOver = ({ terminated, truncated }: OpenGame) => terminated || truncated;

/**
 * Replays this many turns of an episode, by default all.
 * @throws InputError if the environment answers differently: the episode belongs to another run.
 */
export function replay(
  player: Player,
  record: EpisodeRecord,
  count = record.turns.length,
): Replayed {
  const game = openGame(player, { name: record.task, seed: record.seed });
  const states: State[] = [];
  const led: State[] = [];
  for (let h = 0; h <= count; h++) {
    if (h > 0) led.push(game.state);
    if (isFork(record) && record.boards.includes(h))
      changeBoard(player, game, record.turns[h]!.observation);
    states.push(game.state);
    if (h < count) playRecorded(player, game, record, h);
  }
  return { game, episode: episodeOf(game, record.trajectory), states, led };
}

function playRecorded(player: Player, game: OpenGame, { turns }: EpisodeRecord, h: number): void {
  const { tokens, observation, reward, chance } = turns[h]!;
  const ids = tokens.map(({ id }) => id);
  if (ids.length === 0) throw new InputError("the recorded episode has no tokens");
  if (isOver(game) || game.state.observation !== observation) throw another(h);
  playTurn(player, game, ids, { chance });
  if (game.turns[h]!.reward !== reward) throw another(h);
}

function another(turn: number): InputError {
  return new InputError(
    `the episode cannot be replayed from turn ${turn + 1}: its run has another environment, format or levels than the live one`,
  );
}

export function episodeOf(game: OpenGame, trajectory: number): Episode {
  const { state, turns, terminated, truncated, success } = game;
  return {
    trajectory,
    task: state.task,
    turns,
    terminated,
    truncated,
    success,
    finalObservation: state.observation,
    finalQueryIds: state.queryIds,
  };
}

/**
 * A typed response as tokens. A thought alone, in its tags, is one that the policy answers: sampled
 * as in training, and the same whenever it is asked.
 */
export async function spoken(
  player: Player,
  text: string,
  state: State,
  key: { seed: number; iteration: number },
): Promise<number[]> {
  const written = writtenResponse(player, text, state);
  const { prompter } = player.world;
  const block = thoughtBlock(text);
  const end = written.findIndex((id) => prompter.tokenText(id) === "</think>");
  const isAlone = block?.closes && text.slice(block.length).trim() === "";
  if (!isAlone || end < 0) return written;
  const said = written.slice(0, end + 1);
  const before = player.context === "full" ? state.historyIds : [];
  const prompt = [...before, ...state.queryIds, ...said];
  const { maxTokensPerTurn, ...sampling } = player.sampling;
  const maxNewTokens = Math.max(1, maxTokensPerTurn - said.length);
  const session = player.model.decode(1, prompt.length + maxNewTokens);
  try {
    const { ids } = await session.generate({
      prompts: [prompt],
      maxNewTokens,
      stopIds: prompter.stopIds,
      ...sampling,
      key: { ...key, stream: "typed-thought", trajectory: [state.turn], step: [0] },
    });
    return [...said, ...ids[0]!];
  } finally {
    session.dispose();
  }
}

/** A thought in its tags if there is one, then actions with separators, in tags or not. */
function writtenResponse({ world }: Player, text: string, { info }: State): number[] {
  const block = thoughtBlock(text);
  const thought = block?.closes ? block.thought : undefined;
  const actions = text
    .slice(thought === undefined ? 0 : block!.length)
    .replace(/^\s*<answer>|<\/answer>\s*$/g, "")
    .split("||")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return world.prompter.respond(actions, info, thought);
}
