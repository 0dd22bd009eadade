/** The numbers below the ribbon's pictures, row by row, and the meaning of each row. */
import { BRIEF, type NumberFormats } from "../../numeric/format.ts";
import type { SignedTone } from "../../charts/signedScale.ts";
import type { TurnTruth } from "../../reading/truths.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import { words as ask } from "../shared/ask/words.ts";
import type { RibbonTurn } from "./ribbon.ts";
import type { RibbonView } from "./ribbonView.ts";
import { words } from "./words.ts";

export interface RowText {
  name: string;
  /** After the name, and alone if there is no space for it. */
  symbol?: string;
  /** Announced after it, and in files: the legend shows it. */
  more?: string;
  hint: string;
}

interface NumberRow {
  id: string;
  text: RowText;
  cell: (turn: RibbonTurn, h: number) => string;
  /** Additional text of the number; in a pane it is behind "?". */
  more?: (h: number) => string;
  /** A tag before the number; null if the turn has none. */
  mark?: (turn: RibbonTurn, h: number) => string | null;
  tone?: (turn: RibbonTurn) => SignedTone;
}

/** Those that the episode has, in order. */
export function numberRows(view: RibbonView, formats = BRIEF): NumberRow[] {
  const { rows, absent } = words;
  const { critic, truth, truthBy, lacking, sizes } = view;
  const signed = (x: number | null, size = sizes.reward) =>
    x === null ? absent : formats.signed(x, size);
  const valued = (x: number | null) => (critic ? signed(x) : lacking ? absent : words.noCritic);
  const toneOf = (scale: (x: number) => SignedTone, x: number | null) => scale(x ?? 0);
  const known = (h: number) => truth?.[h];
  return [
    { id: "reward", text: rows.reward, cell: ({ reward }) => signed(reward) },
    { id: "value", text: rows.value, cell: ({ value }) => valued(value) },
    ...(truth
      ? [
          {
            id: "truth",
            text: { ...rows.truth, ...(truthBy !== null && { more: ask.by(truthBy) }) },
            cell: (_: RibbonTurn, h: number) => signed(truthValue(known(h))),
            more: (h: number) => truthRange(known(h), signed),
          },
        ]
      : []),
    {
      id: "delta",
      text: rows.delta,
      cell: ({ delta }) => valued(delta),
      tone: ({ delta }) => toneOf(view.deltaTone, delta),
    },
    {
      id: "advantage",
      text: rows.advantage,
      cell: ({ advantage }) => signed(advantage, sizes.advantage),
      tone: ({ advantage }) => toneOf(view.advantageTone, advantage),
    },
    { id: "return", text: rows[returnOf(view)], cell: (turn) => signed(turn.return) },
    {
      id: "ratio",
      text: rows.ratio,
      cell: (turn) => ratioText(turn, formats),
      mark: ({ clipped }, h) => (clipped ? cutBy(view, h) : null),
    },
  ];
}

/** Which words the row of returns uses. */
function returnOf({ hasTargets, episode, foreign }: RibbonView) {
  if (hasTargets) return "return";
  if (isFork(episode)) return "returnOfFork";
  return foreign ? "returnComputed" : "returnToGo";
}

function ratioText({ ratio, clipped }: RibbonTurn, { plain }: NumberFormats): string {
  if (ratio === null) return words.absent;
  return clipped === null ? `${plain(ratio)}, ${words.clipUnknown}` : plain(ratio);
}

function truthValue(truth: TurnTruth | undefined): number | null {
  return truth && Number.isFinite(truth.value) ? truth.value : null;
}

function truthRange(truth: TurnTruth | undefined, signed: (x: number) => string): string {
  if (!truth || truthValue(truth) === null) return "";
  const [low, high] = truth.valueInterval.map((end) => signed(end));
  return `(${low} to ${high})`;
}

/** The tag of a clipped turn. */
const cutBy = ({ dual }: RibbonView, h: number) => words.tags[dual[h] ? "dual" : "clipped"].name;

/** The meaning of every row, and of the tags beside a turn. */
export function meaningsOf(view: RibbonView): { name: string; hint: string }[] {
  const { rows, tags } = words;
  const numbers = numberRows(view).map(({ text: { name, symbol = "", hint } }) => ({
    name: `${name} ${symbol}`.trim(),
    hint,
  }));
  return [rows.seen, rows.written, ...numbers, ...Object.values(tags)];
}
