/**
 * A figure is data: what a panel says, offers and draws, without React, colours and pixels. `draw`
 * draws it, formats its numbers and handles keys and pointer; so a figure is tested in Node, and
 * becomes a table, a file and a sentence without code of its own.
 */
import type { Truths } from "../reading/truths.ts";
import type { RunView } from "../reading/log/runLog.ts";
import type { SettingTable, SettingValue } from "../store/lensCodecs.ts";
import type { ChoiceMove, ResolvedChoice, TurnChoice } from "../store/turnChoice.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { Act, FigureChoice, Go, NumberChoice } from "./choices.ts";
import type { CurveParts } from "./curves/curve.ts";
import type { Manifest } from "./manifest.ts";

/** From top to bottom. */
export type Figure = readonly Block[];

export type Block =
  | TextBlock
  | ListBlock
  | ChoicesBlock
  | NumbersBlock
  | FactsBlock
  | CellsBlock
  | ChartBlock
  | LinesBlock
  | StacksBlock
  | StepsBlock
  | GridBlock
  | CardBlock
  | MeaningsBlock
  | BarsBlock
  | FileBlock
  | SideBlock
  | GroupBlock
  | PartBlock;

/** One sentence or a few. */
export interface TextBlock {
  kind: "text";
  text: string;
  /** `empty` replaces a picture, `prose` explains, behind "?" in a pane; `notice` is framed, `warning` reports a problem, `full` is a text of any length as it is; a plain paragraph when absent. */
  look?: "note" | "prose" | "empty" | "notice" | "warning" | "full";
  /** A heading above it. */
  title?: string;
  id?: string;
  /** A name in a program, before it. */
  code?: string;
  /** A note after it. */
  more?: string;
  /** Buttons after it. */
  go?: readonly Go[];
  /** It is announced when it changes. Less than all is done: with a bar. */
  progress?: { name: string; done: number; of: number };
  /** A command after it. */
  command?: string;
  /** A link after it. */
  link?: { name: string; href: string };
}

/** Something that no figure can express, such as a board with questions to a live model: the panel's own component. */
export interface PartBlock {
  kind: "part";
  id: string;
  /** What it draws; absent if it finds that itself. */
  given?: object;
}

export interface ListBlock {
  kind: "list";
  id: string;
  /** Its name; such a list has no bullets. */
  label?: string;
  items: readonly (string | { id: string; text: string })[];
  isOrdered?: boolean;
}

/** A frame with a heading, between tags, around blocks. */
export interface CardBlock {
  kind: "card";
  id: string;
  look: "bad" | "warning";
  tag: string;
  title: string;
  /** A tag after the title. */
  after?: string;
  blocks: Figure;
}

/** What names mean, folded. */
export interface MeaningsBlock {
  kind: "meanings";
  title: string;
  items: readonly { name: string; hint: string }[];
}

/** Parts side by side, if there is room. */
interface SideBlock {
  kind: "side";
  /** The part that is wider than the others. */
  main?: "first";
  parts: readonly Figure[];
}

/** Parts under a heading; if folded, made when it is opened, or at once if it has commands. */
export interface GroupBlock {
  kind: "group";
  title: string;
  id?: string;
  folded?: boolean;
  hasCommands?: boolean;
  parts: () => Figure;
}

/** A text to copy, and to save as a file. */
export interface FileBlock {
  kind: "file";
  name: string;
  type: string;
  text: () => string;
  copy: FileButton;
  save: FileButton;
}

interface FileButton {
  name: string;
  /** Its name among the commands of the page. */
  command: string;
}

/** The choices of a figure. */
export interface ChoicesBlock {
  kind: "choices";
  choices: readonly (FigureChoice | NumberChoice)[];
  /** Buttons after them, as a group with a name. */
  go?: { name: string; buttons: readonly Go[] };
  /** In a pane without labels: values say what is chosen. */
  brief?: boolean;
  /** Beside them. */
  note?: TextBlock;
  /** The meaning of bars on either side of 0, after the choices. */
  signs?: { minus: string; plus: string } | undefined;
  /** In columns, each with what it means below its name. */
  fields?: boolean;
}

/** A number is formatted by the unit of its column; null and what is not finite as a dash. */
export type FigureCell = string | number | boolean | null;

/** `share`: of 1, in percent; `signed`: with its sign; `count`: whole; `exact`: twelve digits. */
export type NumberUnit = "text" | "count" | "number" | "signed" | "share" | "exact";

export interface Column {
  name: string;
  /** Text when absent. */
  unit?: NumberUnit;
}

/** Rows of a table that are drawn: its file has all. */
export const TABLE_ROWS = 500;

/** The rows behind a picture, folded: computed when they are opened or saved. */
export interface NumbersBlock {
  kind: "numbers";
  id: string;
  title: string;
  /** The rows in sentences. */
  says?: string;
  note?: string | undefined;
  columns: readonly Column[];
  rows: () => readonly (readonly FigureCell[])[];
  /** The file for the button that saves them all in full; absent if the panel's own menu is enough. */
  file?: { name: string; button: string };
}

/** What is known of one thing, such as the token at the cursor. */
export interface FactsBlock {
  kind: "facts";
  id: string;
  title: string;
  note: string;
  rows: readonly {
    id: string;
    name: string;
    /** What it means. */
    hint?: string;
    value: FigureCell;
    unit?: NumberUnit;
  }[];
}

/** Numbers by two integer coordinates, one map per method: colours on one scale. */
export interface CellsBlock {
  kind: "cells";
  id: string;
  maps: readonly CellMap[];
  unit: NumberUnit;
  /** The quantity that the colours show. */
  name: string;
  /** Blue and red around 0; else one ramp from 0 up. */
  signed: boolean;
  /** The number that has the full tone; absent: chosen from the numbers. */
  limit?: number | undefined;
  /** Names of columns: all from the first to the last, or only those named, side by side. */
  axis: { first: number; last: number } | { only: readonly number[] };
  rows: number;
  cursor: { x: number; y: number } | null;
  /** Columns that are marked. */
  brush: readonly [number, number] | null;
  /** The scope whose arrow keys are the panel's. */
  scope: string;
  words: CellWords;
  /** The target of a click. */
  go: (map: string, x: number, y: number) => Partial<TurnChoice>;
}

export interface CellMap {
  /** A method. */
  id: string;
  name: string;
  /** For each column, in rising order: its number, and its cells from the top. */
  columns: readonly { x: number; values: readonly (number | null)[] }[];
  /** Shown instead of the map if it has no numbers. */
  missing: string | null;
  /** The picture in words. */
  label: string;
}

interface CellWords {
  /** Text before the numbers at a place. */
  at: (x: number, y: number) => string;
  notRecorded: string;
  binned: (columns: number) => string;
  /** Of the colours. */
  scale: string;
  note: string;
}

/** Marks over two axes in the data's own units. */
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
  /** Beside text. */
  isSmall?: boolean;
  /** x are iterations: read, and marked, together with the curves. */
  isRead?: boolean;
}

export interface ChartAxis {
  name?: string;
  domain: readonly [number, number];
  /** Absent for round numbers, the first and the last of which are then the ends of the axis. */
  ticks?: readonly number[];
  /** Absent if there is no label. */
  unit?: NumberUnit;
}

export type ChartMark =
  /** Bars from 0 up; `beyond` are hatched. */
  | { as: "bars"; bars: readonly { from: number; to: number; y: number; beyond: boolean }[] }
  /** Dots with their intervals, in the colour of a method if there is one. */
  | { as: "dots"; method?: string; dots: readonly Dot[] }
  /** A dashed line at a value of y. */
  | { as: "level"; y: number; isLimit?: boolean }
  /** A line from point to point; null is a gap. */
  | {
      as: "line";
      points: readonly { x: number; y: number | null }[];
      look?: "dashed" | "dotted";
    }
  /** Means, with their intervals. */
  | { as: "squares"; dots: readonly Dot[] }
  /** A background between two values of x. */
  | { as: "band"; from: number; to: number }
  /** A vertical line, with its name at the top. */
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

/** One line per method over iterations. */
export interface LinesBlock {
  kind: "lines";
  id: string;
  title: string;
  hint: string;
  unit: NumberUnit;
  xName: string;
  xDomain: readonly [number, number];
  /** The only places on x, as far apart as their logarithms; intervals there stand side by side. */
  steps?: readonly number[];
  lines: readonly CurveParts[];
}

/** One bar per row, part after part, on one scale for all. */
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
    /** Total of the bar, if its parts leave something out. */
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
  /** What a card does: chooses an option, or moves the cursor. */
  act: (place: number) => Act;
  count: number;
  card: (place: number) => StepCard;
  /** In one line that scrolls. */
  small?: boolean;
}

export interface StepCard {
  name: string;
  /** The card in words, if its name does not say it. */
  says?: string;
  lines: readonly string[];
  chart: ChartBlock;
}

/** A table, shown at once. Rows with a target are links: one stop for Tab, arrows along the rows. */
export interface GridBlock {
  kind: "grid";
  id: string;
  label: string;
  /** Of the names of rows. */
  rowHead: GridHead;
  columns: readonly GridColumn[];
  count: number;
  /** Asked for the rows that are drawn. */
  row: (place: number) => GridRow;
  /** The row at the cursor; -1 if there is none. */
  current: number;
  go?: (row: number) => Partial<TurnChoice>;
  /** Names the order and choice of its rows, which are drawn page by page: another one begins at the first. Absent: those around the cursor. */
  pages?: string;
  /** All rows in full, for files; absent if cells say it all. */
  whole?: () => { head: readonly string[]; rows: readonly (readonly FigureCell[])[] };
}

export interface GridHead {
  name: string;
  hint?: string;
  /** In a pane, if the column is narrower than its name. */
  short?: string;
  /** Its heading sorts the rows. */
  sort?: { id: string; by: Act; now: "up" | "down" | null };
  /** Width in a narrow pane, in rem; columns with a width, and the one that fills the rest, are in sight there. */
  width?: number | "rest";
}

export interface GridColumn extends GridHead {
  /** Text when absent. */
  unit?: NumberUnit;
  /** Signed bars: on the scale of their own numbers, or on that of the column `reward`. */
  bars?: "own" | "reward";
  /** `turn`: the column of a turn; `code`: letters of one width; `long`: text in lines; `cut`: names of any length. */
  look?: "turn" | "code" | "long" | "cut";
  /** Whether the cursor is there. */
  here?: boolean;
}

export interface GridRow {
  id: string;
  name: string;
  /** Before the name, except in a pane. */
  word?: string;
  /** A sentence below the name. */
  says?: string;
  /** Its name is that of a check box. */
  check?: { says: string; by: Act; isOn: boolean; disabled: boolean };
  cells: readonly GridCell[];
}

/** A part is a cell that no figure can say. */
export type GridCell = FigureCell | GridNumber | GridText | PartBlock;

/** A number with a note. */
interface GridNumber {
  value: number;
  more: string;
}

export interface GridText {
  text: string;
  hint?: string;
  /** Differs from the row at the cursor: ≠. */
  marked?: boolean;
  /** A note before it. */
  lead?: string;
  /** What a search has found, and the text after it. */
  found?: readonly [string, string];
  /** A note after it. */
  more?: string;
  look?: "good" | "strong" | "faint";
  /** In a pane a sign instead of the text. */
  sign?: "good" | "bad" | "open";
  /** The target of a click. */
  go?: Partial<TurnChoice>;
}

/** Rows of numbers with signed bars over places of the cursor, each row on a scale of its own. */
export interface BarsBlock {
  kind: "bars";
  id: string;
  label: string;
  /** Heading of the names of rows. */
  rowHead: string;
  columns: readonly BarColumn[];
  /** The column at the cursor. */
  current: number;
  /** The token at the cursor, in a table whose turns have strips: there its number replaces the turn's. */
  token?: number | null;
  rows: readonly BarRow[];
  /** Columns of texts after them, which stay in view. */
  ends: readonly GridHead[];
  unit: NumberUnit;
  /** A question whose answer is in the table; room is kept for it. Cells with a cover are its buttons. */
  guess?: {
    says: string;
    /** What keys 1 to 9 do. */
    keys: readonly (readonly Act[])[];
    /** What is hidden until the guess, and how it is revealed without one; null afterwards. */
    hidden: { what: string; by: Act } | null;
  };
}

export interface BarColumn {
  id: string;
  name: string;
  /** The text of a token, which is its heading. */
  token?: string;
  /** Whether the heading has its id, too. */
  numbered?: boolean;
  /** The target of a click. */
  to: Partial<TurnChoice> | null;
  /** A press on its heading also shows or hides columns below it. */
  opens?: { by: Act; isOpen: boolean; says: string };
}

export interface BarRow {
  id: string;
  name: string;
  /** After its name, for those who do not see the picture. */
  says?: string | undefined;
  /** `method` has its line's colour and mark, `truth` a diamond; others than methods are in italics. */
  look: "method" | "truth" | "reward" | "trained" | "ratios";
  notes: readonly string[];
  go: readonly Go[];
  /** Instead of numbers. */
  reason: string | null;
  cells: readonly BarCell[];
  /** The numbers that set the scale of its bars. */
  among: readonly number[];
  /** The largest number in the row's unit, if it is not among them. */
  size?: number | undefined;
  ends: readonly string[];
  /** Instead of `ends` where there is no room for them. */
  endsNote?: string | undefined;
  /** Whether a row above shows the same. */
  repeats: boolean;
}

export interface BarCell {
  value: number | null;
  /** Instead of the number. */
  text?: string | undefined;
  /** Of the bar, if it is not the number itself. */
  bar?: number | undefined;
  interval?: readonly [number, number] | undefined;
  /** Its sign is uncertain. */
  pale?: boolean;
  framed?: boolean;
  /** Numbers of a turn's tokens, below a bar as wide as they are many. */
  strip?: readonly (number | null)[];
  ratios?: TurnRatios;
  /** A button instead of a number, until a guess. */
  cover?: { says: string; by: readonly Act[] };
}

/** A turn's ratio by the product of its tokens', and by their geometric mean. */
export interface TurnRatios {
  product: RatioReading;
  mean: RatioReading;
  /** Where nothing is clipped; null if unknown. */
  band: readonly [number, number] | null;
}

interface RatioReading {
  name: string;
  value: number;
  says: string;
  /** Such as that a clip at this ratio removes the turn's gradient. */
  more: string;
}

/** The input of a figure. */
export interface FigureInput<S extends SettingTable = SettingTable> {
  view: RunView;
  /** The place of the cursor. */
  at: ResolvedChoice;
  /** The panel's settings. */
  set: { readonly [K in keyof S]: SettingValue<S[K]> };
  /** Choices that are not in the address, by id. */
  held: Readonly<Record<string, string>>;
  truths: Truths;
  /** Iterations that are marked in the curves. */
  brush: readonly [number, number] | null;
}

/** Meanwhile the figure stays at the place that was read last; its choices are followed at once. */
interface FigureReading<S extends SettingTable, Read> {
  /** What it depends on: it is repeated when any of these differs. */
  needs: (seen: FigureInput<S>) => readonly unknown[];
  /** In slices; `show` draws what is read so far, now and then. */
  work: (seen: FigureInput<S>, show: (read: () => Read) => void) => Sliced<Read>;
}

/** A panel that is a figure. */
export interface FigurePanel<S extends SettingTable = SettingTable, Read = null> {
  panel: Manifest<string, S>;
  /** One sentence under the heading. */
  about?: string;
  /** Its name among the page's regions, if another has the same title. */
  region?: string;
  /** Whether it shows the run, and so where that comes from; yes when absent. */
  ofRun?: boolean;
  /** What the figure lacks until it is read from the log; absent if there is nothing to read. */
  reads?: FigureReading<S, Read>;
  /** Whether it needs episodes of the cursor's method; yes when absent. */
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

/** Columns from their names and units, in order; text if there is no unit. */
export const columnsFrom = (names: readonly string[], units: readonly NumberUnit[]): Column[] =>
  names.map((name, i) => ({ name, unit: units[i] ?? "text" }));

/** Returns its argument; only for types. */
export const figurePanel = <S extends SettingTable, Read = null>(given: FigurePanel<S, Read>) =>
  given;
