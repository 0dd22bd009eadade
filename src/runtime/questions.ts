/** What the page may ask of a live run's models between its steps, and what it hears. Plain data; training goes on unchanged. */
import type { Discount } from "../credit/discount.ts";
import type { ForkedEpisode } from "../record/forkedEpisode.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";

interface AboutModel {
  /** Whose policy answers. */
  algorithm: string;
}

interface AboutEpisode extends AboutModel {
  /** A recorded episode of the run, or of one with the same tasks. */
  episode: EpisodeRecord;
  /** Of the algorithm's, that the episode is of: where the policy that played it is still there, it is asked. */
  iteration: number;
  /** Continuations from each state, K. */
  branches: number;
}

/** What was each turn worth: the oracle on one episode. */
export interface TruthQuestion extends AboutEpisode {
  kind: "truth";
}

/** What if: from one turn on, with another response, another board, or neither. */
export interface ForkQuestion extends AboutEpisode {
  kind: "fork";
  /** From 0. */
  turn: number;
  /** What is said in that turn instead; null leaves it to the policy. */
  response: string | null;
  /** Where it is said instead, in the board's symbols; null: where it was. Sokoban only. */
  board: string | null;
}

/** A response as the policy drew it, or as a person wrote it. */
export type GivenResponse = { ids: readonly number[] } | { text: string };

/** Where does a game stand after these responses, and what would the policy do now. */
export interface PlayQuestion extends AboutModel {
  kind: "play";
  /** The task's. */
  seed: number;
  said: readonly GivenResponse[];
  /** Whether the policy takes the next turn too; each `draw` is other chances. */
  take: boolean;
  draw: number;
}

/** What do the critics say of a turn's board, with the player on each of its free squares. Sokoban only. */
export interface ValuesQuestion extends AboutModel {
  kind: "values";
  /** A recorded episode of the run. */
  episode: EpisodeRecord;
  /** From 0. */
  turn: number;
}

export type Question = TruthQuestion | ForkQuestion | PlayQuestion | ValuesQuestion;

/** Which policy it was: iterations it was trained for. */
interface ByPolicy {
  trained: number;
}

/** A mean of branches with its 95 % interval. */
export interface BranchEstimate {
  mean: number;
  low: number;
  high: number;
}

/** `Discount` is what values are under. */
export interface TruthAnswer extends ByPolicy, Discount {
  kind: "truth";
  branches: number;
  /** Turn by turn. */
  value: BranchEstimate[];
  advantage: BranchEstimate[];
}

/** Returns from the forked turn on, its own reward included, and what the oracle makes of them. */
export interface Spread {
  /** [K] */
  returns: number[];
  mean: BranchEstimate;
  /** Mean less V(s_h); null for V itself. */
  advantage: BranchEstimate | null;
}

export interface ForkAnswer extends ByPolicy, Discount {
  kind: "fork";
  branches: number;
  /** The policy plays on from the turn as it was: their mean is V(s_h). */
  policy: Spread;
  /** The response that was recorded, then the policy: Q(s_h, a_h). */
  recorded: Spread;
  /** With the changes, then the policy. */
  forked: Spread;
  /** What the changed response did; null where the policy chose it. */
  played: { text: string; actions: string[]; reward: number; over: boolean } | null;
  /** The first of the forked branches as recorded episodes, from the first turn on; one where the change ended it. */
  kept: ForkedEpisode[];
}

/** Probability that the policy's response begins with, or for the shop is, this action. */
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
  /** Everything that was played, the policy's turn included. */
  turns: PlayedTurn[];
  /** What the policy said, to be sent along from now on. */
  taken: { ids: number[] } | null;
  over: boolean;
  success: boolean;
  turnsLeft: number | null;
  /** Of the turn that comes next; none after the end. */
  moves: MoveChance[];
  /** Whether text of one's own makes sense beside the moves. */
  search: boolean;
  /** V of the state that comes next, by critic, in reward units. */
  values: Record<string, number>;
}

export interface ValuesAnswer extends ByPolicy {
  kind: "values";
  rows: number;
  cols: number;
  /** Squares are numbered row by row from 0: where the player stands. */
  player: number;
  /** Those that the player could stand on. [S] */
  squares: number[];
  /** V there in reward units, by critic; null where it was not finite. [S] */
  values: Record<string, (number | null)[]>;
}

export type Answer = TruthAnswer | ForkAnswer | PlayAnswer | ValuesAnswer;

/** The answer to a question of this kind. */
export type AnswerTo<Q extends Question> = Extract<Answer, { kind: Q["kind"] }>;

/** Most continuations of a fork that are kept as episodes. */
export const MOST_KEPT = 64;

/** Most continuations that may be asked for. */
export const MOST_BRANCHES = 512;
