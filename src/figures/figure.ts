/**
 * A figure is data: what a panel says, offers and draws, with no React, no colour and no pixel in it. `draw` draws it, writes its
 * numbers and answers keys and pointer; so a figure is tested in Node, and is a table, a file and a sentence without a line of its own.
 */
import type { Truths } from "../reading/truths.ts";
import type { RunView } from "../reading/log/runLog.ts";
import type { SettingTable, SettingValue } from "../store/lensCodecs.ts";
import type { ChoiceMove, ResolvedChoice, TurnChoice } from "../store/turnChoice.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { Manifest } from "./manifest.ts";

/** From top to bottom. */
export type Figure = readonly Block[];

export type Block =
  | TextBlock
  | ListBlock
  | ChoicesBlock
  | NumbersBlock
  | CellsBlock
  | ChartBlock
  | LinesBlock
  | StacksBlock
  | StepsBlock
  | GridBlock
  | SideBlock
  | PartBlock;

/** One sentence or a few. */
export interface TextBlock {
  kind: "text";
  text: string;
  /** `empty` replaces a picture, `notice` is framed, `warning` is of something wrong; a plain paragraph when absent. */
  look?: "note" | "empty" | "notice" | "warning";
  /** A heading above it. */
  title?: string;
  id?: string;
  /** Buttons after it that move the cursor. */
  go?: readonly { name: string; to: Partial<TurnChoice> }[];
}

/** Something that no figure can say, such as a board that a live model is asked about: the panel's own component. */
interface PartBlock {
  kind: "part";
  id: string;
}

interface ListBlock {
  kind: "list";
  id: string;
  items: readonly string[];
}

/** Parts beside each other, where there is room. */
interface SideBlock {
  kind: "side";
  parts: readonly Figure[];
}

/** What one can choose. */
export interface ChoicesBlock {
  kind: "choices";
  choices: readonly FigureChoice[];
}

export interface FigureChoice {
  /** A setting of the panel, which the address keeps; any other name is kept while the panel is open. */
  id: string;
  label: string;
  /** `check` is between its second option, unchecked, and its first. */
  look: "segments" | "select" | "check";
  options: readonly ChoiceOption[];
  /** The option that holds. */
  value: string;
  testId?: string;
}

interface ChoiceOption {
  value: string;
  name: string;
  disabled?: boolean;
}

/** A number is written by the unit of its column; null and what is not finite as a dash. */
export type FigureCell = string | number | boolean | null;

/** `share`: of 1, in percent; `signed`: with its sign; `count`: whole. */
export type NumberUnit = "text" | "count" | "number" | "signed" | "share";

export interface Column {
  name: string;
  /** Text when absent. */
  unit?: NumberUnit;
}

/** Rows of a table that are drawn: its file has all. */
export const TABLE_ROWS = 500;

/** The rows behind a picture, folded: read when they are looked at or saved. */
export interface NumbersBlock {
  kind: "numbers";
  id: string;
  title: string;
  note?: string | undefined;
  columns: readonly Column[];
  rows: () => readonly (readonly FigureCell[])[];
  /** The file that one button saves them all in, in full; absent where the panel's own menu is enough. */
  file?: { name: string; button: string };
}

/** Numbers by two whole coordinates, one map a method: colours on one scale. */
export interface CellsBlock {
  kind: "cells";
  id: string;
  maps: readonly CellMap[];
  unit: NumberUnit;
  /** What the colours show. */
  name: string;
  /** Blue and red around 0; else one ramp from 0 up. */
  signed: boolean;
  /** The number that has the full tone; absent for what fits the numbers. */
  limit?: number | undefined;
  /** What columns are called: all from the first to the last, or only those named, side by side. */
  axis: { first: number; last: number } | { only: readonly number[] };
  rows: number;
  cursor: { x: number; y: number } | null;
  /** Columns that are marked. */
  brush: readonly [number, number] | null;
  /** In whose element its arrow keys are the panel's. */
  scope: string;
  words: CellWords;
  /** Where a click leads. */
  go: (map: string, x: number, y: number) => Partial<TurnChoice>;
}

export interface CellMap {
  /** A method. */
  id: string;
  name: string;
  /** Of each column, in rising order: its number, and its cells from the top. */
  columns: readonly { x: number; values: readonly (number | null)[] }[];
  /** In place of the map, where it has no numbers. */
  missing: string | null;
  /** The picture in words. */
  label: string;
}

interface CellWords {
  /** Before the numbers at a place. */
  at: (x: number, y: number) => string;
  notRecorded: string;
  binned: (columns: number) => string;
  /** Of the colours. */
  scale: string;
  note: string;
}

/** Marks over two axes in data's own units. */
export interface ChartBlock {
  kind: "chart";
  id: string;
  title: string;
  hint?: string | undefined;
  /** The picture in sentences. */
  says: string;
  /** Below it, instead of the sentences. */
  note?: string | undefined;
  x: ChartAxis;
  y: ChartAxis;
  marks: readonly ChartMark[];
  /** As wide as it is high. */
  square?: boolean;
}

export interface ChartAxis {
  name?: string;
  domain: readonly [number, number];
  /** Absent for round numbers, the first and the last of which are then the ends of the axis. */
  ticks?: readonly number[];
  /** Absent where nothing is written beside it. */
  unit?: NumberUnit;
}

export type ChartMark =
  /** Bars from 0 up; `beyond` are hatched. */
  | { as: "bars"; bars: readonly { from: number; to: number; y: number; beyond: boolean }[] }
  /** Dots with their intervals, in the colour of a method where there is one. */
  | { as: "dots"; method?: string; dots: readonly Dot[] }
  /** A dashed line at a number of y. */
  | { as: "level"; y: number }
  /** Means, with their intervals. */
  | { as: "squares"; dots: readonly Dot[] }
  /** A ground between two numbers of x. */
  | { as: "band"; from: number; to: number }
  /** An upright line, and its name at the top. */
  | { as: "edge"; x: number; name?: string; side?: "start" | "end"; dotted?: boolean }
  /** Where x equals y. */
  | { as: "equal" };

export interface Dot {
  x: number;
  y: number;
  low?: number;
  high?: number;
  hollow?: boolean;
  /** Instead of a method's colour. `bad` is a ring, `open` a broken one. */
  look?: "good" | "bad" | "open";
  /** At the cursor. */
  ringed?: boolean;
}

/** One line a method over iterations. */
export interface LinesBlock {
  kind: "lines";
  id: string;
  title: string;
  hint: string;
  unit: NumberUnit;
  xName: string;
  xDomain: readonly [number, number];
  lines: readonly {
    id: string;
    name: string;
    x: readonly number[];
    y: readonly (number | null)[];
  }[];
}

/** One bar a row, part after part, on one scale for all. */
export interface StacksBlock {
  kind: "stacks";
  title: string;
  hint: string;
  /** Names of the parts, in the order in which they are drawn. */
  parts: readonly string[];
  rows: readonly {
    name: string;
    /** By part. */
    values: readonly number[];
    /** Of the bar, where its parts leave something out. */
    whole: number;
    /** Beside the bar. */
    total: string;
    /** The bar in words. */
    says: string;
  }[];
}

/** Small pictures in a row, one of which may be chosen: one stop for Tab. */
export interface StepsBlock {
  kind: "steps";
  id: string;
  label: string;
  current: number | null;
  /** What a card does: a choice's option, or a move of the cursor. */
  act: (place: number) => CardAct;
  count: number;
  card: (place: number) => StepCard;
  /** In one line that scrolls. */
  small?: boolean;
}

export type CardAct = { choice: string; value: string; undo: string } | { to: Partial<TurnChoice> };

export interface StepCard {
  name: string;
  /** The card in words, where its name does not say it. */
  says?: string;
  lines: readonly string[];
  chart: ChartBlock;
}

/** Rows that each lead somewhere, such as rollouts: one stop for Tab, arrows along the rows. */
export interface GridBlock {
  kind: "grid";
  id: string;
  label: string;
  /** Over the names of rows. */
  rowHead: GridHead;
  columns: readonly GridColumn[];
  rows: readonly { id: string; name: string; cells: readonly GridCell[] }[];
  /** The row at the cursor. */
  current: number;
  go: (row: number) => Partial<TurnChoice>;
}

interface GridHead {
  name: string;
  hint?: string;
}

export interface GridColumn extends GridHead {
  /** Text when absent. */
  unit?: NumberUnit;
  /** Signed bars: on the scale of their own numbers, or with what is 0 beside those of the column `reward`. */
  bars?: "own" | "reward";
  /** The column of a turn, and whether the cursor is there. */
  look?: "turn";
  here?: boolean;
}

export type GridCell = FigureCell | GridText;

export interface GridText {
  text: string;
  hint?: string;
  /** Differs from the row at the cursor: ≠. */
  marked?: boolean;
  /** A note after it. */
  more?: string;
  good?: boolean;
  /** Where a click leads. */
  go?: Partial<TurnChoice>;
}

/** All that a figure is made from. */
export interface FigureInput<S extends SettingTable = SettingTable> {
  view: RunView;
  /** Where the cursor stands. */
  at: ResolvedChoice;
  /** The panel's settings. */
  set: { readonly [K in keyof S]: SettingValue<S[K]> };
  /** Choices that no address keeps, by id. */
  held: Readonly<Record<string, string>>;
  truths: Truths;
  /** Iterations that are marked in the curves. */
  brush: readonly [number, number] | null;
}

/** A panel that is a figure. */
export interface FigurePanel<S extends SettingTable = SettingTable, Read = null> {
  panel: Manifest<string, S>;
  /** One sentence under the heading. */
  about?: string;
  /** Its name among the page's regions, where the title is another's too. */
  region?: string;
  /** Work on the log, in slices, again for every iteration that finishes; absent where there is none. */
  read?: (view: RunView) => Sliced<Read>;
  /** Whether `read` has more to do than the log has so far. */
  isReading?: (read: Read) => boolean;
  /** Reads a part of what the figure needs, once a task; false when all is read. For work that depends on the cursor. */
  readNext?: (seen: Pick<FigureInput<S>, "view" | "at" | "set">) => boolean;
  /** Whether it has nothing to say where the cursor's method has no episodes; yes when absent. */
  isEmpty?: (view: RunView, at: ResolvedChoice) => boolean;
  figure: (seen: FigureInput<S>, read: Read) => Figure;
  /** Moves of the cursor by the panel's own keys, by action. */
  moves?: Readonly<Record<string, ChoiceMove>>;
}

export const textBlock = (said: string, look?: TextBlock["look"], id?: string): TextBlock => ({
  kind: "text",
  text: said,
  ...(look && { look }),
  ...(id !== undefined && { id }),
});

/** Columns from their names and their units, in order; text where there is no unit. */
export const columnsFrom = (names: readonly string[], units: readonly NumberUnit[]): Column[] =>
  names.map((name, i) => ({ name, unit: units[i] ?? "text" }));

/** Leaves what it is given as it is: for its types. */
export const figurePanel = <S extends SettingTable, Read = null>(given: FigurePanel<S, Read>) =>
  given;
