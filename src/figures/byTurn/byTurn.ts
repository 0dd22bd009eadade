/** Credit by turn number over the course of training: one map per method, one scale and one cursor for all. */
import { counted } from "../../numeric/counted.ts";
import { greatest, least } from "../../numeric/lists.ts";
import { nearestIndex } from "../../numeric/downsample.ts";
import { bandOf } from "../../method/clip/band.ts";
import {
  turnMaps,
  turnQuantities,
  type TurnMap,
  type TurnMaps,
  type TurnQuantity,
} from "../../reading/byTurn.ts";
import { lastUse } from "../../reading/lastUse.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import { mayLackValues, runConfig } from "../../reading/runConfig.ts";
import { titleOf } from "../../reading/titles.ts";
import { addUp, cutFraction, readSteps, type TurnCuts } from "../../reading/updateSteps.ts";
import { xDomain } from "../../reading/xDomain.ts";
import { moveIteration, moveTurn, type TurnChoice } from "../../store/turnChoice.ts";
import {
  figurePanel,
  textBlock,
  type Block,
  type FigureCell,
  type CellMap,
  type CellsBlock,
  type Column,
} from "../figure.ts";
import { byTurn } from "./manifest.ts";

const NAMES: Record<TurnQuantity, string> = {
  value: "Value",
  advantage: "Advantage",
  clip: "Clipped",
  success: "Success",
  explained: "Explained",
};

const ABOUT: Record<TurnQuantity, string> = {
  value: "Mean V(s) before the h-th turns, in reward units.",
  advantage: "Mean advantage of the h-th turns, after normalisation.",
  clip: "Share of the h-th turns with a clipped token.",
  success: "Share of the episodes with an h-th turn that were solved.",
  explained:
    "Explained variance of V: 100 % is perfect, below 0 worse than the mean. Later turns vary less, so they are often harder.",
};

const SIGNED: readonly TurnQuantity[] = ["value", "advantage", "explained"];
const SHARES: readonly TurnQuantity[] = ["clip", "success", "explained"];

/** Limit of turns that are drawn. */
const MOST_TURNS = 40;
/** A run that keeps more iterations than that has the axis of the whole run. */
const MOST_PACKED = 60;

const WORDS = {
  at: (iteration: number, h: number) => `Iteration ${iteration}, turn ${h + 1}:`,
  notRecorded: "not recorded",
  binned: (n: number) => `Each column is the mean of ${n} iterations.`,
  note: "One scale for all methods.",
};

export const byTurnPanel = figurePanel({
  panel: byTurn,
  reads: { needs: ({ view }) => [view], work: ({ view }) => turnMaps(view.log) },
  figure: ({ view, at, set: { show }, brush }, read: TurnMaps) => {
    const { maps, pending } = read;
    if (view.origin === "none")
      return [
        textBlock("No data yet. Press Run; the first iteration fills the first column.", "empty"),
      ];
    const longest = greatest([
      1,
      ...maps.flatMap(({ columns }) => columns.map(({ turns }) => turns.length)),
    ]);
    const axis = axisOf(view.log, maps, show);
    const cursor = at.iteration > 0 ? { x: at.iteration, y: at.turn } : null;
    const notes = [
      ...gapNotes(maps, show, "only" in axis),
      pending ? READING : "",
      longest > MOST_TURNS ? `The first ${MOST_TURNS} of ${longest} turns are shown.` : "",
    ].filter((note) => note !== "");
    return [
      {
        kind: "choices",
        choices: [
          {
            id: "show",
            label: "Colour",
            look: "segments",
            value: show,
            options: turnQuantities.map((value) => ({ value, name: NAMES[value] })),
          },
        ],
      },
      textBlock(ABOUT[show], "note"),
      {
        kind: "cells",
        id: "byTurn",
        scope: "byTurn",
        axis,
        cursor,
        brush,
        maps: cellMaps(read, show, view),
        unit: SHARES.includes(show) ? "share" : "signed",
        name: NAMES[show],
        signed: SIGNED.includes(show),
        // The whole possible range: less than -1 is drawn as -1.
        limit: show === "explained" ? 1 : undefined,
        rows: Math.min(MOST_TURNS, longest),
        words: { ...WORDS, scale: `Colours of ${NAMES[show]}` },
        go: (method, iteration, turn) => ({
          algorithm: method,
          token: null,
          ...nearestPlace(view.log, method, iteration, turn),
        }),
      },
      ...notes.map((note) => textBlock(note, "note")),
      ...tables(view, maps, at.iteration),
    ];
  },
  moves: {
    mapEarlier: (log, choice) => moveIteration(log, choice, -1),
    mapLater: (log, choice) => moveIteration(log, choice, 1),
    mapTurnUp: (log, choice) => moveTurn(log, choice, -1),
    mapTurnDown: (log, choice) => moveTurn(log, choice, 1),
  },
});

const READING = "Reading recorded iterations …";

const made = new WeakMap<TurnMaps, { show: TurnQuantity; view: RunView; maps: CellMap[] }>();

/** The same list while only the cursor moves, so that `draw` need not make its paths again. */
function cellMaps(read: TurnMaps, show: TurnQuantity, view: RunView): CellMap[] {
  const known = made.get(read);
  if (known?.show === show && known.view === view) return known.maps;
  const maps = read.maps.map((map) => mapOf(map, show, view, read.pending));
  made.set(read, { show, view, maps });
  return maps;
}

function mapOf(map: TurnMap, show: TurnQuantity, view: RunView, pending: boolean) {
  const { algorithm, columns } = map;
  const reason = reasonOf(map, show, mayLackValues(view, algorithm));
  return {
    id: algorithm,
    name: titleOf(algorithm),
    columns: columns.map(({ iteration, turns }) => ({
      x: iteration,
      values: turns.map((means) => means[show]),
    })),
    missing: reason !== null && pending ? READING : reason,
    label: `${titleOf(algorithm)}: ${NAMES[show]} by turn and iteration Arrow keys move the cursor.`,
  };
}

/** The same for all methods: an unfinished run has the axis of the whole run; if few iterations have numbers, only those. */
export function axisOf(
  log: RunLog,
  maps: readonly TurnMap[],
  show: TurnQuantity,
): CellsBlock["axis"] {
  const known = new Set(maps.flatMap((map) => iterationsWith(map, show)));
  const finished = greatest([0, ...maps.map(({ iterations }) => iterations)]);
  if (known.size > 0 && known.size < finished && known.size <= MOST_PACKED)
    return { only: [...known].sort((a, b) => a - b) };
  const [, last] = xDomain(log);
  const firsts = maps.map(({ algorithm }) => log.iterations(algorithm)[0] ?? Infinity);
  return { first: Math.min(least(firsts), last), last };
}

/** Iterations in which some turn has a number. */
const iterationsWith = ({ columns }: TurnMap, show: TurnQuantity): number[] =>
  columns.flatMap(({ iteration, turns }) =>
    turns.some((means) => means[show] !== null) ? iteration : [],
  );

/** Why a method has no map; null if there are numbers. */
function reasonOf(map: TurnMap, show: TurnQuantity, lacking: boolean): string | null {
  const { algorithm, hasCritic, iterations } = map;
  const title = titleOf(algorithm);
  if (iterationsWith(map, show).length > 0) return null;
  if (iterations === 0) return `${title} has not finished an iteration.`;
  if (show !== "value" && show !== "explained") return `${title}: no turn is recorded.`;
  return hasCritic === false && !lacking
    ? `No values: ${title} has no critic.`
    : `No values: the log has none for ${title}.`;
}

/** How many iterations have episodes, if not all; in one sentence if it is the same for all methods. */
function gapNotes(maps: readonly TurnMap[], show: TurnQuantity, packed: boolean): string[] {
  const notes = maps.flatMap((map) => {
    const { recorded, iterations } = map;
    const { length } = iterationsWith(map, show);
    if (length === 0 || length === iterations) return [];
    return packed
      ? `Each column is an iteration with episodes: ${recorded} of ${iterations}.`
      : `Hatched: not recorded. Episodes are kept of ${recorded} of ${counted(iterations, "iteration")}.`;
  });
  return [...new Set(notes)];
}

/** From a place on a map to the nearest valid cursor: the closest iteration with episodes, and its first episode that has such a turn. */
export function nearestPlace(
  log: RunLog,
  algorithm: string,
  wanted: number,
  turn: number,
): Partial<TurnChoice> {
  const iterations = log.iterationsWithEpisodes(algorithm);
  const iteration = iterations[nearestIndex(iterations, wanted)];
  if (iteration === undefined) return {};
  const episodes = log.episodes(algorithm, iteration);
  const episode = episodes.findIndex(({ turns }) => turns.length > turn);
  return { iteration, turn, ...(episode >= 0 && { episode }) };
}

const column = (name: string, unit: Column["unit"] = "text"): Column => ({ name, unit });
const shares = (...names: string[]) => names.map((name) => column(name, "share"));
const counts = (...names: string[]) => names.map((name) => column(name, "count"));
const MEANS = [column("mean value", "signed"), column("mean advantage", "signed")];

const HERE = [
  ...[column("method"), ...counts("turn", "turns"), ...MEANS, ...shares("success")],
  ...[...counts("uses in updates", "cut, A > 0", "cut, A < 0"), ...shares("share cut")],
  ...shares("explained, whole iteration", "explained, recorded turns"),
];

const ALL = [
  ...[column("method"), ...counts("iteration", "turn", "turns"), ...MEANS],
  ...shares("clipped", "success", "explained variance"),
];

function tables(view: RunView, maps: readonly TurnMap[], iteration: number): Block[] {
  return [
    {
      kind: "numbers",
      id: "byTurn-here-table",
      columns: HERE,
      title: `Iteration ${iteration} in numbers`,
      note: "A turn counts as cut if any of its tokens was: with A > 0 its likelihood had risen enough, with A < 0 fallen enough (or risen so far that dual clip acts).",
      rows: () => maps.flatMap((map) => hereRows(view, map, iteration)),
    },
    {
      kind: "numbers",
      id: "byTurn-all-table",
      columns: ALL,
      title: "All iterations in numbers",
      rows: () => maps.flatMap(allRows),
      file: { name: "turns.csv", button: "Save all as CSV" },
    },
  ];
}

function allRows({ algorithm, columns }: TurnMap): FigureCell[][] {
  return columns.flatMap(({ iteration, turns }) =>
    turns.map((means, h) => [
      ...[titleOf(algorithm), iteration, h + 1, means.turns, means.value, means.advantage],
      ...[means.clip, means.success, means.explained],
    ]),
  );
}

/** Turn by turn in one iteration: means, what the clip cut in its updates, and what the critic explains. */
function hereRows(
  { log }: RunView,
  { algorithm, columns }: TurnMap,
  iteration: number,
): FigureCell[][] {
  const turns = columns.find((one) => one.iteration === iteration)?.turns ?? [];
  const cuts = cutsOf(log, algorithm, iteration);
  return turns.map((means, h) => [
    ...[titleOf(algorithm), h + 1, means.turns, means.value, means.advantage, means.success],
    ...cutCells(cuts[h]),
    ...[metricAt(log, algorithm, iteration, h), means.recordedExplained],
  ]);
}

function cutCells(cuts: TurnCuts | undefined): FigureCell[] {
  if (!cuts || cuts.uses === 0) return [null, null, null, null];
  return [cuts.uses, cuts.high, cuts.low, cutFraction(cuts)];
}

/**
 * What the iteration's steps cut; for a log without steps, what was cut at each turn's last use.
 */
function cutsOf(log: RunLog, algorithm: string, iteration: number): readonly TurnCuts[] {
  const { steps } = readSteps(log.updates(algorithm, iteration));
  if (steps.length > 0) return addUp(steps).byTurn;
  const config = runConfig(log.start?.spec, algorithm);
  const last = lastUse(log.episodes(algorithm, iteration), config && bandOf(config));
  return last ? addUp([last]).byTurn : [];
}

function metricAt(log: RunLog, algorithm: string, iteration: number, h: number): number | null {
  const { x, y } = log.series(algorithm, `critic/turn_vf_explained_var/${h + 1}`);
  return y[x.lastIndexOf(iteration)] ?? null;
}
