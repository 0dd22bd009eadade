/** Credits of one episode: what each method gives the same turns, with adjustable settings. */
import { formatBrief } from "../../numeric/format.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { groupingOf } from "../../reading/credit/alone.ts";
import { computed } from "../../reading/credit/computed.ts";
import { estimatesAnswered } from "../../reading/credit/estimates.ts";
import { rowNames, rowOf, rowRequest } from "../../reading/credit/rows.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { titleOf } from "../../reading/titles.ts";
import { otherPolicy, type EpisodeTruth } from "../../reading/truths.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { creditChanges } from "../../store/creditChanges.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import {
  figurePanel,
  textBlock,
  type BarCell,
  type BarColumn,
  type BarRow,
  type BarsBlock,
  type Block,
  type ChoicesBlock,
  type Figure,
  type FigureInput,
  type NumbersBlock,
} from "../figure.ts";
import { otherPolicies, whyTurn } from "../truthWords.ts";
import { turnStretch } from "../turnStretch.ts";
import { exportBatch, ROWS, rowPicker, whatIf } from "./choices.ts";
import { columnsOf, MAX_TURNS, MOST_CELLS, openTurns, partAt } from "./columns.ts";
import { guessOf, withGuess } from "./guess.ts";
import { credits } from "./manifest.ts";
import { withStrips } from "./strips.ts";
import { cellWords, columnName, formatCell, summarise } from "./summary.ts";
import { creditRows, type TableInput, type TableRow } from "./tableModel.ts";
import { signOf, truthsOf, type Agreement } from "./truth.ts";
import { words } from "./words.ts";

type CreditSettings = typeof credits.settings;
type CreditsSeen = FigureInput<CreditSettings>;

/** What is computed, one row after another; null if there is no turn. */
export interface CreditsRead {
  input: TableInput;
  rows: TableRow[];
  table: Omit<BarsBlock, "current">;
  says: string;
}

export const creditsPanel = figurePanel<CreditSettings, CreditsRead | null>({
  panel: credits,
  about: words.about,
  reads: { needs, work },
  figure: (seen, made): Figure => {
    if (!made) return [textBlock(words.noTurns, "empty")];
    return [
      dials(seen.set),
      textBlock(over(seen), "prose", "credits-over"),
      ...whole(seen, recordAt(seen.at)!, made),
    ];
  },
});

function whole(seen: CreditsSeen, record: EpisodeRecord, made: CreditsRead): Figure {
  const { set, at } = seen;
  const { input, rows, table, says } = made;
  const policies = otherPolicies(othersIn(input));
  const reasons = rows.flatMap(({ id, why }) => (why ? [{ id, text: why }] : []));
  const isKnown = input.truths.some((truth) => truth !== null);
  const truth = input.truths[input.episode];
  const asks = input.grain === "token" && rows.some(({ kind }) => kind === "truth");
  const guess = asks && truth ? guessOf(at, record) : null;
  const isHidden = guess !== null && seen.held[guess] === undefined;
  const seenRows = isHidden ? rows.filter(({ kind }) => kind !== "truth") : rows;
  return [
    ...(set.grain === "episode"
      ? []
      : turnStretch("credits-stretch", at, record.turns.length, MAX_TURNS)),
    input.grain === "token"
      ? {
          ...(guess === null
            ? table
            : withGuess(table, truth!, guess, {
                guess: seen.held[guess],
                other: otherPolicy(truth!, at.iteration),
              })),
          current: at.turn - input.columns[0]!.turn!,
          token: at.token,
        }
      : { ...table, current: columnAt(input, at) },
    ...(guess === null ? turnSolved(truth ?? null, at) : []),
    ...agreementNote(rows),
    ...(policies === null ? [] : [textBlock(policies, "note", "truth-policy")]),
    // Visible, not behind "?": they are the reason to read the table.
    ...(reasons.length < 2
      ? []
      : [{ kind: "list", id: "credits-why", label: words.why, items: reasons } as const]),
    textBlock(semantics(input, record), "prose", "credits-semantics"),
    ...(isKnown ? [] : [textBlock(words.truthNone, "note", "credits-truth")]),
    rowPicker(input.rows, set.rows),
    whatIf(seen, input.rows),
    exactNumbers(
      input,
      seenRows,
      isHidden ? summarise(seenRows, input.columns, input.quantity) : says,
    ),
    ...exportBatch(input, seen.held[ROWS.taken]),
  ];
}

/** What the turn at the cursor did, where its true credit is seen. */
function turnSolved(truth: EpisodeTruth | null, { turn, iteration }: ResolvedChoice): Block[] {
  const other = otherPolicy(truth, iteration);
  return truth?.turns[turn]
    ? [textBlock(whyTurn(truth.turns, turn, { other }), undefined, "credits-solved")]
    : [];
}

const othersIn = ({ truths, iteration }: TableInput) =>
  truths.flatMap((truth) => otherPolicy(truth, iteration) ?? []);

const recordAt = ({ episodes, episode }: ResolvedChoice) => episodes[episode];

/** What the numbers depend on: the turn at the cursor only if not all turns or tokens are shown. */
function needs({ view: { log, origin }, at, set, held, truths }: CreditsSeen): unknown[] {
  const record = recordAt(at);
  const part = record && partAt(record, at.turn, at.token, set.grain);
  const turn = record && set.grain === "token" && tokensOf(record) > MOST_CELLS ? at.turn : 0;
  const place = [log, origin, at.algorithm, at.iteration, at.episodes, at.episode, at.fork];
  const chosen = [set.quantity, set.grain, creditChanges.write(set.set), held[ROWS.open]];
  const parts = [part?.turns.from, part?.turns.to, part?.token.turn, part?.token.from, turn];
  return [
    ...[...place, ...chosen, ...parts, truths],
    rowNames(log, set.rows).join(),
    estimatesAnswered(),
  ];
}

function* work(seen: CreditsSeen): Sliced<CreditsRead | null> {
  const record = recordAt(seen.at);
  if (!record || record.turns.length === 0) return null;
  const input = tableInput(seen, record);
  const { rows, played, episodes } = input;
  yield* computed({ asked: rowRequest(rows, played), episodes });
  const made = creditRows(input);
  const says = summarise(made, input.columns, input.quantity);
  if (input.grain !== "token")
    return { input, rows: made, table: tableOf(input, made, seen), says };
  const part = partAt(record, seen.at.turn, null);
  const columns = columnsOf(record, "turn", new Set(), part);
  const byTurn: TableInput = { ...input, grain: "turn", columns };
  const table = withStrips(tableOf(byTurn, creditRows(byTurn), seen), made, input);
  return { input, rows: made, table, says };
}

function tableInput(
  { view, at, set, held, truths }: CreditsSeen,
  record: EpisodeRecord,
): TableInput {
  const { log, origin } = view;
  const { algorithm, iteration, episodes, episode } = at;
  const { quantity, grain } = set;
  const open = openTurns(record, grain, turnsIn(held), at.turn);
  return {
    rows: rowNames(log, set.rows).map((name) => rowOf(log, name, set.set, iteration)),
    episodes,
    episode,
    iteration,
    algorithm,
    quantity,
    grain,
    method: titleOf(algorithm),
    settings: runConfig(log.start?.spec, algorithm),
    played: at.fork === null ? algorithm : null,
    count: log.episodesPerIteration,
    grouping: groupingOf(log, algorithm),
    columns: columnsOf(record, grain, open, partAt(record, at.turn, at.token, grain)),
    truths: truthsOf(truths, algorithm, iteration, episodes),
    imported: origin === "imported",
  };
}

/** Turns that are expanded into their tokens, from 0. */
const turnsIn = (held: CreditsSeen["held"]): ReadonlySet<number> =>
  new Set((held[ROWS.open] ?? "").split(",").filter(Boolean).map(Number));

function dials({ quantity, grain }: CreditsSeen["set"]): ChoicesBlock {
  const shared = { look: "dial", testId: "credits" } as const;
  return {
    kind: "choices",
    choices: [
      {
        id: "quantity",
        label: words.quantity,
        value: quantity,
        ...shared,
        options: Object.entries(words.quantities).map(([value, { name, about }]) => ({
          value,
          name,
          hint: about,
        })),
      },
      {
        id: "grain",
        label: words.grain,
        value: grain,
        ...shared,
        options: Object.entries(words.grains).map(([value, name]) => ({ value, name })),
      },
    ],
    signs: quantity === "clip" ? undefined : words.signKey[quantity],
  };
}

function over({ view: { log }, at }: { view: RunView; at: ResolvedChoice }): string {
  const all = log.episodesPerIteration;
  const said = words.over(at.episodes.length, all, titleOf(at.algorithm), at.iteration);
  return at.fork ? `${said} ${words.withFork(at.fork.number)}` : said;
}

/** The column of the cursor's token, else of its turn. */
function columnAt({ columns }: TableInput, { turn, token }: ResolvedChoice): number {
  const here = columns.findIndex((column) => column.turn === turn && column.token === token);
  return here >= 0 ? here : columns.findIndex((column) => column.turn === turn);
}

const UNITS = { advantage: "signed", ratio: "number", clip: "share" } as const;

function tableOf(
  input: TableInput,
  rows: readonly TableRow[],
  { at, held }: CreditsSeen,
): CreditsRead["table"] {
  const { quantity } = input;
  const isJudged = rows.some(({ agreement }) => agreement !== null);
  const policies = otherPolicies(othersIn(input));
  const judges = (hint: string) => [hint, policies].filter(Boolean).join(". ");
  const ends = [
    { name: words.correlation, hint: judges(words.correlationHint) },
    { name: words.sign, hint: judges(words.signHint) },
  ];
  return {
    kind: "bars",
    id: "credits-table",
    label: credits.title,
    rowHead: words.rowName,
    unit: UNITS[quantity],
    columns: columnsFor(input, at.episode, turnsIn(held)),
    ends: isJudged ? ends : [],
    rows: rows.map((row) => barRow(row, rows, input, isJudged)),
  };
}

function columnsFor(
  { columns, grain }: TableInput,
  episode: number,
  open: ReadonlySet<number>,
): BarColumn[] {
  return columns.map((column): BarColumn => {
    const { id, turn, token, text } = column;
    const name = columnName(column);
    if (turn === null) return { id, name, to: null };
    const to = { episode, turn, token };
    if (token !== null) return { id, name, to, token: text, numbered: grain === "token" };
    if (grain === "token") return { id, name, to };
    const isOpen = columns.some((one) => one.turn === turn && one.token !== null);
    const says = (isOpen ? words.close : words.open)(turn + 1);
    const value = [
      ...[...open].filter((h) => h !== turn),
      ...(open.has(turn) ? [] : [turn]),
    ].join();
    return { id, name, to, opens: { by: { choose: { [ROWS.open]: value } }, isOpen, says } };
  });
}

function barRow(
  row: TableRow,
  rows: readonly TableRow[],
  input: TableInput,
  isJudged: boolean,
): BarRow {
  const { id, kind, title, whose, notes, methods = [], reason, agreement, among, size } = row;
  const none = kind === "reward" || kind === "truth" ? "" : words.unused;
  const ends = agreement ? [correlationText(agreement), signsText(agreement)] : [none, none];
  return {
    id,
    name: title,
    says: whose,
    notes,
    reason,
    among,
    look: kind === "algorithm" ? "method" : kind,
    go: methods.map((name) => ({ name: words.goTo(titleOf(name)), to: { algorithm: name } })),
    cells: reason === null ? cellsOf(row, input) : [],
    size: input.quantity === "advantage" ? size : undefined,
    ends: isJudged ? ends : [],
    endsNote: agreement
      ? words.verdict(correlationText(agreement), signsText(agreement))
      : undefined,
    repeats: isRepeat(row, rows, input.algorithm),
  };
}

function cellsOf(row: TableRow, { columns, quantity }: TableInput): BarCell[] {
  const isClip = quantity === "clip";
  return columns.map((column, i): BarCell => {
    const value = row.values[i]!;
    if (value === null) return { value };
    const interval = row.intervals?.[i];
    return {
      value,
      text: cellWords(quantity, column, value, row) ?? undefined,
      interval,
      pale: interval !== undefined && signOf(interval) === 0,
      // A ratio of 1 is the middle.
      bar: quantity === "ratio" ? Math.log(value) : undefined,
      framed: isClip && value > 0,
    };
  });
}

/** Whether training's own numbers equal, as shown, those of its method's row: then one row shows both. */
function isRepeat(row: TableRow, rows: readonly TableRow[], algorithm: string): boolean {
  const method = rows.find(({ id }) => id === algorithm);
  if (row.kind !== "trained" || !method || row.reason !== method.reason) return false;
  return row.values.every((value, i) => formatBrief(value) === formatBrief(method.values[i]));
}

function correlationText({ correlation, turns }: Agreement): string {
  if (Number.isFinite(correlation)) return formatBrief(correlation);
  return turns === 1 ? words.oneTurn : words.allEqual;
}

const signsText = ({ right, signed }: Agreement) =>
  signed === 0 ? words.unused : words.signs(right, signed);

function agreementNote(rows: readonly TableRow[]): Block[] {
  const all = rows.flatMap(({ agreement }) => agreement ?? []);
  if (all.length === 0) return [];
  // A row may lack some of the turns.
  const { turns, signed, episodes } = all.reduce((a, b) => (b.turns > a.turns ? b : a));
  return [textBlock(words.agreement(turns, signed, episodes), "prose")];
}

function semantics({ quantity, grain }: TableInput, record: EpisodeRecord): string {
  const isCut = grain === "token" && tokensOf(record) > MOST_CELLS;
  return [
    words.quantities[quantity].about,
    words.semantics[quantity][grain],
    words.levels,
    ...(quantity === "clip" ? [] : [words.colours]),
    ...(isCut ? [words.manyTokens] : []),
  ].join(" ");
}

const tokensOf = ({ turns }: EpisodeRecord) =>
  turns.reduce((sum, { tokens }) => sum + tokens.length, 0);

/** A column for each of the table's rows. */
function exactNumbers(
  { columns, quantity }: TableInput,
  rows: readonly TableRow[],
  says: string,
): NumbersBlock {
  return {
    kind: "numbers",
    id: "credits-exact",
    title: words.numbers,
    says,
    note: words.exactNote,
    columns: [
      { name: words.unit },
      ...rows.map(({ title, whose }) => ({
        name: whose ? `${title} ${whose}` : title,
        unit: "exact" as const,
      })),
    ],
    rows: () =>
      columns.map((column, i) => [
        columnName(column),
        ...rows.map(({ values, missing }) => {
          const value = values[i]!;
          const isNumber = value === null || Number.isFinite(value);
          return isNumber ? value : (missing ?? formatCell(quantity, column, value));
        }),
      ]),
  };
}
