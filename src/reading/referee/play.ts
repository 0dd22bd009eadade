/**
 * Episodes of a game in the form of every other batch, with the cell of each turn and the parameter
 * of each token; and the values of a critic for them.
 */
import { greatest } from "../../numeric/lists.ts";
import { categorical, uniforms } from "../../numeric/rng.ts";
import { offsets } from "../../numeric/segments.ts";
import { selectBatch } from "../../algorithm/registry.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import { estimatorFacts } from "../../method/estimators.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { Game } from "./game.ts";
import type { RefereeCritic } from "./lines.ts";
import { power, valuesUnder, type GameTruth, type StepDiscount } from "./truth.ts";

/** Rollouts of one task, as in most recipes. */
const GROUP = 8;

export interface RefereeEpisodes {
  /** Without the values of critics. */
  batch: TrajectoryBatch;
  /** State and response of each turn. [K] */
  cell: Int32Array;
  state: Int32Array;
  /** Parameter and node of each token. [N] */
  param: Int32Array;
  node: Int32Array;
}

/** Draws that share nothing: what rows are scored on, and what critics have learned from. */
type Purpose = "scored" | "learned";

interface PlayedGameTurn {
  state: number;
  cell: number;
  reward: number;
  next: number;
}

/** Plays `episodes` in groups of GROUP, each group from one first state. */
export function playGame(
  game: Game,
  truth: GameTruth,
  { seed, episodes, purpose }: { seed: number; episodes: number; purpose: Purpose },
): RefereeEpisodes {
  const key = (stream: string, trajectory: number) => {
    return { seed, stream: `referee ${purpose} ${stream}`, iteration: 0, trajectory, step: 0 };
  };
  const groups = Array.from({ length: Math.ceil(episodes / GROUP) }, (_, g) => {
    const start = categorical(game.start, uniforms(key("start", g), 1)[0]!);
    const greedy = playEpisode(game, start, uniforms(key("greedy", g), DRAWS), true);
    return { start, greedyScore: scoreOf(greedy) };
  });
  const played = Array.from({ length: episodes }, (_, b) =>
    playEpisode(game, groups[Math.floor(b / GROUP)]!.start, uniforms(key("turns", b), DRAWS)),
  );
  const turns = played.flat(); // [K]
  const responses = turns.map(({ state, cell }) => responseAt(game, state, cell)); // [K]
  const node = Int32Array.from(responses.flatMap(({ nodes }) => nodes)); // [N]
  const squares = squaredChances(game); // [M]
  const score = Float64Array.from(played, scoreOf); // [B]
  const { best } = truth;
  return {
    batch: {
      task: played.map((_, b) => `${game.task.name} ${Math.floor(b / GROUP)}`),
      terminated: played.map(() => true),
      bootstrapValue: new Float64Array(episodes), // [B]
      turnStart: offsets(played.map(({ length }) => length)), // [B+1]
      tokenStart: offsets(responses.map(({ params }) => params.length)), // [K+1]
      success: score.map((x) => (x >= (game.task.solved ?? 1) ? 1 : 0)), // [B]
      greedyScore: Float64Array.from(played, (_, b) => groups[Math.floor(b / GROUP)]!.greedyScore), // [B]
      turnReward: Float64Array.from(turns, ({ reward }) => reward), // [K]
      turnFormat: new Float64Array(turns.length), // [K]
      anchor: turns.map(({ state }) => game.observations[game.seen[state]!]!), // [K]
      action: responses.map(({ params }) => params.join(" ")), // [K]
      turnGain: Float64Array.from(
        turns,
        ({ state, reward, next }) => reward + (next < 0 ? 0 : best[next]!) - best[state]!,
      ), // [K]
      oldLogprob: Float64Array.from(responses.flatMap(({ logprobs }) => logprobs)), // [N]
      rolloutLogprob: Float64Array.from(responses.flatMap(({ logprobs }) => logprobs)), // [N]
      sumPiSquared: Float64Array.from(node, (m) => squares[m]!), // [N]
    },
    cell: Int32Array.from(turns, ({ cell }) => cell), // [K]
    state: Int32Array.from(turns, ({ state }) => state), // [K]
    param: Int32Array.from(responses.flatMap(({ params }) => params)), // [N]
    node, // [N]
  };
}

/** Sum of squared chances of the tokens that may follow each prefix. [M] */
function squaredChances({ nodeStart, paramNode, paramChance }: Game): Float64Array {
  const squares = new Float64Array(nodeStart.length - 1); // [M]
  paramChance.forEach((chance, p) => (squares[paramNode[p]!]! += chance * chance));
  return squares;
}

/** Consecutive episodes in whole batches of one size; sizes divide each other. */
export function cutGame(played: RefereeEpisodes, size: number): RefereeEpisodes[] {
  const count = Math.floor(played.batch.task.length / size);
  return Array.from({ length: count }, (_, i) => {
    const members = Array.from({ length: size }, (_one, j) => i * size + j);
    const { batch, turns, tokens } = selectBatch(played.batch, members);
    const of = (x: Int32Array, chosen: Int32Array) => chosen.map((at) => x[at]!);
    return {
      batch,
      cell: of(played.cell, turns), // [K']
      state: of(played.state, turns), // [K']
      param: of(played.param, tokens), // [N']
      node: of(played.node, tokens), // [N']
    };
  });
}

/** Uniforms of an episode: two a turn, for at most 16 turns. */
const DRAWS = 32;

function playEpisode(game: Game, start: number, u: Float64Array, greedy = false): PlayedGameTurn[] {
  const turns: PlayedGameTurn[] = [];
  for (let state = start, h = 0; state >= 0; h++) {
    const chances = game.responses[game.seen[state]!]!.map(({ chance }) => chance);
    const likeliest = chances.indexOf(greatest(chances));
    const cell = game.cellStart[state]! + (greedy ? likeliest : categorical(chances, u[2 * h]!));
    const branches = game.branches[cell]!;
    const drawn = categorical(
      branches.map(({ chance }) => chance),
      u[2 * h + 1]!,
    );
    const { to, reward } = branches[drawn]!;
    turns.push({ state, cell, reward, next: to });
    state = to;
  }
  return turns;
}

const scoreOf = (turns: readonly PlayedGameTurn[]) =>
  turns.reduce((sum, { reward }) => sum + reward, 0);

const responseAt = (game: Game, state: number, cell: number) =>
  game.responses[game.seen[state]!]![cell - game.cellStart[state]!]!;

/** Episodes that a learned critic has seen. */
const SEEN = 64;

/** What the row's critic predicts: its discounts per token and per turn. */
export function criticDiscount(config: AlgorithmConfig): StepDiscount {
  const { discount } = estimatorFacts(config.estimator);
  if (discount?.per === "token") return { inTurn: config.gamma, afterTurn: config.gamma };
  if (discount?.by === "gammaTurn") return { inTurn: config.gamma, afterTurn: config.gammaTurn };
  return { inTurn: 1, afterTurn: config.gamma };
}

/** A critic's value of each prefix of what is seen. [M] */
export function criticTable(
  game: Game,
  truth: GameTruth,
  critic: RefereeCritic,
  { seed, discount }: { seed: number; discount: StepDiscount },
): Float64Array {
  if (critic === "perfect") return perfectTable(game, truth, discount);
  return learnedTable(
    game,
    playGame(game, truth, { seed, episodes: SEEN, purpose: "learned" }),
    discount,
  );
}

/** Means of the exact values of the states that look alike, by visits. [M] */
function perfectTable(game: Game, { visits }: GameTruth, discount: StepDiscount): Float64Array {
  const { actionValue } = valuesUnder(game, discount); // [C]
  const means = new NodeMeans(game);
  game.states.forEach((_, s) =>
    game.responses[game.seen[s]!]!.forEach(({ chance, nodes }, a) => {
      const Q = actionValue[game.cellStart[s]! + a]!;
      nodes.forEach((node, i) =>
        means.add(node, power(discount.inTurn, nodes.length - 1 - i) * Q, visits[s]! * chance),
      );
    }),
  );
  return means.table();
}

/** Means of the returns that followed; a prefix that was never seen has the mean of all. [M] */
function learnedTable(
  game: Game,
  { batch, node }: RefereeEpisodes,
  { inTurn, afterTurn }: StepDiscount,
): Float64Array {
  const means = new NodeMeans(game);
  const { turnStart, tokenStart, turnReward } = batch;
  for (let b = 0; b < batch.task.length; b++) {
    let after = 0;
    for (let k = turnStart[b + 1]! - 1; k >= turnStart[b]!; k--) {
      let G = turnReward[k]! + afterTurn * after;
      for (let t = tokenStart[k + 1]! - 1; t >= tokenStart[k]!; t--) {
        means.add(node[t]!, G, 1);
        after = G;
        G *= inTurn;
      }
    }
  }
  return means.table();
}

class NodeMeans {
  #sum: Float64Array;
  #weight: Float64Array;

  constructor({ nodeStart }: Game) {
    this.#sum = new Float64Array(nodeStart.length - 1); // [M]
    this.#weight = new Float64Array(nodeStart.length - 1); // [M]
  }

  add(node: number, x: number, weight: number): void {
    this.#sum[node]! += weight * x;
    this.#weight[node]! += weight;
  }

  /** [M] */
  table(): Float64Array {
    const total = (x: Float64Array) => x.reduce((sum, xi) => sum + xi, 0);
    const fallback = total(this.#sum) / total(this.#weight);
    return this.#sum.map((sum, m) => (this.#weight[m]! > 0 ? sum / this.#weight[m]! : fallback));
  }
}

/** The batch with the critic's values of turns and tokens. table [M] */
export function withCritic({ batch, node }: RefereeEpisodes, table: Float64Array): TrajectoryBatch {
  const tokenValue = Float64Array.from(node, (m) => table[m]!); // [N]
  const turnValue = Float64Array.from(
    batch.turnReward,
    (_, k) => tokenValue[batch.tokenStart[k]!]!,
  ); // [K]
  return { ...batch, turnValue, tokenValue };
}
