/** An interactive figure: numbers that the reader changes, and the results, as rows over columns. */
import type { ChartBlock } from "../../figures/figure.ts";
import { gae } from "../../method/credit/gae.ts";

/** An adjustable number. */
export interface FigureHandle {
  id: string;
  label: string;
  low: number;
  high: number;
  step: number;
  /** Its initial value. */
  start: number;
}

/** A number between two others, in steps. */
export function handle(
  id: string,
  label: string,
  [low, high, step]: readonly [low: number, high: number, step: number],
  start: number,
): FigureHandle {
  return { id, label, low, high, step, start };
}

/** A cell's data for its figure: numbers of a recorded episode or group, named in its text. */
export interface ExploreData {
  /** Of each turn; or of each rollout of a group. */
  rewards?: readonly number[] | undefined;
  /** V(s) before each turn. */
  values?: readonly number[] | undefined;
  /** True advantage of each turn, and half of its interval. */
  truth?: readonly number[] | undefined;
  half?: readonly number[] | undefined;
  /** Potential of the state before each turn; 0 after the last. */
  potentials?: readonly number[] | undefined;
  /** For two methods' scores, one for each seed. */
  differences?: readonly number[] | undefined;
  /** Continuations from each state for the estimated truth. */
  branches?: number | undefined;
  /** Log-ratio of each token. */
  logRatios?: readonly number[] | undefined;
  /** Tokens of each turn. */
  lengths?: readonly number[] | undefined;
  /** V(s) before each token. */
  tokenValues?: readonly number[] | undefined;
  /** A policy's logits of the next token: the named ones first. */
  logits?: readonly number[] | undefined;
  /** Names of the first of them. */
  tokens?: readonly string[] | undefined;
  /** Probabilities: of answers, or to solve. */
  chances?: readonly number[] | undefined;
  /** Tokens of a turn, and the size of its log-ratio as a product and as a mean. */
  measured?: readonly (readonly [tokens: number, product: number, mean: number])[] | undefined;
}

export interface ExploreRow {
  name: string;
  /** A signed bar in credit's colours; a plain number; a truth with its interval; a vertical bar from 0 to 1; a count. */
  kind: "credit" | "amount" | "truth" | "share" | "count";
  /** The reader's own numbers, set by handles: on paper they are left blank. */
  own?: boolean;
  /** By column; null if there is nothing yet. */
  values: readonly (number | null)[];
  /** Half of each value's interval. */
  half?: readonly number[];
}

interface ExploreShown {
  columns: readonly string[];
  /** What a column is, if its own name is only a number. */
  unit?: string;
  rows: readonly ExploreRow[];
  /** Above the rows. */
  drawing?: ChartBlock;
  /** A description of the picture, in one or two sentences with its numbers. */
  says: string;
}

/** Positions of the handles, by id. */
export type Standing = Readonly<Record<string, number>>;

export interface Exploration {
  title: string;
  handles: readonly FigureHandle[];
  /** Fields of the data that it requires; absent: none. */
  needs?: readonly (keyof ExploreData)[];
  show(at: Standing, data: ExploreData): ExploreShown;
}

/** GAE over one episode of n steps; `after`: V of the state that follows it. reward, value [n] */
export function episodeGae(
  reward: readonly number[],
  value: readonly number[],
  gamma: number,
  lambda: number,
  after = 0,
) {
  return gae({
    reward: Float64Array.from(reward), // [n]
    value: Float64Array.from(value), // [n]
    start: Int32Array.of(0, reward.length),
    bootstrap: Float64Array.of(after),
    gamma,
    lambda,
  });
}

/** "1", "2", ... for narrow screens, below a `unit`. */
export function columnNumbers(n: number): string[] {
  return Array.from({ length: n }, (_, i) => String(i + 1));
}

/** "turn 1", "turn 2", ... */
export function columnNames(what: string, n: number): string[] {
  return Array.from({ length: n }, (_, i) => `${what} ${i + 1}`);
}
