/**
 * Rows with one rollout each under names that many writers share: messages, or a prompt and what
 * was written after it, with a reward. Formats of tables are these names and what is special to a
 * writer.
 */
import { writtenCell } from "../container/csv.ts";
import { areMessages, answered, mediaName, messagesIn, turnsOfMessages } from "./conversation.ts";
import {
  bareEpisode,
  paidTurns,
  warnOnce,
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
  numbersOf,
  rewardCell,
  stepFrom,
  sumKnown,
  textOrNull,
  unknownIn,
  type Fields,
} from "./values.ts";
import { verlWords } from "./verl.ts";
import { words } from "./words.ts";
import { isRecord } from "../../spec/jsonText.ts";
import { show } from "../../numeric/inputError.ts";
import { plainName, ROW_NAMES, type RowField, type RowMap } from "./choices.ts";

/** Objects in a row that may hold what it lacks itself, and the fields that are looked for there. */
const WITHIN = ["metadata", "meta", "info", "extra_info", "result"];
const SPOKEN: readonly RowField[] = ["messages", "prompt", "completion"];
/** Messages as numpy prints them, or cut off: Python's own text of a list is read. */
const PYTHON = /^\s*\[\s*\{\s*'/;
const SAID_WITHIN: readonly RowField[] = ["reward", "rewards", "group", "id", "step", "success"];

/** Where a row says something: the column, or its path, and what stands there. */
interface RowCell {
  column: string;
  value: unknown;
}

/** Null if the row has no such column; a column that is empty counts if there is no other. */
function cellOf(row: Fields, field: RowField, map: RowMap = {}): RowCell | null {
  const named = map[field];
  const found =
    named === undefined ? usualCell(row, field) : { column: named, value: at(row, named) };
  if (found?.value === undefined) return null;
  if (!SPOKEN.includes(field)) return found;
  // In a table of text an answer may look like a number.
  const { column, value } = found;
  const text = typeof value === "number" ? writtenCell(row, column) : undefined;
  return { column, value: text ?? messagesIn(value) };
}

/** The column of that name, or what a path such as `metadata.group` leads to. */
function at(row: Fields, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column];
  return column
    .split(".")
    .reduce<unknown>(
      (one, name) => (isRecord(one) && Object.hasOwn(one, name) ? one[name] : undefined),
      row,
    );
}

function usualCell(row: Fields, field: RowField): RowCell | null {
  const names: readonly string[] = ROW_NAMES[field];
  const own = names.find((one) => row[one] != null);
  if (own !== undefined) return { column: own, value: row[own] };
  const columns = Object.keys(row).filter((one) => names.includes(plainName(one)));
  const column = columns.find((one) => row[one] != null) ?? columns[0];
  if (column !== undefined && row[column] != null) return { column, value: row[column] };
  for (const outer of SAID_WITHIN.includes(field) ? WITHIN : []) {
    const inner = row[outer];
    const name = isRecord(inner) ? names.find((one) => inner[one] != null) : undefined;
    if (name !== undefined) return { column: `${outer}.${name}`, value: (inner as Fields)[name] };
  }
  return column === undefined ? null : { column, value: row[column] };
}

function rowCell(row: Fields, field: RowField, map?: RowMap): unknown {
  return cellOf(row, field, map)?.value;
}

/** Whether a row has a conversation, and says its reward or at least has a column for it. */
export function isRolloutRow(value: unknown, map: RowMap = {}): value is Fields {
  if (!hasConversation(value, map)) return false;
  const paid = cellOf(value, "reward", map) ?? cellOf(value, "rewards", map);
  // What was named must be it.
  if (map.reward !== undefined && paid && paid.value !== null) return CELLS.reward[1](paid.value);
  return paid !== null || map.completion !== undefined || map.messages !== undefined;
}

/** Whether a row has messages, or a prompt and what was written after it. */
export function hasConversation(value: unknown, map: RowMap = {}): value is Fields {
  if (!isRecord(value)) return false;
  const cell = (field: RowField) => rowCell(value, field, map);
  const isPair = () => isSaid(cell("prompt")) && isWritten(cell("completion"));
  return areMessages(cell("messages")) || isPair();
}

function isSaid(value: unknown): boolean {
  return typeof value === "string" || areMessages(value);
}

/** A response may be empty. */
function isWritten(value: unknown): boolean {
  return isSaid(value) || (Array.isArray(value) && value.length === 0);
}

/** A reward as a number, or with its parts by name; they have no sum where nothing says their weights. */
export function rewardIn(value: unknown): {
  reward: number | null;
  parts: Readonly<Record<string, number>> | null;
} {
  if (!isRecord(value)) return { reward: rewardCell(value), parts: null };
  const total = ROW_NAMES.reward.find((one) => numberOf(value[one]) !== null);
  return { reward: total === undefined ? null : numberOf(value[total]), parts: numbersOf(value) };
}

/** A group's name, also as an object that holds it. */
function groupName(value: unknown): string | null {
  if (!isRecord(value)) return nameFrom(value);
  return nameFrom(value["id"], value["uid"], value["key"], value["hash"], value["name"]);
}

/** Of lists by token, those whose entries are all the same. */
function advantageIn(value: unknown): number | null {
  const list = listOf(value);
  return list?.every((one) => one === list[0]) ? numberOf(list[0]) : numberOf(value);
}

function successIn(value: unknown): boolean | null {
  const text = textOrNull(value)?.toLowerCase();
  return text === "true" || text === "false" ? text === "true" : flagOf(value);
}

/** What is allowed in a field's cell, and whether a value is. */
const CELLS: Record<RowField, readonly [allowed: string, fits: (value: unknown) => boolean]> = {
  messages: ["a list of messages, each with a role", areMessages],
  prompt: ["a text or a list of messages", isSaid],
  completion: ["a text or a list of messages", isWritten],
  reward: [
    "a number, true or false, a list of numbers, or an object with a number called score or reward",
    (x) => rewardIn(x).reward !== null,
  ],
  rewards: [
    "a list of numbers, one a turn, or an object of parts by name",
    (x) => listOf(x) !== null || isRecord(x),
  ],
  group: ["a text or a number", (x) => groupName(x) !== null],
  id: ["a text or a number", (x) => nameFrom(x) !== null],
  step: ["a whole number from 0", (x) => iterationNumber(x) !== null],
  success: ["true or false, or 1 or 0", (x) => successIn(x) !== null],
  advantage: ["a number, or a list of one number again and again", (x) => advantageIn(x) !== null],
};

/** Why a value that has a conversation, or begins to, is none of these rows; null if it has nothing of them. */
export function rowFault(value: unknown, map: RowMap = {}): string | null {
  if (!isRecord(value)) return null;
  if (hasConversation(value, map)) return isRolloutRow(value, map) ? null : words.noReward;
  const cells = SPOKEN.map((field) => {
    const [cell, [allowed, fits]] = [cellOf(value, field, map), CELLS[field]];
    return cell && !fits(cell.value)
      ? words.oddValue(cell.column, show(cell.value), allowed)
      : null;
  });
  return cells.find((one) => one !== null) ?? null;
}

/** Why a row does not fit a mapping, in a sentence; null if that is not to be seen in it. */
export function mapFault(value: unknown, map: RowMap): string | null {
  const row = tableRows(value)?.[0] ?? value;
  if (!isRecord(row)) return words.notARow;
  for (const [field, column] of Object.entries(map) as [RowField, string][]) {
    const [allowed, fits] = CELLS[field];
    const value = rowCell(row, field, map);
    if (value === undefined) return words.noColumn(column, field);
    if (!fits(value)) return words.oddColumn(column, field, show(value), allowed);
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
  const step = takeStep(row, file, findings, said.step, map);
  const { turns, last } = said.conversation ?? rowConversation(row, findings, map);
  noteCells(row, said, map, findings);
  const group = said.group ?? groupName(cell("group"));
  const media = group === null ? mediaOf(row) : "";
  if (group === null) findings.assume(media === "" ? verlWords.prompt : words.media);
  const { reward, parts } = rewardIn(cell("reward"));
  const byTurn = listOf(cell("rewards"))?.map(rewardCell);
  const isByTurn = byTurn?.length === turns.length;
  if (byTurn && !isByTurn) findings.warn(words.oddRewards);
  const sum =
    said.reward !== undefined ? said.reward : (reward ?? (byTurn ? sumKnown(byTurn) : null));
  const id = nameFrom(cell("id"));
  const success = successIn(cell("success"));
  if (sum === null && isRecord(cell("rewards"))) findings.warn(words.noWeights);
  const rewards = parts ?? (isRecord(cell("rewards")) ? numbersOf(cell("rewards")) : null);
  findings.episode(run, step, {
    ...bareEpisode(
      group ?? taskName(media + (turns[0]?.observation ?? last)),
      sum,
      withAdvantage(isByTurn ? paidTurns(turns, byTurn) : turns, advantageIn(cell("advantage"))),
      { finalObservation: last, success, ...(id !== null && { id }), ...(rewards && { rewards }) },
    ),
    ...said.more,
  });
}

/** Columns of what a prompt shows beside its text. */
const MEDIA = ["image", "images", "video", "videos", "audio", "audios", "multi_modal_data"];

/** A name of a row's images and the like; empty if it has none. */
function mediaOf(row: Fields): string {
  const held = MEDIA.flatMap((name) => (row[name] == null ? [] : [row[name]]));
  return held.length === 0 ? "" : mediaName(held);
}

function takeStep(
  row: Fields,
  file: FileSource,
  findings: Findings,
  said: unknown,
  map: RowMap,
): number {
  const { step, isSaid, odd } = stepFrom(file, said, rowCell(row, "step", map));
  if (odd !== undefined) warnOnce(findings, "step", words.oddStep(show(odd)));
  else if (!isSaid) findings.assume(file.iteration === 0 ? words.noStep : words.noSteps);
  return step;
}

/** Warns of a reward that cannot be read. */
export function warnOfReward(findings: Findings, column: string, value: unknown): void {
  warnOnce(findings, column, words.oddCell(column, "reward", show(value), CELLS.reward[0]));
}

/** Says what of a row is not where it usually stands, not what it should be, or not read. */
function noteCells(row: Fields, said: RowSays, map: RowMap, findings: Findings): void {
  const own = (Object.keys(CELLS) as RowField[]).filter(
    (field) => field !== "step" && !(field in said),
  );
  const read = new Set<string>();
  for (const field of own) {
    const [cell, [allowed, fits]] = [cellOf(row, field, map), CELLS[field]];
    if (!cell) continue;
    const { column, value } = cell;
    read.add(column).add(column.split(".")[0]!);
    if (map[field] === undefined && column.includes("."))
      findings.assume(words.within(column, field));
    if (typeof value === "string" && PYTHON.test(value) && SPOKEN.includes(field))
      warnOnce(findings, column, words.python(column));
    if (value !== null && !fits(value) && !SPOKEN.includes(field))
      warnOnce(findings, column, words.oddCell(column, field, show(value), allowed));
  }
  if (said.conversation === undefined) findings.unread(unknownIn(row, read));
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
