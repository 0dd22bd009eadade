/**
 * What if? From one turn of an episode the policy plays on K times from the original state, from
 * the recorded response, and from the reader's change. The branches of a state draw from their own
 * streams, so that asking about it twice, here or as the truth of an episode, gives one answer.
 */
import { turnWeights, type Discount } from "../../method/credit/discount.ts";
import type { EpisodeRecord, TokenRecord } from "../../record/runEvent.ts";
import type { Episode, EpisodeTurn } from "../../rollout/rollout.ts";
import { InputError } from "../../numeric/inputError.ts";
import { bestValues } from "../../train/oracle/bestValue.ts";
import { branchReturns, stateKey, type Player, type State } from "../../train/oracle/branches.ts";
import {
  after,
  gap,
  branchMoments,
  OVER,
  worth,
  type BranchMoments,
} from "../../train/oracle/branchEstimates.ts";
import {
  MOST_KEPT,
  type BranchEstimate,
  type ForkAnswer,
  type ForkQuestion,
  type Spread,
} from "../questions.ts";
import { isFork, type ForkedEpisode } from "../../record/forkedEpisode.ts";
import {
  checkBranches,
  episodeOf,
  isOver,
  playTurn,
  replay,
  spoken,
  withPlayerOf,
  type AskedLearner,
  type Service,
  specNow,
} from "./asked.ts";
import type { OpenGame } from "./game.ts";
import { changeBoard } from "./changeBoard.ts";
import { firstDrawFor } from "./draws.ts";
import { scoreEpisodes, type Scored } from "./score.ts";
import { turnGains } from "../../train/gains.ts";
import { learnsFromPairs } from "../../train/preference/learner.ts";
import { needsGains } from "../../train/signals.ts";

/** What is played before the policy takes over. */
interface ForkStart {
  game: OpenGame;
  /** Reward of the turn already played; 0 if none was. */
  reward: number;
  /** Its number of tokens; 0 if none was played. */
  said: number;
}

/** @throws InputError if the episode, the turn or a change is invalid. */
export function answerFork(service: Service, question: ForkQuestion): Promise<ForkAnswer> {
  checkBranches(question.branches);
  return withPlayerOf(service, question, (asked) => forkOf(service, question, asked));
}

async function forkOf(
  service: Service,
  question: ForkQuestion,
  asked: AskedLearner,
): Promise<ForkAnswer> {
  const { branches } = question;
  const { trained, discount } = asked;
  const starts = await startsOf(service, asked, question);
  const { outcomes, continued } = await playOn(service, asked, starts, branches);
  const spreads = spreadsOf(outcomes, discount);
  const forked = starts[2]!;
  return {
    kind: "fork",
    trained,
    branches,
    ...discount,
    policy: spreads[0]!,
    recorded: spreads[1]!,
    forked: spreads[2]!,
    played: forked.said > 0 ? lastTurn(forked) : null,
    kept: await recordEpisodes(service, asked, question, wholeEpisodes(forked, continued)),
  };
}

/** The original state, the recorded response in it, and the reader's change. */
async function startsOf(
  { experiment }: Service,
  { player, trained }: AskedLearner,
  { episode: record, turn, response, board }: ForkQuestion,
): Promise<ForkStart[]> {
  const { episode } = replay(player, record);
  if (!(turn in episode.turns)) throw new InputError(`the episode has no turn ${turn + 1}`);
  const start = (change: string | null) => changedAt(player, record, turn, change);
  const forked = start(board);
  const key = { seed: experiment.spec.seed, iteration: trained };
  const ids =
    typeof response === "string" ? await spoken(player, response, forked.state, key) : response;
  const { chance } = record.turns[turn]!;
  return [
    forkStart(player, start(null), null, chance),
    forkStart(player, start(null), episode.turns[turn]!.responseIds, chance),
    forkStart(player, forked, ids, chance),
  ];
}

/** K branches of each start, all distinct states in one batch; those of the last start are `continued` as episodes. */
async function playOn(
  { experiment, progress, gate }: Service,
  { player, trained, discount }: AskedLearner,
  starts: readonly ForkStart[],
  branches: number,
): Promise<{ outcomes: ForkOutcome[]; continued: Episode[] }> {
  const { states, places } = forkStates(player, starts);
  const key = { seed: experiment.spec.seed, iteration: trained };
  const continued: Episode[] = [];
  const onEpisode = (state: number, branch: number, episode: Episode) => {
    if (state === places.at(-1) && branch < MOST_KEPT) continued[branch] = episode;
  };
  const played = await branchReturns(player, states, {
    branches,
    ...discount,
    key,
    chunk: CHUNK,
    work: progress,
    gate,
    onEpisode,
    firstDraw: firstDrawFor(player),
  });
  const best = bestValues(player.world, states, discount); // [open]
  const outcomes = starts.map((start, i): ForkOutcome => {
    const place = places[i]!;
    const same = i > 0 && start.said === 0 && place === places[0];
    if (place < 0) return { start, same, later: new Float64Array(branches), known: OVER };
    const later = played[place]!;
    return { start, same, later, known: branchMoments(later, best[place]!) };
  });
  return { outcomes, continued };
}

/**
 * The fork's episodes as a log records them, with what the models of that time predict for them.
 */
async function recordEpisodes(
  service: Service,
  asked: AskedLearner,
  { episode: record, turn, board }: ForkQuestion,
  episodes: Episode[],
): Promise<ForkedEpisode[]> {
  const boards = boardsOf(record, turn, board);
  const scored = await scoreEpisodes(service, asked, episodes);
  const gains = await forkGains(service, asked, episodes, boards);
  return episodes.map((one, branch) => {
    const said = { ...scored[branch]!, gains: gains?.[branch] ?? null };
    return recordOf(one, record, { turn, boards, branch }, said);
  });
}

const CHUNK = 128;

/** The distinct states to play on from, and the index of each start among them; -1 if it has ended. */
function forkStates(player: Player, starts: readonly ForkStart[]) {
  const keys: string[] = [];
  const states: State[] = [];
  const places = starts.map(({ game }) => {
    if (isOver(game)) return -1;
    const key = stateKey(game.state, player.context);
    const known = keys.indexOf(key);
    if (known >= 0) return known;
    keys.push(key);
    return states.push(game.state) - 1;
  });
  return { states, places };
}

interface ForkOutcome {
  start: ForkStart;
  /** Whether it is the original state: nothing was changed, and the policy responds. */
  same: boolean;
  /** Returns of its branches; 0 if it had ended. [K] */
  later: Float64Array;
  known: BranchMoments;
}

/** With the oracle's intervals; the first outcome is V, which the others are compared with. */
function spreadsOf(outcomes: readonly ForkOutcome[], discount: Discount): Spread[] {
  const weights = outcomes.map(({ start: { said } }) => turnWeights(discount, said));
  const worths = outcomes.map(({ start: { said, reward }, known }, i) =>
    said > 0 ? after(weights[i]!.reward * reward, known, weights[i]!.later) : known,
  );
  return outcomes.map(({ start: { said, reward }, same, later }, i) => ({
    // The reward of a turn already played counts at once, what follows is discounted after it.
    returns: Array.from(later, (G) =>
      said > 0 ? weights[i]!.reward * reward + weights[i]!.later * G : G,
    ),
    mean: estimate(worth(worths[i]!)),
    advantage: i === 0 ? null : same ? NONE : estimate(gap(worths[i]!, worths[0]!)),
  }));
}

/** V minus itself. */
const NONE: BranchEstimate = { mean: 0, low: 0, high: 0 };

const estimate = ({ mean, low, high }: BranchEstimate): BranchEstimate => ({ mean, low, high });

/** The episode up to a turn, possibly with another board there. */
function changedAt(
  player: Player,
  record: EpisodeRecord,
  turn: number,
  board: string | null,
): OpenGame {
  const { game } = replay(player, record, turn);
  if (board !== null) changeBoard(player, game, board);
  return game;
}

/**
 * With a response played, if there is one. If something is random, that turn draws what the recorded
 * one drew: only the response differs.
 */
function forkStart(
  player: Player,
  game: OpenGame,
  response: readonly number[] | null,
  chance: number | undefined,
): ForkStart {
  if (response === null) return { game, reward: 0, said: 0 };
  playTurn(player, game, [...response], { chance });
  return { game, reward: game.turns.at(-1)!.reward, said: response.length };
}

/**
 * The turns played before, with each continuation; if the episode ended there, those turns alone.
 */
function wholeEpisodes({ game }: ForkStart, continued: readonly Episode[]): Episode[] {
  const before = episodeOf(game, 0);
  if (isOver(game)) return [before];
  return continued.map((after) => ({ ...after, turns: [...before.turns, ...after.turns] }));
}

function lastTurn({ game }: ForkStart): ForkAnswer["played"] {
  const { text, actions, reward } = game.turns.at(-1)!;
  return { text, actions, reward, over: isOver(game) };
}

/** Turns before which the board was changed: by this fork, and by the fork that it forks. */
function boardsOf(record: EpisodeRecord, turn: number, board: string | null): number[] {
  const before = isFork(record) ? record.boards.filter((h) => h <= turn) : [];
  return board === null || before.includes(turn) ? before : [...before, turn];
}

/** The responses, their probabilities, and the critics' predictions; a fork was in no update: no ratios, no trained advantages. */
function recordOf(
  episode: Episode,
  { trajectory, task, seed, greedyScore }: EpisodeRecord,
  left: Pick<ForkedEpisode, "turn" | "boards" | "branch">,
  { tokens, values, critics, gains, ...end }: Scored & { gains: number[] | null },
): ForkedEpisode {
  const { success, terminated, truncated, finalObservation, turns } = episode;
  const known = Object.entries(critics);
  return {
    origin: "fork",
    ...left,
    trajectory,
    task,
    seed,
    ...(greedyScore !== undefined && { greedyScore }),
    reward: turns.reduce((sum, { reward }) => sum + reward, 0),
    success,
    terminated,
    truncated,
    finalObservation,
    ...end,
    turns: turns.map((one, h) => ({
      ...turnRecord(one, tokens[h]!, values?.[h] ?? null),
      ...(gains && { gain: gains[h]! }),
      ...(known.length > 0 && {
        critics: Object.fromEntries(known.map(([name, values]) => [name, values[h]!])),
      }),
    })),
  };
}

function turnRecord(turn: EpisodeTurn, tokens: TokenRecord[], value: number | null) {
  const { observation, text, actions, reward, formatPenalty, chance } = turn;
  return {
    observation,
    text,
    actions,
    reward,
    formatPenalty,
    value,
    ...(chance !== undefined && { chance }),
    advantage: NaN,
    return: null,
    ratio: NaN,
    clipped: null,
    tokens,
  };
}

/**
 * Gains of the turns of forks, for methods whose advantages are computed from them.
 *
 * Computed as in training, by the asked policy; null if the learner needs none, and for a turn with
 * a changed board: no response led there, so it gained nothing. [episodes][turns]
 */
async function forkGains(
  service: Service,
  { learner, player }: Pick<AskedLearner, "learner" | "player">,
  episodes: Episode[],
  boards: readonly number[],
): Promise<number[][] | null> {
  if (boards.length > 0 || learnsFromPairs(learner)) return null;
  if (!needsGains(learner.algorithm)) return null;
  const context = {
    spec: specNow(service, learner.algorithm.name),
    family: service.experiment.family,
  };
  const gains = await turnGains(context, { actor: player.model }, episodes); // [K]
  let k = 0;
  return episodes.map(({ turns }) => Array.from(gains.subarray(k, (k += turns.length))));
}
