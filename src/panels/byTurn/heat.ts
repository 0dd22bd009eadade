/** Numbers to tones, and cells of one tone to one path: a map of thousands of cells is a few dozen elements. */
import { formatPercent, formatSignedBrief } from "../../numeric/format.ts";
import type { Scale } from "../../charts/scale.ts";
import { signedLimit } from "../../charts/signedScale.ts";
import { greatest } from "../../numeric/lists.ts";
import { binColumns, heatNumbers, type TurnMap, type TurnQuantity } from "../../reading/byTurn.ts";
import type { HeatColumns } from "./columns.ts";

/** Tones from 0 to the full one. */
export const TONES = 10;

export interface HeatScale {
  /** Blue and red around 0, or one ramp from 0 up. */
  signed: boolean;
  /** The number that has the full tone; what lies beyond has it too. 0 where there are no numbers. */
  limit: number;
  /** From -TONES to TONES, or from 0. */
  toneOf: (value: number) => number;
  format: (value: number) => string;
}

const SIGNED: readonly TurnQuantity[] = ["value", "advantage", "explained"];
const PERCENT: readonly TurnQuantity[] = ["clip", "success", "explained"];

/** One scale for all methods. Explained variance has the whole range of what it can be worth: what is worse than -1 is -1. */
export function heatScale(maps: readonly TurnMap[], quantity: TurnQuantity): HeatScale {
  const numbers = heatNumbers(maps, quantity);
  const signed = SIGNED.includes(quantity);
  const limit = limitOf(numbers, quantity);
  const least = signed ? -TONES : 0;
  return {
    signed,
    limit,
    toneOf: (value) =>
      limit === 0 ? 0 : Math.max(least, Math.min(TONES, Math.round((value / limit) * TONES))) || 0,
    format: (value) =>
      PERCENT.includes(quantity) ? formatPercent(value) : formatSignedBrief(value, limit),
  };
}

function limitOf(numbers: readonly number[], quantity: TurnQuantity): number {
  if (numbers.length === 0) return 0;
  if (quantity === "explained") return 1;
  return SIGNED.includes(quantity) ? signedLimit(numbers) : greatest([0, ...numbers]);
}

/** The colour of a tone, in both themes. */
export function toneColour(tone: number, signed: boolean): string {
  const token = !signed ? "--ink" : tone > 0 ? "--plus" : "--minus";
  const share = Math.round((Math.abs(tone) / TONES) * (signed ? 88 : 78));
  return `color-mix(in srgb, var(${token}) ${share}%, var(--page))`;
}

export interface HeatArea {
  /** Of places in columns. */
  x: Scale;
  columns: HeatColumns;
  /** Height of a turn's row, and where the first begins. */
  row: number;
  top: number;
  /** Iterations that share a column. */
  binned: number;
}

/** Cells of the same tone as one SVG path each, by tone. */
export function cellPaths(
  { columns }: TurnMap,
  quantity: TurnQuantity,
  { toneOf }: HeatScale,
  { x, columns: places, row, top, binned }: HeatArea,
): Map<number, string> {
  const paths = new Map<number, string>();
  for (const { from, to, values } of binColumns(columns, quantity, binned)) {
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

/** What a method has at a place; undefined where nothing was recorded there. */
export function heatAt(
  { columns }: TurnMap,
  quantity: TurnQuantity,
  iteration: number,
  turn: number,
): { value: number | null; turns: number } | undefined {
  const means = columns.find((column) => column.iteration === iteration)?.turns[turn];
  return means && { value: means[quantity], turns: means.turns };
}
