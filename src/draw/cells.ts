/** Numbers to tones, and cells of one tone to one path: a map of thousands of cells is a few dozen elements. */
import { ticksWithin } from "../numeric/axis.ts";
import type { Scale } from "../numeric/scale.ts";
import { signedLimit } from "../numeric/signedLimit.ts";
import { greatest } from "../numeric/lists.ts";
import type { CellMap, CellsBlock } from "../figures/figure.ts";

/** Tones from 0 to the full one. */
export const TONES = 10;

export interface ToneScale {
  /** Blue and red around 0, or one ramp from 0 up. */
  signed: boolean;
  /** Numbers from here on have the full tone. 0 without any numbers. */
  limit: number;
  /** From -TONES to TONES, or from 0. */
  toneOf: (value: number) => number;
}

/** One scale for all maps. */
export function toneScale({
  maps,
  signed,
  limit: given,
}: Pick<CellsBlock, "maps" | "signed" | "limit">): ToneScale {
  const numbers = maps.flatMap(({ columns }) =>
    columns.flatMap(({ values }) => values.filter((value) => value !== null)),
  );
  const fitting = signed ? signedLimit(numbers) : greatest([0, ...numbers]);
  const limit = numbers.length === 0 ? 0 : (given ?? fitting);
  const least = signed ? -TONES : 0;
  return {
    signed,
    limit,
    toneOf: (value) =>
      limit === 0 ? 0 : Math.max(least, Math.min(TONES, Math.round((value / limit) * TONES))) || 0,
  };
}

/** The colour of a tone, in both themes. */
export function toneColour(tone: number, signed: boolean): string {
  const token = !signed ? "--ink" : tone > 0 ? "--plus" : "--minus";
  const share = Math.round((Math.abs(tone) / TONES) * (signed ? 88 : 78));
  return `color-mix(in srgb, var(${token}) ${share}%, var(--page))`;
}

export interface ColumnPlaces {
  /** How many columns there is room for. */
  count: number;
  /** Whether only some numbers have a column. */
  packed: boolean;
  /** Numbers that may be written below. */
  ticks: readonly number[];
  /** The columns that a range of numbers covers; an empty range starts and ends at the same place. */
  span(from: number, to: number): readonly [number, number];
  /** The number at a place, in columns. */
  numberAt(place: number): number;
}

export function placesOf(axis: CellsBlock["axis"]): ColumnPlaces {
  if ("only" in axis) {
    const { only } = axis;
    const before = (limit: number) => only.filter((one) => one < limit).length;
    return {
      count: only.length,
      packed: true,
      ticks: only,
      span: (from, to) => [before(from), before(to + 1)],
      numberAt: (place) => only[Math.floor(place)]!,
    };
  }
  const { first, last } = axis;
  return {
    count: last - first + 1,
    packed: false,
    ticks: ticksWithin([first, last], true),
    span: (from, to) => [from - first, to - first + 1],
    numberAt: (place) => first + Math.floor(place),
  };
}

/** Pixels of a row: few have room. */
const ROW = { most: 24, least: 10, together: 150 };
/** Minimum width of a column in pixels: if there are more numbers, several share one. */
const COLUMN = 2;

export const rowHeight = (rows: number) =>
  Math.max(ROW.least, Math.min(ROW.most, Math.floor(ROW.together / Math.max(1, rows))));

/** How many numbers share a column, given their count and the width in pixels. */
export const binWidth = (pixels: number, count: number) =>
  Math.max(1, Math.ceil((count * COLUMN) / Math.max(1, pixels)));

export interface CellArea {
  /** Of places in columns. */
  x: Scale;
  places: ColumnPlaces;
  /** Height of a row, and where the first begins. */
  row: number;
  top: number;
  /** Numbers that share a column. */
  binned: number;
}

/** Cells of the same tone as one SVG path each, by tone. */
export function cellPaths(
  { columns }: Pick<CellMap, "columns">,
  { toneOf }: ToneScale,
  { x, places, row, top, binned }: CellArea,
): Map<number, string> {
  const paths = new Map<number, string>();
  for (const { from, to, values } of binColumns(columns, binned)) {
    const [left, right] = places.span(from, to).map((place) => round(x.at(place)));
    values.forEach((value, h) => {
      if (value === null) return;
      const tone = toneOf(value);
      const cell = `M${left},${round(top + h * row)}H${right}v${round(row)}H${left}z`;
      paths.set(tone, (paths.get(tone) ?? "") + cell);
    });
  }
  return paths;
}

const round = (value: number) => Math.round(value * 10) / 10;

interface ColumnBin {
  from: number;
  to: number;
  values: (number | null)[];
}

/** `width` numbers per column; each cell is the mean of its known numbers. */
function binColumns(columns: CellMap["columns"], width: number): ColumnBin[] {
  const bins = new Map<number, (readonly (number | null)[])[]>();
  for (const { x, values } of columns) {
    const place = Math.floor((x - 1) / width);
    bins.set(place, [...(bins.get(place) ?? []), values]);
  }
  return [...bins].map(([place, some]) => ({
    from: place * width + 1,
    to: (place + 1) * width,
    values: Array.from({ length: greatest(some.map(({ length }) => length)) }, (_, h) =>
      meanOfKnown(some.map((values) => values[h] ?? null)),
    ),
  }));
}

/** Over those that have a number; null without any. */
function meanOfKnown(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length === 0) return null;
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

/** What a map has at a place; undefined if nothing was recorded there. */
export function cellAt(
  { columns }: Pick<CellMap, "columns">,
  x: number,
  y: number,
): number | null | undefined {
  return columns.find((column) => column.x === x)?.values[y];
}
