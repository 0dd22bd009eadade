/** The numbers below the ribbon's pictures, row by row, and the meaning of each row. */
import type { TurnTruth } from "../../reading/truths.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { NumberUnit } from "../figure.ts";
import { ofPolicy } from "../truthWords.ts";
import type { RibbonTurn, RibbonView } from "./view.ts";
import { words } from "./words.ts";

export interface RowText {
  name: string;
  /** After the name, and alone if there is no space for it. */
  symbol?: string;
  /** Announced after it, and in files: the legend shows it. */
  more?: string;
  hint: string;
}

export interface RibbonRow {
  id: string;
  text: RowText;
  unit: NumberUnit;
  /** The largest number in its unit. */
  size?: number;
  /** Numbers that set the scale of its colours; absent if it has none. */
  among?: readonly number[];
  /** Instead of numbers that are missing. */
  none?: string;
  cells: readonly RibbonCell[];
}

interface RibbonCell {
  value: number | null;
  /** After the number; in a pane behind "?". */
  interval?: readonly [number, number] | undefined;
  /** After the number. */
  more?: string | undefined;
  /** A tag before it. */
  tag?: string | undefined;
}

/** Those that the episode has, in order. */
export function numberRows(view: RibbonView): RibbonRow[] {
  const { rows } = words;
  const { turns, critic, truth, truthBy, lacking, sizes, dual } = view;
  const row = (
    id: Exclude<keyof RibbonTurn, "clipped">,
    more: Partial<RibbonRow> = {},
  ): RibbonRow => ({
    id,
    text: rows[id],
    unit: "signed",
    size: sizes.reward,
    cells: turns.map((turn) => ({ value: turn[id] })),
    ...more,
  });
  const none = critic || lacking ? {} : { none: words.noCritic };
  return [
    row("reward"),
    row("value", none),
    ...(truth
      ? [
          {
            ...row("value"),
            id: "truth",
            text: { ...rows.truth, ...(truthBy !== null && { more: ofPolicy(truthBy) }) },
            cells: turns.map((_, h) => truthCell(truth[h])),
          },
        ]
      : []),
    row("delta", { ...none, among: view.deltas }),
    row("advantage", { size: sizes.advantage, among: view.advantages }),
    row("return", { text: rows[returnOf(view)] }),
    row("ratio", {
      unit: "number",
      cells: turns.map(({ ratio, clipped }, h) => ({
        value: ratio,
        more: ratio !== null && clipped === null ? `, ${words.clipUnknown}` : undefined,
        tag: clipped ? words.tags[dual[h] ? "dual" : "clipped"].name : undefined,
      })),
    }),
  ];
}

/** Which words the row of returns uses. */
function returnOf({ hasTargets, episode, foreign }: RibbonView) {
  if (hasTargets) return "return";
  if (isFork(episode)) return "returnOfFork";
  return foreign ? "returnComputed" : "returnToGo";
}

function truthCell(truth: TurnTruth | undefined): RibbonCell {
  if (!truth || !Number.isFinite(truth.value)) return { value: null };
  return { value: truth.value, interval: truth.valueInterval };
}

/** The meaning of every row, and of the tags beside a turn. */
export function meaningsOf(rows: readonly RibbonRow[]): { name: string; hint: string }[] {
  const { seen, written } = words.rows;
  const numbers = rows.map(({ text: { name, symbol = "", hint } }) => ({
    name: `${name} ${symbol}`.trim(),
    hint,
  }));
  return [seen, written, ...numbers, ...Object.values(words.tags)];
}
