/** Every row's credit against known truth: a recorded figure, which needs no run. */
import {
  REFEREE_CRITICS,
  refereeCommandOf,
  type RefereeCritic,
  type RefereeReport,
  type ScoredLine,
} from "../../reading/referee/lines.ts";
import { formatFixed } from "../../numeric/format.ts";
import { isAlgorithmName, resolveAlgorithm } from "../../spec/algorithms.ts";
import type { ChosenOptions, FigureChoice } from "../choices.ts";
import { textBlock, type Figure, type GridBlock } from "../figure.ts";
import {
  bestFirst,
  refereeRows,
  SHOWN_MEASURES,
  shownNumber,
  type RefereeRow,
  type ShownMeasure,
} from "./recorded.ts";
import { words } from "./words.ts";

/** What the reader has chosen: a line of the table, and what the table shows. */
interface RefereeChoice {
  task: string;
  row: string;
  critic: RefereeCritic;
  measure: ShownMeasure;
  /** The task whose column orders the rows; null: the mean. */
  sort: string | null;
}

/** From options and an address, both of which may name what there is not. */
export function refereeChoice(report: RefereeReport, chosen: ChosenOptions): RefereeChoice {
  const { task, row, critic, measure, sort } = chosen;
  const isTask = (name: string | undefined) => report.tasks.some((one) => one.name === name);
  const isRow = report.lines.some((line) => line.row === row);
  return {
    task: isTask(task) ? task! : report.tasks[0]!.name,
    row: isRow ? row! : report.lines[0]!.row,
    critic: REFEREE_CRITICS.find((one) => one === critic) ?? "learned",
    measure: SHOWN_MEASURES.find((one) => one === measure) ?? "cosine",
    sort: isTask(sort) ? sort! : null,
  };
}

const titleOf = (row: string) => (isAlgorithmName(row) ? resolveAlgorithm(row).title : row);

/** What came of computing the chosen line again on this machine; null: it was not asked for. */
export type AgainState = "busy" | "same" | "differs" | "failed" | null;

export function refereeFigure(
  report: RefereeReport,
  choice: RefereeChoice,
  again: AgainState = null,
): Figure {
  const { measure, critic, sort } = choice;
  const rows = bestFirst(refereeRows(report, measure, critic), measure, sort);
  const measures = SHOWN_MEASURES.map((value) => ({ value, name: words.measures[value] }));
  const critics = REFEREE_CRITICS.map((value) => ({ value, name: words.critics[value] }));
  const { seeds, episodes } = report;
  return [
    {
      kind: "choices",
      choices: [
        select("measure", words.measure, measure, measures),
        select("critic", words.critic, critic, critics),
      ],
    },
    textBlock(words.means[measure], "note", "referee-means"),
    table(report, rows, choice),
    textBlock(`${words.strong} ${words.counts(seeds, episodes)}`, "note"),
    ...lineFigure(report, rows, choice, again),
    { kind: "group", title: words.games, folded: true, parts: () => [games(report)] },
    {
      kind: "group",
      title: words.limits,
      folded: true,
      parts: () => words.limitTexts.map((text) => textBlock(text)),
    },
    {
      ...textBlock(words.own),
      command: "npm run -s turnbook -- referee --code mine.ts",
    },
    { ...textBlock(words.all), command: ALL },
  ];
}

const ALL = "npm run -s turnbook -- referee --out public/referee.json";

const select = (
  id: string,
  label: string,
  value: string,
  options: FigureChoice["options"],
): FigureChoice => ({ look: "select", id, label, value, options, testId: `referee-${id}` });

/** Strong in each column: the best, and what its interval cannot tell from it. */
function table(
  { tasks, episodes }: RefereeReport,
  rows: readonly RefereeRow[],
  { measure, sort, row: chosen }: RefereeChoice,
): GridBlock {
  const heads = [
    {
      id: null,
      name: measure === "episodes" ? words.reached : words.mean,
      ...(measure === "episodes" && { hint: words.reachedHint }),
    },
    ...tasks.map(({ name, title, tests }) => ({ id: name, name: title, hint: tests })),
  ];
  const best = heads.map(({ id }) => bestFirst(rows, measure, id)[0]!);
  return {
    kind: "grid",
    id: "referee-rows",
    label: words.table(words.measures[measure]),
    rowHead: { name: words.method },
    columns: heads.map(({ id, ...head }) => ({
      ...head,
      unit: "number",
      sort: {
        id: id ?? "mean",
        by: { choose: { sort: id ?? "" } },
        now: sort === id ? "down" : null,
      },
    })),
    count: rows.length,
    current: rows.findIndex(({ names }) => names.includes(chosen)),
    row: (place) => {
      const row = rows[place]!;
      return {
        id: row.names[0]!,
        name: row.names.map(titleOf).join(", "),
        cells: heads.map(({ id }, column) => {
          const value = numberIn(row, measure, id);
          const text = cellText(value, measure, episodes);
          return value !== null && isLevel(row, best[column]!, measure, id)
            ? { text, look: "strong" as const }
            : { text };
        }),
      };
    },
    whole: () => ({
      head: [words.method, ...heads.map(({ name }) => name)],
      rows: rows.map((row) => [
        row.names.map(titleOf).join(", "),
        ...heads.map(({ id }) => numberIn(row, measure, id)),
      ]),
    }),
  };
}

/** Whether the table can show no difference: the same digits, or intervals that overlap. */
function isLevel(row: RefereeRow, best: RefereeRow, measure: ShownMeasure, task: string | null) {
  const [text, bestText] = [row, best].map((one) =>
    cellText(numberIn(one, measure, task), measure, 0),
  );
  if (text === bestText || task === null || measure === "episodes") return text === bestText;
  const [[, low, high], [, bestLow, bestHigh]] = [row, best].map(
    ({ lines }) => lines.get(task)![measure],
  ) as [ScoredLine["bias"], ScoredLine["bias"]];
  return low !== null && high !== null && bestLow !== null && bestHigh !== null
    ? low <= bestHigh && bestLow <= high
    : false;
}

const numberIn = (row: RefereeRow, measure: ShownMeasure, task: string | null) =>
  task === null ? row.mean : shownNumber(row, measure, task);

function cellText(value: number | null, measure: ShownMeasure, most: number): string {
  if (measure !== "episodes") return value === null ? "–" : formatFixed(value, 2);
  return value === null ? words.over(most) : String(value);
}

/** The move that computes the chosen line again. */
const AGAIN = "again";

export const chosenLine = (
  lines: RefereeReport["lines"],
  { task, row, critic }: Pick<RefereeChoice, "task" | "row" | "critic">,
) =>
  lines.find(
    (line) => line.task === task && line.row === row && (line.critic ?? critic) === critic,
  );

/** One line in full, with the command that makes it again. */
function lineFigure(
  { tasks, lines, episodes }: RefereeReport,
  rows: readonly RefereeRow[],
  { task, row, critic }: RefereeChoice,
  again: AgainState,
): Figure {
  const names = rows.flatMap((one) => one.names);
  const options = names.toSorted().map((value) => ({ value, name: titleOf(value) }));
  const games = tasks.map(({ name, title }) => ({ value: name, name: title }));
  const chosen = chosenLine(lines, { task, row, critic });
  const title = words.line(titleOf(row), tasks.find(({ name }) => name === task)!.title);
  return [
    {
      kind: "choices",
      choices: [select("row", words.method, row, options), select("task", words.task, task, games)],
    },
    ...(chosen === undefined
      ? []
      : "refused" in chosen
        ? [textBlock(chosen.refused, "notice")]
        : [
            lineGrid(title, chosen, episodes),
            textBlock(
              `${words.interval} ${chosen.units === "reward" ? words.ofReward : words.fitted}`,
              "note",
            ),
          ]),
    ...(chosen
      ? [
          {
            ...textBlock(words.again, undefined, "referee-command"),
            command: refereeCommandOf(chosen),
          },
          {
            ...textBlock(again === null ? "" : words.came[again], "note", "referee-came"),
            go: [
              {
                name: words.here,
                move: AGAIN,
                testId: "referee-again",
                disabled: again === "busy",
              },
            ],
          },
        ]
      : []),
  ];
}

function lineGrid(title: string, line: ScoredLine, most: number): GridBlock {
  return {
    kind: "grid",
    id: "referee-line",
    label: title,
    rowHead: { name: words.measure },
    columns: [{ name: title }],
    count: SHOWN_MEASURES.length,
    current: -1,
    row: (place) => {
      const measure = SHOWN_MEASURES[place]!;
      const value =
        measure === "episodes"
          ? cellText(line.episodes, measure, most)
          : withInterval(line[measure]);
      return { id: measure, name: words.measures[measure], cells: [value] };
    },
  };
}

function withInterval([value, low, high]: ScoredLine["bias"]): string {
  if (value === null) return "–";
  const text = formatFixed(value, 3);
  return low === null || high === null
    ? text
    : `${text} (${formatFixed(low, 3)} to ${formatFixed(high, 3)})`;
}

function games({ tasks }: RefereeReport): GridBlock {
  const [rowHead, tests, score, turns] = words.gameHeads as [string, string, string, string];
  return {
    kind: "grid",
    id: "referee-games",
    label: words.games,
    rowHead: { name: rowHead },
    columns: [
      { name: tests, look: "long" },
      { name: score, unit: "number" },
      { name: turns, unit: "number" },
    ],
    count: tasks.length,
    current: -1,
    row: (place) => {
      const { name, title, tests: about, score: earned, turns: length } = tasks[place]!;
      return { id: name, name: title, cells: [about, earned, length] };
    },
  };
}
