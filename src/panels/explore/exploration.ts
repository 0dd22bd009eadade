/** A figure with handles: numbers that the reader moves, and what follows from them, as rows over columns. */

/** A number to move. */
export interface FigureHandle {
  id: string;
  label: string;
  low: number;
  high: number;
  step: number;
  /** Where it stands at first. */
  start: number;
}

/** What a cell knows of its figure: numbers of a recorded episode or group, which its text names. */
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
  /** Of two methods' scores, one for each seed. */
  differences?: readonly number[] | undefined;
  /** Continuations from each state with which the truth was found. */
  branches?: number | undefined;
  /** Log-ratio of each token. */
  logRatios?: readonly number[] | undefined;
  /** Tokens of each turn. */
  lengths?: readonly number[] | undefined;
  /** V(s) before each token. */
  tokenValues?: readonly number[] | undefined;
  /** A policy's logits of the next token: of the named ones first. */
  logits?: readonly number[] | undefined;
  /** Names of the first of them. */
  tokens?: readonly string[] | undefined;
}

export interface ExploreRow {
  name: string;
  /** A signed bar in credit's colours; a plain number; a truth with its interval; an upright bar from 0 to 1; a number of things. */
  kind: "credit" | "amount" | "truth" | "share" | "count";
  /** The reader's own numbers, by handles: on paper they are to be filled in. */
  own?: boolean;
  /** By column; null where there is nothing yet. */
  values: readonly (number | null)[];
  /** Half of each value's interval. */
  half?: readonly number[];
}

interface ExploreShown {
  columns: readonly string[];
  /** What a column is, where its own name is a number alone. */
  unit?: string;
  rows: readonly ExploreRow[];
  /** What the picture says, in one or two sentences with its numbers. */
  says: string;
}

/** Where the handles stand, by id. */
export type Standing = Readonly<Record<string, number>>;

export interface Exploration {
  title: string;
  handles: readonly FigureHandle[];
  /** Fields of the data without which it cannot be drawn. */
  needs: readonly (keyof ExploreData)[];
  show(at: Standing, data: ExploreData): ExploreShown;
}

/** "1", "2", ... for narrow screens, under a `unit`. */
export function columnNumbers(n: number): string[] {
  return Array.from({ length: n }, (_, i) => String(i + 1));
}

/** "turn 1", "turn 2", ... */
export function columnNames(what: string, n: number): string[] {
  return Array.from({ length: n }, (_, i) => `${what} ${i + 1}`);
}
