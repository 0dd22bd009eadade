/**
 * Between an environment's texts and a model's token ids: one environment serves tiny and real
 * models alike.
 */
import type { TextTokenizer } from "./tokenizer.ts";

/**
 * What an adapter needs to know of the state besides the observation. Sokoban's info has these
 * fields.
 */
export interface TurnView {
  turnsLeft: number;
  actionsLeft: number;
  /** The last turn's reward is the sum of these two. */
  envReward: number;
  formatPenalty: number;
}

export interface PromptAdapter<View = TurnView> {
  /**
   * Ids to append before turn `turn` (from 0); the last of them is the state-end. `previous` is the
   * response before it: if it lacks its stop token (truncated by a length limit), the query closes
   * it first. `previousQuery`: the query that it answered, for queries that repeat the history.
   */
  query(
    observation: string,
    view: View,
    turn: number,
    previous?: readonly number[],
    previousQuery?: readonly number[],
  ): number[];
  /**
   * The text to send to the environment for a sampled response, with or without its stop token;
   * `view` is that of the query before it.
   */
  answer(responseIds: readonly number[], view: View): string;
  /** The response in a form for people. */
  display(responseIds: readonly number[]): string;
  /** One token as text. */
  tokenText(id: number): string;
  /**
   * The response that names these actions, including its stop token: what an expert would have
   * sampled after the query of `view`. `thought`: the text of its think block; absent: an empty one,
   * where one is asked for.
   */
  respond(actions: readonly string[], view: View, thought?: string): number[];
  stopIds: number[];
}

/** An adapter whose responses mean the same in every state. */
export interface PlainAdapter<View = TurnView> extends PromptAdapter<View> {
  answer(responseIds: readonly number[]): string;
  respond(actions: readonly string[], view?: View, thought?: string): number[];
}

/** The response without its stop token. */
export function withoutStop(ids: readonly number[], stopIds: readonly number[]): number[] {
  return stopIds.includes(ids.at(-1)!) ? ids.slice(0, -1) : [...ids];
}

/** Whether a response was truncated before its stop token. */
export function isCutOff(ids: readonly number[] | undefined, stopIds: readonly number[]): boolean {
  return ids !== undefined && !stopIds.includes(ids.at(-1)!);
}

/** One token as text, special ones by name. */
export function tokenTextOf(tokenizer: TextTokenizer): (id: number) => string {
  return (id) => tokenizer.decode([id]);
}
