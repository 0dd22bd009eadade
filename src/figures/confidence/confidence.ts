/** Was the model sure where it was right? Confidence of turns beside the outcomes of their episodes. */
import { formatFixed, formatPercent } from "../../numeric/format.ts";
import { titleOf } from "../../reading/titles.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import {
  columnsFrom,
  figurePanel,
  textBlock,
  type ChartBlock,
  type Figure,
  type FigureCell,
  type NumbersBlock,
} from "../figure.ts";
import { confidence } from "./manifest.ts";
import { sureBins, surenessOf, sureTurns, type SureTurns } from "./sure.ts";
import { words } from "./words.ts";

export const confidencePanel = figurePanel({
  panel: confidence,
  about: words.about,
  reads: {
    needs: ({ view, at, set }) => [view, at.algorithm, at.iteration, at.episodes, set.span],
    work: ({ view, at, set }) => sureTurns(view.log, at.algorithm, at.iteration, Number(set.span)),
  },
  figure: ({ at, set: { span } }, read: SureTurns): Figure => {
    const { turns, without } = read;
    if (turns.length === 0) return [textBlock(words.none(titleOf(at.algorithm)), "empty")];
    return [
      {
        kind: "choices",
        choices: [
          {
            id: "span",
            label: words.span,
            look: "select",
            testId: "confidence-span",
            value: span,
            options: ["1", "5", "20"].map((value) => ({ value, name: words.spans(Number(value)) })),
          },
        ],
      },
      textBlock(describe(read, at), undefined, "confidence-summary"),
      ...(sureBins(turns).length > 0 ? [chart(read, at)] : [textBlock(words.few, "note")]),
      textBlock(without > 0 ? words.without(without) : "", "note"),
      ...tables(read),
    ];
  },
});

function describe({ turns, iterations }: SureTurns, { algorithm }: ResolvedChoice): string {
  const { n, confidence: sure, solved, tells } = surenessOf(turns);
  const named = words.iterations(iterations[0]!, iterations.at(-1)!);
  const where = words.where(titleOf(algorithm), named, n);
  return `${where} ${words.means(formatPercent(sure), formatPercent(solved))} ${words.tells(tells)}`;
}

/** Several iterations are named wherever their numbers are. */
const spanOf = ({ iterations }: SureTurns): string =>
  iterations.length > 1 ? `, ${words.iterations(iterations[0]!, iterations.at(-1)!)}` : "";

function chart(read: SureTurns, at: ResolvedChoice): ChartBlock {
  const { turns } = read;
  const bins = sureBins(turns);
  const { error } = surenessOf(turns);
  return {
    kind: "chart",
    id: "confidence-chart",
    title: words.chart + spanOf(read),
    hint: words.chartHint,
    square: true,
    x: { name: words.x, domain: [0, 1], unit: "share" },
    y: { name: words.y, domain: [0, 1], unit: "share" },
    says: words.off(formatPercent(error!)),
    note: words.off(formatPercent(error!)),
    marks: [{ as: "equal" }, { as: "dots", method: at.algorithm, dots: bins }],
  };
}

function tables(read: SureTurns): NumbersBlock[] {
  const { turns } = read;
  const longest = turns.reduce((most, { turn }) => Math.max(most, turn + 1), 0);
  return [
    {
      kind: "numbers",
      id: "confidence-turns-table",
      title: words.byTurn + spanOf(read),
      note: words.byTurnNote,
      columns: columnsFrom(words.turnHeads, ["count", "count", "share", "share", "number"]),
      rows: () =>
        Array.from({ length: longest }, (_, h): FigureCell[] => {
          const one = surenessOf(turns.filter(({ turn }) => turn === h));
          const tells = one.tells === null ? null : Number(formatFixed(one.tells, 2));
          return [h + 1, one.n, one.confidence, one.solved, tells];
        }),
    },
    {
      kind: "numbers",
      id: "confidence-bins-table",
      title: words.bins + spanOf(read),
      note: words.dependent,
      columns: columnsFrom(words.binHeads, ["share", "share", "share", "share", "count"]),
      rows: () => sureBins(turns).map(({ x, y, low, high, n }) => [x, y, low, high, n]),
    },
    {
      kind: "numbers",
      id: "confidence-points-table",
      title: words.points,
      columns: columnsFrom(words.pointHeads, ["count", "count", "count", "share", "text"]),
      rows: () =>
        turns.map((one) => [
          ...[one.iteration, one.episode + 1, one.turn + 1, one.confidence],
          one.isSolved,
        ]),
      file: { name: "confidence.csv", button: words.save },
    },
  ];
}
