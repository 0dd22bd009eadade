/** The episode at the cursor as a row of turns: observation, response, reward, value and credit. */
import { niceTicks, ticksWithin } from "../../numeric/axis.ts";
import { formatSigned } from "../../numeric/format.ts";
import { greatest, least } from "../../numeric/lists.ts";
import { stretchAt, type Stretch } from "../../numeric/stretch.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { Truths } from "../../reading/truths.ts";
import { truthOfEpisode } from "../../store/forks.ts";
import type { ResolvedChoice, TurnChoice } from "../../store/turnChoice.ts";
import {
  figurePanel,
  textBlock,
  type ChoicesBlock,
  type Figure,
  type GroupBlock,
} from "../figure.ts";
import { episodeEnd } from "../episodeEnd.ts";
import { whyTurn } from "../truthWords.ts";
import { turnStretch } from "../turnStretch.ts";
import {
  describeChart,
  describeClips,
  describeCritic,
  describeNoClip,
  describeNoError,
  describeSurprise,
  lineNames,
} from "./describe.ts";
import { jumps } from "./jumps.ts";
import { ribbon } from "./manifest.ts";
import { meaningsOf, numberRows, type RibbonRow } from "./rows.ts";
import { ribbonView, type RibbonView } from "./view.ts";
import { words } from "./words.ts";

/** What the panel's own part draws: a table whose columns are turns, with the chart. */
export interface RibbonShown {
  view: RibbonView;
  /** The turns that are drawn. */
  part: Stretch;
  rows: readonly RibbonRow[];
  axis: RibbonAxis;
  /** The chart in words. */
  says: string;
  /** The marks of the chart. */
  legend: readonly { mark: RibbonMark; name: string }[];
  end: { how: string; total: string };
  go: (turn: number) => Partial<TurnChoice>;
}

export type RibbonMark = "value" | "truth" | "return" | "reward" | "delta";

/** Maximum turns drawn at once. */
const MOST_TURNS = 50;

export const ribbonPanel = figurePanel({
  panel: ribbon,
  moves: jumps,
  figure: ({ view, at, truths }): Figure => {
    const { episode, episodes } = at;
    const record = episodes[episode];
    if (!record || record.turns.length === 0) return [textBlock(words.noTurns, "empty")];
    const seen = ribbonView(view, at, truths);
    const given = shownOf(seen, episode);
    const clips = isFork(record) ? words.fork : describeClips(seen);
    return [
      textBlock(`${describeSurprise(seen)} ${clips}`, "prose", "ribbon-surprise"),
      textBlock(describeCritic(seen), "prose", "ribbon-critic"),
      ...turnStretch("ribbon-stretch", at, record.turns.length, MOST_TURNS),
      { kind: "part", id: "table", given },
      ...whyBlocks(seen, at, truths),
      jumpsOf(seen),
      ...(seen.clippedAll.known === 0 ? [textBlock(describeNoClip(seen.clippedAll), "note")] : []),
      { kind: "meanings", title: words.meanings, items: meaningsOf(given.rows) },
      textBlock(words.keys, "prose"),
      inFull(seen),
    ];
  },
});

/** Why the turn at the cursor earned what it did, where true values are known. */
function whyBlocks(
  { episode, turn, truthBy: other }: RibbonView,
  at: ResolvedChoice,
  truths: Truths,
): Figure {
  const truth = truthOfEpisode(truths, at, episode);
  return truth ? [textBlock(whyTurn(truth.turns, turn, { other }), undefined, "ribbon-why")] : [];
}

/** `place`: of the episode. */
export const shownOf = (view: RibbonView, place: number): RibbonShown => ({
  view,
  part: stretchAt(view.turn, view.turns.length, MOST_TURNS),
  rows: numberRows(view),
  axis: ribbonAxis(view),
  says: describeChart(view),
  legend: legendOf(view),
  end: {
    how: episodeEnd(view.episode),
    total: words.total(formatSigned(view.episode.reward)),
  },
  go: (turn) => ({ episode: place, turn, token: null }),
});

function jumpsOf(view: RibbonView): ChoicesBlock {
  const { deltas, untrained, clippedAll } = view;
  /** Why there is no target. */
  const none: Partial<Record<keyof typeof jumps, string | false>> = {
    largestError: describeNoError(view),
    largestErrorOfAll: deltas.length > 0 ? untrained && words.untrained : words.noErrors,
    nextClipped: clippedAll.cut === 0 && describeNoClip(clippedAll),
    mostClipped: clippedAll.known === 0 && describeNoClip(clippedAll),
  };
  const names = Object.keys(jumps) as (keyof typeof jumps)[];
  const buttons = names.map((move) => ({
    name: words.jumps[move],
    action: move,
    move,
    disabled: Boolean(none[move]),
    hint: none[move] || undefined,
  }));
  return { kind: "choices", choices: [], go: { name: words.jump, buttons } };
}

/** The full text of the turn at the cursor: the table has space for its beginning only. */
function inFull({ episode, turn }: RibbonView): GroupBlock {
  const { observation, text, actions, formatPenalty } = episode.turns[turn]!;
  const penalty = formatPenalty < 0 ? `; ${words.penalty(formatSigned(formatPenalty))}` : "";
  return {
    kind: "group",
    id: "ribbon-full",
    title: words.full(turn),
    folded: true,
    parts: () => [
      { ...textBlock(observation, "full"), title: words.shown },
      { ...textBlock(text.trim() === "" ? words.noText : text, "full"), title: words.wrote },
      textBlock(`${words.actions(actions)}${penalty}`, "note"),
    ],
  };
}

function legendOf(view: RibbonView): RibbonShown["legend"] {
  const { critic, truth, hasTargets, foreign } = view;
  const { marks } = words;
  const names = lineNames(view);
  const computed = foreign && !hasTargets;
  return [
    ...(critic ? [{ mark: "value", name: names.value } as const] : []),
    ...(truth
      ? [{ mark: "truth", name: names.truth } as const]
      : [
          { mark: "return", name: computed ? marks.returnComputed : marks.return } as const,
          { mark: "reward", name: marks.reward } as const,
        ]),
    ...(critic ? [{ mark: "delta", name: marks.delta } as const] : []),
  ];
}

/** The chart's one vertical axis: rewards, values, returns, TD errors and truths are all in reward units. */
export interface RibbonAxis {
  low: number;
  high: number;
  /** Ascending, within what is drawn; 0 is one of them. */
  ticks: readonly number[];
}

/** Shares of the height: room for marks above and below what is drawn, and a line of type. */
const PAD = 1 / 9;
const TICK = 5 / 24;

/** Fits what is drawn of all turns of the episode, in sight or not, and 0. */
export function ribbonAxis({ turns, truth }: Pick<RibbonView, "turns" | "truth">): RibbonAxis {
  const numbers = [
    0,
    ...turns.flatMap(({ value, delta }) => [value, delta]),
    ...(truth ? [] : turns.flatMap((turn) => [turn.reward, turn.return])),
    ...(truth ?? []).flatMap(({ value, valueInterval }) => [value, ...valueInterval]),
  ].filter((x): x is number => x !== null && Number.isFinite(x));
  const ends = [least(numbers), greatest(numbers)] as const;
  const isFlat = ends[0] === ends[1];
  const ticks = isFlat ? niceTicks(...ends) : ticksWithin(ends);
  const [low, high] = isFlat ? [ticks[0]!, ticks.at(-1)!] : ends;
  const height = (high - low) / (1 - 2 * PAD);
  const pad = PAD * height;
  return { low: low - pad, high: high + pad, ticks: apart(ticks, TICK * height) };
}

/** 0, and of the others the furthest from it first, those that are no nearer to each other; ascending. */
function apart(ticks: readonly number[], gap: number): number[] {
  const kept = [0];
  for (const tick of ticks.toSorted((a, b) => Math.abs(b) - Math.abs(a)))
    if (kept.every((other) => Math.abs(tick - other) >= gap)) kept.push(tick);
  return kept.sort((a, b) => a - b);
}
