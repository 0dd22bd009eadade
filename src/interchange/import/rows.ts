/**
 * Rows with one rollout each under names that many writers share: messages, or a prompt and what
 * was written after it, with a reward. Formats of tables are these names and what is special to a
 * writer.
 */
import { writtenCell } from "../container/csv.ts";
import { areMessages, answered, turnsOfMessages } from "./conversation.ts";
import {
  bareEpisode,
  paidTurns,
  type Findings,
  type ForeignEpisode,
  type ForeignTurn,
} from "./foreign.ts";
import type { FileSource } from "./sources.ts";
import type { SpokenTurns } from "./spoken.ts";
import {
  flagOf,
  iterationNumber,
  listOf,
  nameFrom,
  numberOf,
  rewardCell,
  stepFrom,
  sumKnown,
  textOrNull,
  type Fields,
} from "./values.ts";
import { verlWords } from "./verl.ts";
import { words } from "./words.ts";
import { isRecord } from "../../spec/jsonText.ts";
import { show } from "../../numeric/inputError.ts";
import { ROW_NAMES, type RowField, type RowMap } from "./choices.ts";

function rowCell(row: Fields, field: RowField, map: RowMap = {}): unknown {
  const name = map[field] ?? ROW_NAMES[field].find((one) => row[one] != null);
  const value = name === undefined ? undefined : row[name];
  // In a table of text an answer may look like a number.
  const isText = name !== undefined && (field === "prompt" || field === "completion");
  return isText && typeof value === "number" ? (writtenCell(row, name) ?? value) : value;
}

/** Whether a row has a conversation and a reward. */
export function isRolloutRow(value: unknown, map: RowMap = {}): value is Fields {
  if (!isRecord(value)) return false;
  const cell = (field: RowField) => rowCell(value, field, map);
  const isPair = isSaid(cell("prompt")) && isSaid(cell("completion"));
  const isPaid = rewardCell(cell("reward")) !== null || listOf(cell("rewards")) !== null;
  return (areMessages(cell("messages")) || isPair) && (isPaid || map.completion !== undefined);
}

function isSaid(value: unknown): boolean {
  return typeof value === "string" || areMessages(value);
}

/** What is allowed in a field's cell, and whether a value is. */
const CELLS: Record<RowField, readonly [allowed: string, fits: (value: unknown) => boolean]> = {
  messages: ["a list of messages, each with a role", areMessages],
  prompt: ["a text or a list of messages", isSaid],
  completion: ["a text or a list of messages", isSaid],
  reward: ["a number, true or false, or a list of numbers", (x) => rewardCell(x) !== null],
  rewards: ["a list of numbers, one a turn", (x) => listOf(x) !== null],
  group: ["a text or a number", (x) => nameFrom(x) !== null],
  id: ["a text or a number", (x) => nameFrom(x) !== null],
  step: ["a whole number from 0", (x) => iterationNumber(x) !== null],
  success: ["true or false, or 1 or 0", (x) => flagOf(x) !== null],
  advantage: ["a number", (x) => numberOf(x) !== null],
};

/** Why a row does not fit a mapping, in a sentence; null if that is not to be seen in it. */
export function mapFault(value: unknown, map: RowMap): string | null {
  const row = tableRows(value)?.[0] ?? value;
  if (!isRecord(row)) return words.notARow;
  for (const [field, column] of Object.entries(map) as [RowField, string][]) {
    const [allowed, fits] = CELLS[field];
    if (!Object.hasOwn(row, column)) return words.noColumn(column, field);
    if (!fits(rowCell(row, field, map)))
      return words.oddColumn(column, field, show(row[column]), allowed);
  }
  return null;
}

/** What a writer says otherwise than by the usual names. */
interface RowSays {
  conversation?: SpokenTurns;
  reward?: number | null;
  group?: string;
  step?: unknown;
  more?: Partial<ForeignEpisode>;
}

/** Passes a row's rollout on. @param taskName names a task after its prompt */
export function takeRow(
  row: Fields,
  run: string,
  file: FileSource,
  findings: Findings,
  taskName: (key: string) => string,
  said: RowSays = {},
  map: RowMap = {},
): void {
  const cell = (field: RowField) => rowCell(row, field, map);
  const { step, isSaid: knowsStep, odd } = stepFrom(file, said.step, cell("step"));
  if (odd !== undefined) findings.warn(words.oddStep(show(odd)));
  else if (!knowsStep) findings.assume(file.iteration === 0 ? words.noStep : words.noSteps);
  const { turns, last } = said.conversation ?? rowConversation(row, findings, map);
  const group = said.group ?? nameFrom(cell("group"));
  if (group === null) findings.assume(verlWords.prompt);
  const reward = said.reward !== undefined ? said.reward : rewardCell(cell("reward"));
  const byTurn = listOf(cell("rewards"))?.map(rewardCell);
  const paid = byTurn && byTurn.length === turns.length ? paidTurns(turns, byTurn) : turns;
  if (byTurn && byTurn.length !== turns.length) findings.warn(words.oddRewards);
  const id = nameFrom(cell("id"));
  const success = flagOf(cell("success"));
  findings.episode(run, step, {
    ...bareEpisode(
      group ?? taskName(turns[0]?.observation ?? ""),
      reward ?? (byTurn ? sumKnown(byTurn) : null),
      withAdvantage(paid, numberOf(cell("advantage"))),
      { finalObservation: last, success, ...(id !== null && { id }) },
    ),
    ...said.more,
  });
}

/** Group methods give every token of an episode the same. */
function withAdvantage(turns: readonly ForeignTurn[], advantage: number | null): ForeignTurn[] {
  return turns.map((turn) => ({ ...turn, advantage }));
}

function rowConversation(row: Fields, findings: Findings, map: RowMap): SpokenTurns {
  const messages = rowCell(row, "messages", map);
  if (areMessages(messages)) return turnsOfMessages(messages);
  return answered(rowCell(row, "prompt", map), rowCell(row, "completion", map) ?? "", findings);
}

/** Rows of a table: those of W&B and trackio have columns and data, or a list under its type. */
export function tableRows(value: unknown): Fields[] | null {
  if (!isRecord(value)) return null;
  const [columns, data] = [listOf(value["columns"]), listOf(value["data"])];
  if (columns && data)
    return data.flatMap((cells) =>
      Array.isArray(cells)
        ? [Object.fromEntries(columns.map((name, i) => [String(name), (cells as unknown[])[i]]))]
        : [],
    );
  if (value["_type"] === "trackio.table") return (listOf(value["_value"]) ?? []).filter(isRecord);
  const metrics = value["metrics"];
  if (!isRecord(metrics)) return null;
  const tables = Object.values(metrics).flatMap((one) =>
    isRecord(one) && one["_type"] === "trackio.table" ? (tableRows(one) ?? []) : [],
  );
  if (tables.length === 0) return null;
  return tables.map((row) => ({ step: value["step"], ...row }));
}

/** Texts of a row's cell, for what is written in one column. */
export function textCell(row: Fields, name: string): string {
  return textOrNull(row[name]) ?? "";
}
