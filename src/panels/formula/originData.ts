/** The tables that numbers come from: turns of the episode, tokens of the turn, rollouts of the task. */
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { Binding } from "../../method/formula/vocabulary.ts";
import type { Episodes } from "../../reading/credit/batch.ts";
import { visible } from "../../text/visible.ts";
import { membersOf } from "./groupNumbers.ts";
import { episodeCell, tokenCell, turnCell } from "./known.ts";
import { numberAt } from "./numbers.ts";
import { placeAt, type BatchPlace } from "./place.ts";
import { words } from "./words.ts";

const TURN_COLUMNS: readonly Binding[] = [
  ...(["turn.reward", "turn.return", "turn.value", "turn.delta"] as const),
  ...(["turn.highAdvantage", "turn.rawAdvantage", "turn.advantage", "turn.ratio"] as const),
];
const TOKEN_COLUMNS: readonly Binding[] = [
  ...(["token.oldLogprob", "token.logprob", "token.logRatio", "token.reward"] as const),
  ...(["token.return", "token.value", "token.delta"] as const),
  ...(["token.rawAdvantage", "token.advantage"] as const),
];

/** What a fork, which no update has used, lacks. */
const OF_UPDATES: readonly Binding[] = ["turn.ratio", "token.logprob", "token.logRatio"];

interface OriginCell {
  id: string;
  value: number | null;
}

export interface OriginRow {
  head: string;
  /** The effect of pressing the head. */
  goes: string;
  /** Whether the cursor is there. */
  current: boolean;
  cells: readonly OriginCell[];
}

export interface OriginTable {
  id: "turns" | "tokens" | "group";
  name: string;
  /** Name of the column of heads. */
  first: string;
  columns: readonly Binding[];
  rows: readonly OriginRow[];
}

export function originTables(
  place: BatchPlace,
  episode: EpisodeRecord,
  episodes: Episodes,
): OriginTable[] {
  const own = [turnTable(place, episode), tokenTable(place, episode)];
  const tables = isFork(episode) ? own.map((table) => without(table, OF_UPDATES)) : own;
  return place.all.config.grouped ? [...tables, groupTable(place, episodes)] : tables;
}

function turnTable({ all, b, h }: BatchPlace, episode: EpisodeRecord): OriginTable {
  const rows = episode.turns.map((_, i): OriginRow => {
    const at = placeAt(all, b, i, null);
    const cells = cellsAt(at, TURN_COLUMNS, (binding) => turnCell(binding, at, i));
    return { head: `${i + 1}`, goes: words.goTurn(i + 1), current: i === h, cells };
  });
  return known({ id: "turns", name: words.turns, first: words.turn, columns: TURN_COLUMNS, rows });
}

function tokenTable({ all, b, h, t }: BatchPlace, episode: EpisodeRecord): OriginTable {
  const rows = episode.turns[h]!.tokens.map(({ text }, i): OriginRow => {
    const at = placeAt(all, b, h, i);
    const cells = cellsAt(at, TOKEN_COLUMNS, (binding) => tokenCell(binding, at, i));
    return { head: visible(text), goes: words.goToken(i + 1), current: i === t, cells };
  });
  const name = words.tokens(h + 1);
  return known({ id: "tokens", name, first: words.token, columns: TOKEN_COLUMNS, rows });
}

function groupTable(place: BatchPlace, episodes: Episodes): OriginTable {
  const rows = membersOf(place).map((member): OriginRow => {
    const head = `${episodes[member]!.trajectory + 1}`;
    const cells = [{ id: episodeCell(member), value: place.all.score[member]! }];
    return { head, goes: words.goRollout(head), current: member === place.b, cells };
  });
  const columns = ["trajectory.score"] as const;
  return { id: "group", name: words.group, first: words.rollout, columns, rows };
}

function cellsAt(
  at: BatchPlace,
  columns: readonly Binding[],
  id: (binding: Binding) => string,
): OriginCell[] {
  return columns.map((binding) => ({ id: id(binding), value: numberAt(binding, at) }));
}

/** Without columns that have no number at all. */
function known(table: OriginTable): OriginTable {
  const empty = table.columns.filter((_, i) =>
    table.rows.every(({ cells }) => cells[i]!.value === null),
  );
  return without(table, empty);
}

function without(table: OriginTable, columns: readonly Binding[]): OriginTable {
  const kept = table.columns.map((binding) => !columns.includes(binding));
  const rows = table.rows.map((row) => ({ ...row, cells: row.cells.filter((_, i) => kept[i]) }));
  return { ...table, columns: table.columns.filter((_, i) => kept[i]), rows };
}
