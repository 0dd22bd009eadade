/** Was the critic right? Its values, the returns and the truth. */
import { ends } from "../../numeric/lists.ts";
import type { Bounds, Truths } from "../../reading/truths.ts";
import { methodWithTruth } from "../../reading/truths.ts";
import { mayLackValues } from "../../reading/runConfig.ts";
import { titleOf } from "../../reading/titles.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import type { FigureChoice } from "../choices.ts";
import {
  columnsFrom,
  figurePanel,
  TABLE_ROWS,
  textBlock,
  type Block,
  type ChartBlock,
  type Dot,
  type Figure,
  type FigureCell,
  type NumbersBlock,
} from "../figure.ts";
import { otherPolicies } from "../truthWords.ts";
import { describeFit, describeModel, describeTruth, hollowNote, spanOf } from "./describe.ts";
import type { Bin, FitPoint, TruthPoint } from "./fit.ts";
import { critic } from "./manifest.ts";
import { criticModel, type CriticModel } from "./model.ts";
import { MOST_PAIRS, valued, type Pair, type Valued } from "./pairs.ts";
import { words } from "./words.ts";

export const criticPanel = figurePanel({
  panel: critic,
  about: words.about,
  reads: {
    needs: ({ view, at, set }) => [view, at.algorithm, at.iteration, at.episodes, set.span],
    work: ({ view, at, set }) => valued(view.log, at, Number(set.span)),
  },
  figure: ({ view, at, set, truths }, found: Valued): Figure => {
    const { against, span } = set;
    const model = criticModel(found, view, at, truths, against);
    if (model.critic === null)
      return [
        textBlock(
          mayLackValues(view, at.algorithm) ? words.valuesNotInFile : words.noCritic,
          "empty",
        ),
      ];
    const { name, own } = model.critic;
    return [
      ...(at.fork ? [textBlock(words.fork(at.fork.number), "note")] : []),
      ...(own ? [] : [textBlock(words.borrowed(titleOf(at.algorithm), titleOf(name)), "note")]),
      { kind: "choices", choices: choices(model, span) },
      textBlock(choicesNote(model), "note"),
      textBlock(describeModel(model), undefined, "critic-summary"),
      ...(model.truth.length === 0 ? noTruth(model, view, at, truths) : []),
      ...(model.points.length > 0 && !model.untrained ? [pictures(model, at)] : []),
      ...tables(model),
      { kind: "part", id: "landscape" },
    ];
  },
});

function choices({ against, hasTargets }: CriticModel, span: string): FigureChoice[] {
  return [
    {
      id: "span",
      label: words.span,
      look: "select",
      testId: "critic-span",
      value: span,
      options: ["1", "5", "20"].map((value) => ({ value, name: words.spans(Number(value)) })),
    },
    {
      id: "against",
      label: words.against,
      look: "select",
      testId: "critic-against",
      value: against,
      options: (["target", "came"] as const).map((value) => ({
        value,
        name: words.againsts[value],
        disabled: value === "target" && !hasTargets,
      })),
    },
  ];
}

function choicesNote({ against, iterations, pairs, without }: CriticModel): string {
  const several = iterations.length > 1 ? ` (${words.spanNote})` : "";
  const capped = pairs.length + without >= MOST_PAIRS ? words.spanCapped(iterations.length) : "";
  return `${words.againstHints[against]}${several}${capped}`;
}

/** Why there is no picture of the truth, and the way to a method whose truth has the critic's discount. */
function noTruth(
  model: CriticModel,
  { log }: RunView,
  at: ResolvedChoice,
  truths: Truths,
): Block[] {
  const { otherTruth, unpaidTurns, critic } = model;
  const fitting = otherTruth && critic ? methodWithTruth(log, at, truths, critic.name) : null;
  const brief = otherTruth
    ? words.truthOtherBrief
    : unpaidTurns > 0
      ? words.truthUnpaidBrief
      : words.truthNoneBrief;
  return [
    {
      ...textBlock(brief, undefined, "critic-truth"),
      title: words.truth,
      ...(fitting !== null && {
        go: [{ name: words.truthOf(titleOf(fitting)), to: { algorithm: fitting, fork: null } }],
      }),
    },
    textBlock(describeTruth(model), "prose"),
  ];
}

function pictures(model: CriticModel, at: ResolvedChoice): Block {
  const { truth } = model;
  const policies = otherPolicies(truth.flatMap(({ other }) => other ?? []));
  const beside: Figure = [
    truthChart(model, at),
    ...(policies === null ? [] : [textBlock(policies, "note", "truth-policy")]),
  ];
  return {
    kind: "side",
    parts: [[returnsChart(model, at)], ...(truth.length > 0 ? [beside] : [])],
  };
}

/** Limit of drawn dots, spread evenly over all. */
const MOST_DOTS = 400;

function returnsChart(model: CriticModel, at: ResolvedChoice): ChartBlock {
  const { points, bins, against } = model;
  const notes = [words.ring, ...hollowNote(model), bins.length > 0 ? words.squares : words.noBins];
  const drawn = points.length > MOST_DOTS ? ` ${words.drawn(MOST_DOTS, points.length)}` : "";
  return {
    ...scatter(model, at, points, bins),
    id: "critic-scatter",
    title: words.scatter + spanOf(model),
    hint: words.scatterHint,
    says: describeFit(model),
    note: `${notes.join("; ")}.${drawn}`,
    y: { ...scatterAxis(points, bins), name: words.y[against] },
  };
}

function truthChart(model: CriticModel, at: ResolvedChoice): ChartBlock {
  return {
    ...scatter(model, at, model.truth),
    id: "critic-truth-scatter",
    title: words.truth,
    hint: words.truthHint,
    says: describeTruth(model),
    y: { ...scatterAxis(model.truth), name: words.y.truth },
  };
}

type Plotted = FitPoint & Partial<TruthPoint>;

/** V against another quantity on the same scale: dots, the diagonal, and calibration's squares. */
function scatter(
  { critic }: CriticModel,
  { iteration, episode, fork }: ResolvedChoice,
  points: readonly Plotted[],
  bins: readonly Bin[] = [],
): Pick<ChartBlock, "kind" | "x" | "marks" | "square"> {
  // A fork is not one of the run's episodes.
  const isHere = (pair: Pair) =>
    fork === null && pair.iteration === iteration && pair.episode === episode;
  const dots = spreadOver(points, MOST_DOTS).map(({ pair, x, y, interval }): Dot => ({
    x,
    y,
    ...(interval && { low: interval[0], high: interval[1] }),
    hollow: pair.cutOff,
    ringed: isHere(pair),
  }));
  return {
    kind: "chart",
    square: true,
    x: { ...scatterAxis(points, bins), name: "V" },
    marks: [
      { as: "equal" },
      { as: "dots", method: critic!.name, dots },
      ...(bins.length > 0 ? [{ as: "squares", dots: bins } as const] : []),
    ],
  };
}

/** Both axes have the same ends: of the dots, of the squares, and of their intervals. */
export function scatterAxis(points: readonly Plotted[], bins: readonly Bin[] = []) {
  const numbers = [
    ...points.flatMap(({ x, y, interval = [] as unknown as Bounds }) => [x, y, ...interval]),
    ...bins.flatMap(({ x, y, low, high }) => [x, y, low, high]),
  ].filter(Number.isFinite);
  return { domain: ends(numbers) ?? ([0, 1] as const), unit: "number" as const };
}

function spreadOver<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]!);
}

const PLACE = ["count", "count", "count"] as const;

function tables(model: CriticModel): NumbersBlock[] {
  const { points, bins, byTurn, truth } = model;
  const { tables: titles, heads } = words;
  return [
    {
      kind: "numbers",
      id: "critic-turns-table",
      title: titles.turns,
      columns: columnsFrom(heads.turns, ["count", "count", "share", "share"]),
      rows: () => byTurn.map(({ n, recorded, metric }, h) => [h + 1, n, recorded, metric]),
    },
    {
      kind: "numbers",
      id: "critic-bins-table",
      title: titles.bins + spanOf(model),
      note: words.dependent,
      columns: columnsFrom(heads.bins, ["signed", "signed", "signed", "signed", "count"]),
      rows: () => bins.map(({ x, y, low, high, n }) => [x, y, low, high, n]),
    },
    {
      kind: "numbers",
      id: "critic-points-table",
      title: titles.points,
      columns: columnsFrom(heads.points, [...PLACE, "signed", "signed", "signed"]),
      rows: () => points.map(({ pair }) => pointCells(pair)),
      ...saved(points, "critic-turns.csv", titles.points),
    },
    ...(truth.length === 0
      ? []
      : [
          {
            kind: "numbers",
            id: "critic-truth-table",
            title: titles.truth,
            columns: columnsFrom(heads.truth, [
              ...PLACE,
              "signed",
              "signed",
              "signed",
              "signed",
              "count",
            ]),
            rows: () => truth.map(truthCells),
            ...saved(truth, "critic-truth.csv", titles.truth),
          } as const,
        ]),
  ];
}

/** A file of all rows, where a table has more than are drawn. */
const saved = (rows: readonly unknown[], name: string, title: string) =>
  rows.length > TABLE_ROWS && { file: { name, button: `${title}: ${words.save}` } };

const placeCells = ({ iteration, episode, turn }: Pair) => [iteration, episode + 1, turn + 1];

const pointCells = (pair: Pair): FigureCell[] => [
  ...placeCells(pair),
  ...[pair.value, pair.target, pair.came],
  pair.cutOff,
];

/** The last cell: whose truth it is, as iterations of training. */
const truthCells = ({ pair, x, y, interval, other }: TruthPoint): FigureCell[] => [
  ...placeCells(pair),
  ...[x, y, ...interval],
  other ?? pair.iteration - 1,
];
