/** The numbers below the ribbon's pictures, row by row, and what each row says. */
import { formatNumber, formatSigned } from "../../charts/format.ts";
import type { SignedTone } from "../../charts/signedScale.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { RibbonTurn } from "./ribbon.ts";
import type { RibbonView } from "./ribbonView.ts";
import { words } from "./words.ts";

interface NumberRow {
  id: string;
  text: { name: string; hint: string };
  cell: (turn: RibbonTurn, h: number) => string;
  tone?: (turn: RibbonTurn) => SignedTone;
}

/** Those that the episode has, in order. */
export function numberRows(view: RibbonView): NumberRow[] {
  const { rows, absent } = words;
  const { critic, truth, foreign } = view;
  const signed = (x: number | null) => (x === null ? absent : formatSigned(x));
  const valued = (x: number | null) => (critic ? signed(x) : foreign ? absent : words.noCritic);
  const toneOf = (scale: (x: number) => SignedTone, x: number | null) => scale(x ?? 0);
  const known = (h: number) => truth?.[h];
  return [
    { id: "reward", text: rows.reward, cell: ({ reward }) => signed(reward) },
    { id: "value", text: rows.value, cell: ({ value }) => valued(value) },
    ...(truth
      ? [{ id: "truth", text: rows.truth, cell: (_: RibbonTurn, h: number) => truthText(known(h)) }]
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
      cell: ({ advantage }) => signed(advantage),
      tone: ({ advantage }) => toneOf(view.advantageTone, advantage),
    },
    { id: "return", text: rows[returnOf(view)], cell: (turn) => signed(turn.return) },
    { id: "ratio", text: rows.ratio, cell: (turn, h) => ratioText(turn, cutBy(view, h)) },
  ];
}

/** Which words the row of returns has. */
function returnOf({ hasTargets, episode, foreign }: RibbonView) {
  if (hasTargets) return "return";
  if (isFork(episode)) return "returnOfFork";
  return foreign ? "returnComputed" : "returnToGo";
}

function ratioText({ ratio, clipped }: RibbonTurn, cut: string): string {
  // Where neither is known, as in a fork, one sign says so.
  const clip = clipped === null ? ratio !== null && words.clipUnknown : clipped && cut;
  const number = ratio === null ? words.absent : formatNumber(ratio);
  return clip ? `${number}, ${clip}` : number;
}

type Known = NonNullable<RibbonView["truth"]>[number];

function truthText(truth: Known | undefined): string {
  if (!truth || !Number.isFinite(truth.value)) return words.absent;
  const [low, high] = truth.valueInterval.map((end) => formatSigned(end));
  return `${formatSigned(truth.value)} (${low} to ${high})`;
}

/** What a turn is called that a clip cut. */
export const cutBy = ({ dual }: RibbonView, h: number) =>
  words.tags[dual[h] ? "dual" : "clipped"].name;

/** What every row says, and the tags beside a turn. */
export function meaningsOf(view: RibbonView): { name: string; hint: string }[] {
  const { rows, tags } = words;
  const numbers = numberRows(view).map(({ text }) => text);
  return [rows.seen, rows.written, ...numbers, ...Object.values(tags)];
}
