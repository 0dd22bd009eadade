/** What the page can ask a live run's models between its steps, and the answers. Plain data; training continues unchanged. */
import type { Discount } from "../method/credit/discount.ts";
import type { ForkedEpisode } from "../record/forkedEpisode.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";

interface AboutModel {
  /** The algorithm whose policy answers. */
  algorithm: string;
}

interface AboutEpisode extends AboutModel {
  /** A recorded episode of the run, or of one with the same tasks. */
  episode: EpisodeRecord;
  /** The algorithm's iteration that played the episode: if the policy of that time is still stored, it answers. */
  iteration: number;
  /** Number of continuations from each state, K. */
  branches: number;
}

/** What was each turn worth? The oracle on one episode. */
export interface TruthQuestion extends AboutEpisode {
  kind: "truth";
}

/** What if? From one turn on, with another response, another board, or neither. */
export interface ForkQuestion extends AboutEpisode {
  kind: "fork";
  /** From 0. */
  turn: number;
  /** The response to use in that turn instead; null leaves it to the policy. */
  response: string | null;
  /** The board to use instead, in the board's symbols; null: the recorded one. Sokoban only. */
  board: string | null;
}

/** A response as the policy drew it, or as a person wrote it. */
export type GivenResponse = { ids: readonly number[] } | { text: string };

/** Where does a game stand after these responses, and what would the policy do now? */
export interface PlayQuestion extends AboutModel {
  kind: "play";
  /** The task's seed. */
  seed: number;
  said: readonly GivenResponse[];
  /** Whether the policy also takes the next turn; each `draw` uses different randomness. */
  take: boolean;
  draw: number;
}

/** What do the critics predict for a turn's board, with the player on each of its free squares? Sokoban only. */
export interface ValuesQuestion extends AboutModel {
  kind: "values";
  /** A recorded episode of the run. */
  episode: EpisodeRecord;
  /** From 0. */
  turn: number;
}

/** What did the model read before a turn, in its own tokens? */
export interface PromptQuestion extends AboutModel {
  kind: "prompt";
  /** A recorded episode of the run. */
  episode: EpisodeRecord;
  /** From 0. */
  turn: number;
}

export type Question =
  TruthQuestion | ForkQuestion | PlayQuestion | ValuesQuestion | PromptQuestion;

/** Which policy it was: iterations of training behind it. */
interface ByPolicy {
  trained: number;
}

/** A mean over branches with its 95 % interval. */
export interface BranchEstimate {
  mean: number;
  low: number;
  high: number;
}

/** `Discount`: the discount of the values. */
export interface TruthAnswer extends ByPolicy, Discount {
  kind: "truth";
  branches: number;
  /** One entry per turn. */
  value: BranchEstimate[];
  advantage: BranchEstimate[];
  /** Shares of continuations that succeed before and after it; null if the end of a file's episode is unknown. */
  solved: ([before: number, after: number] | null)[];
}

/** Returns from the forked turn on, including its own reward, and their statistics. */
export interface Spread {
  /** [K] */
  returns: number[];
  mean: BranchEstimate;
  /** Mean minus V(s_h); null for V itself. */
  advantage: BranchEstimate | null;
}

export interface ForkAnswer extends ByPolicy, Discount {
  kind: "fork";
  branches: number;
  /** The policy plays on from the original turn: the mean is V(s_h). */
  policy: Spread;
  /** The response that was recorded, then the policy: Q(s_h, a_h). */
  recorded: Spread;
  /** With the changes, then the policy. */
  forked: Spread;
  /** What the changed response did; null if the policy chose it. */
  played: { text: string; actions: string[]; reward: number; over: boolean } | null;
  /** The first forked branches as recorded episodes, from the first turn on; one if the change ended the episode. */
  kept: ForkedEpisode[];
}

/**
 * Probability that the policy's response begins with this action, or in the shop is this action.
 */
export interface MoveChance {
  action: string;
  probability: number;
}

export interface PlayedTurn {
  text: string;
  actions: string[];
  reward: number;
}

export interface PlayAnswer extends ByPolicy {
  kind: "play";
  observation: string;
  /** All turns played, including the policy's. */
  turns: PlayedTurn[];
  /** The policy's response, to be sent along from now on. */
  taken: { ids: number[] } | null;
  over: boolean;
  success: boolean;
  turnsLeft: number | null;
  /** For the next turn; empty after the end. */
  moves: MoveChance[];
  /** Whether the reader may type text in addition to the listed moves. */
  search: boolean;
  /** V of the next state, by critic, in reward units. */
  values: Record<string, number>;
}

export interface ValuesAnswer extends ByPolicy {
  kind: "values";
  rows: number;
  cols: number;
  /** The player's square; squares are numbered row by row from 0. */
  player: number;
  /** Squares that the player could stand on. [S] */
  squares: number[];
  /** V of each square in reward units, by critic; null if not finite. [S] */
  values: Record<string, (number | null)[]>;
}

/** Consecutive tokens of one side. */
export interface PromptPart {
  turn: number;
  who: "environment" | "model";
  /** In the tokenizer's form. */
  tokens: string[];
}

export interface PromptAnswer {
  kind: "prompt";
  parts: PromptPart[];
}

export type Answer = TruthAnswer | ForkAnswer | PlayAnswer | ValuesAnswer | PromptAnswer;

/** The answer to a question of this kind. */
export type AnswerTo<Q extends Question> = Extract<Answer, { kind: Q["kind"] }>;

/** Maximum number of a fork's continuations that are stored as episodes. */
export const MOST_KEPT = 64;

/** Maximum number of continuations per question. */
export const MOST_BRANCHES = 512;
