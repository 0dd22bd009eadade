/** By token: each turn as one bar over a cell for each of its tokens, and its ratio read in two ways. */
import { finite } from "../../numeric/finite.ts";
import { formatBrief } from "../../numeric/format.ts";
import { bandOf } from "../../method/clip/band.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { TurnRecord } from "../../record/runEvent.ts";
import type { BarRow, BarsBlock, TurnRatios } from "../figure.ts";
import type { TableInput, TableRow } from "./tableModel.ts";
import { words } from "./words.ts";

type StripTable = Omit<BarsBlock, "current">;

/** `table` has turns; `rows` and `input` have the same rows by token. */
export function withStrips(
  table: StripTable,
  rows: readonly TableRow[],
  input: TableInput,
): StripTable {
  const turns = [...new Set(input.columns.flatMap(({ turn }) => turn ?? []))];
  const isRatio = input.quantity === "ratio";
  const tokensOf = ({ values }: TableRow, turn: number) =>
    values.filter((_, i) => input.columns[i]!.turn === turn && input.columns[i]!.token !== null);
  const own = table.rows.map((row, i): BarRow => {
    const ofTokens = rows[i]!;
    if (row.look === "reward") return row;
    const cells = row.cells.map((cell, k) => {
      const strip = tokensOf(ofTokens, turns[k]!);
      return strip.some((value) => value !== null) ? { ...cell, strip } : cell;
    });
    return { ...row, notes: ofTokens.notes, cells };
  });
  const ratios = isRatio ? null : ratioRow(input, turns, table.ends.length);
  // Nothing opens: the tokens are there.
  const columns = table.columns.map(({ id, name, to }) => ({ id, name, to }));
  return { ...table, columns, rows: ratios ? [...own, ratios] : own };
}

/** As trained; null if the log has no ratios. */
function ratioRow(
  { episodes, episode, settings }: TableInput,
  turns: readonly number[],
  ends: number,
): BarRow | null {
  const record = episodes[episode]!;
  const read = turns.map((h) => ratiosOf(record.turns[h]!, settings ? bandOf(settings) : null));
  if (isFork(record) || read.every((one) => one === null)) return null;
  const band = read.find((one) => one)?.band;
  return {
    id: "ratios",
    name: words.ratios.name,
    look: "ratios",
    notes: [words.ratios.key, ...(band ? [words.ratios.band(...band)] : [])],
    go: [],
    reason: null,
    cells: read.map((ratios) => ({ value: null, ...(ratios && { ratios }) })),
    among: [],
    ends: Array<string>(ends).fill(words.unused),
    repeats: false,
  };
}

function ratiosOf(
  { tokens, advantage }: TurnRecord,
  bounds: { low: number | null; high: number | null } | null,
): TurnRatios | null {
  const logs = tokens.map(({ logprob, oldLogprob }) => finite(logprob - oldLogprob));
  if (logs.length === 0 || logs.includes(null)) return null;
  const sum = logs.reduce<number>((total, one) => total + one!, 0);
  const { low = null, high = null } = bounds ?? {};
  const read = (name: string, log: number) => {
    const isCut =
      advantage > 0 ? high !== null && log > high : advantage < 0 && low !== null && log < low;
    const value = Math.exp(log);
    return { name, value, says: formatBrief(value), more: isCut ? words.ratios.cut : "" };
  };
  const band = low === null || high === null ? null : ([Math.exp(low), Math.exp(high)] as const);
  const { product, mean } = words.ratios;
  return { product: read(product, sum), mean: read(mean, sum / logs.length), band };
}
