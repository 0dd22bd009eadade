/** The whole table as plain data: what the picture draws, the numbers below it list, and tests read. */
import { signedScale, type SignedScale } from "../../charts/signedScale.ts";
import { trajectoryScores } from "../../credit/rewards.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { TrajectoryBatch } from "../../record/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { unitOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import { advantageLevel } from "../../spec/algorithmDocs/advantageFormulas.ts";
import type { Episodes } from "./batch.ts";
import {
  readAdvantage,
  readClip,
  readRatio,
  readTrained,
  type Quantity,
  type Reader,
} from "./cells.ts";
import type { Column, Grain } from "./columns.ts";
import { creditOf, objectiveOf, type RowCredit, type Tried } from "./rowCredit.ts";
import type { Row } from "./rows.ts";
import { agreementOf, type Agreement, type KnownTruths } from "./truth.ts";
import { words } from "./words.ts";

export interface TableRow {
  id: string;
  kind: "reward" | "truth" | "algorithm" | "trained";
  title: string;
  /** Short remarks under the title. */
  notes: readonly string[];
  /** Why there are no numbers; null where there are. */
  reason: string | null;
  /** In the order of the columns; null where the row has no such number. */
  values: readonly (number | null)[];
  /** Ends of the interval of each value, of the truth. */
  intervals?: readonly (readonly [number, number])[];
  scale: SignedScale;
  agreement: Agreement | null;
}

export interface TableInput {
  rows: readonly Row[];
  episodes: Episodes;
  /** Place of the episode among them. */
  episode: number;
  /** Algorithm that played them. */
  algorithm: string;
  /** How that algorithm is called, as trained. */
  method: string;
  columns: readonly Column[];
  quantity: Quantity;
  grain: Grain;
  truths: KnownTruths;
}

const NO_SCALE: SignedScale = () => ({ sign: "zero", strength: 0 });

export function tableRows(input: TableInput): TableRow[] {
  const { rows, algorithm, quantity } = input;
  const trained = trainedRow(input);
  const own = rows.flatMap((row) => {
    const computed = algorithmRow(row, input);
    return row.name === algorithm ? [computed, trained] : [computed];
  });
  const all = own.includes(trained) ? own : [trained, ...own];
  return quantity === "advantage" ? [rewardRow(input), ...truthRow(input), ...all] : all;
}

function rewardRow({ episodes, episode, columns }: TableInput): TableRow {
  const { turns, reward } = episodes[episode]!;
  const values = columns.map(({ turn, token }) => {
    if (turn === null) return reward;
    const { reward: own, tokens } = turns[turn]!;
    return token === null || token === tokens.length - 1 ? own : 0;
  });
  const scale = signedScale(turns.map((turn) => turn.reward));
  return plain("reward", words.rewards, [words.rewardsHint], { values, scale });
}

function plain(
  kind: TableRow["kind"],
  title: string,
  notes: string[],
  rest: Pick<TableRow, "values" | "scale"> & Partial<TableRow>,
): TableRow {
  return { id: kind, kind, title, notes, reason: null, agreement: null, ...rest };
}

/** One row where the truth is known, else none. */
function truthRow({ truths, episode, columns }: TableInput): TableRow[] {
  const truth = truths[episode];
  if (!truth) return [];
  const at = ({ turn, token }: Column) =>
    turn === null || token !== null ? null : truth.turns[turn]!;
  const known = columns.map(at);
  const values = known.map((turn) => turn?.advantage ?? null);
  const intervals = known.map((turn) => turn?.advantageInterval ?? ([NaN, NaN] as const));
  const scale = signedScale(truth.turns.map(({ advantage }) => advantage));
  return [plain("truth", words.truth, [words.truthHint], { values, intervals, scale })];
}

function trainedRow({ episodes, episode, method, columns, quantity }: TableInput): TableRow {
  const values = columns.map(readTrained(episodes[episode]!, quantity));
  const all = episodes.flatMap(({ turns }) => turns.map(({ advantage }) => advantage));
  const scale = quantity === "advantage" ? signedScale(all) : scaleOf(quantity, values);
  return plain("trained", words.trained(method), [words.trainedHint], { values, scale });
}

function algorithmRow(row: Row, input: TableInput): TableRow {
  const { episodes, episode, columns, quantity, truths } = input;
  const base = { id: row.name, kind: "algorithm", title: row.title } as const;
  const failed = (reason: string): TableRow => ({
    ...base,
    ...{ notes: [], reason, values: columns.map(() => null), scale: NO_SCALE, agreement: null },
  });
  if (!row.config) return failed(row.problem ?? "");
  const tried = creditOf(row.config, episodes);
  if (!tried.ok) return failed(tried.reason);
  const reader = readerOf(row.config, tried.ok, episodes[episode]!, input);
  if (!reader.ok) return failed(reader.reason);
  const values = columns.map(reader.ok);
  return {
    ...base,
    ...{ notes: notesOf(row, tried.ok, input), reason: null, values },
    scale: scaleOf(quantity, quantity === "advantage" ? tried.ok.credit.turnAdvantage : values),
    agreement: agreementOf(tried.ok, truths),
  };
}

function readerOf(
  config: AlgorithmConfig,
  row: RowCredit,
  record: EpisodeRecord,
  { episode, quantity }: TableInput,
): Tried<Reader> {
  if (quantity === "advantage") return { ok: readAdvantage(row, episode), reason: null };
  const objective = objectiveOf(config, row, episode);
  if (!objective.ok) return objective;
  const read = quantity === "ratio" ? readRatio : readClip;
  return { ok: read(config, record, objective.ok), reason: null };
}

function scaleOf(quantity: Quantity, values: ArrayLike<number | null>): SignedScale {
  const numbers = Array.from(values, (value) => value ?? NaN);
  if (quantity === "advantage") return signedScale(numbers);
  if (quantity === "clip") return NO_SCALE;
  const scale = signedScale(numbers.map(Math.log));
  return (ratio) => scale(Math.log(ratio));
}

const LEVEL: Record<Grain, string> = { token: "token", turn: "turn", episode: "trajectory" };

function notesOf(row: Row, { batch, credit }: RowCredit, { episode, quantity, grain }: TableInput) {
  const config = row.config!;
  const level = quantity === "advantage" ? advantageLevel(config) : unitOf(config);
  const alone = config.grouped && new Set(batch.task).size === batch.task.length;
  return [
    ...(level === LEVEL[grain] ? [words.ownLevel] : []),
    ...(row.changed ? [words.changed] : []),
    ...(credit.kept?.[episode] === 0 ? [words.filtered] : []),
    ...(alone ? [words.alone] : []),
    ...(!alone && config.estimator === "group-score" && isEqualGroup(batch, episode)
      ? [words.equal]
      : []),
    ...(quantity !== "advantage" && config.ratio === "none" ? [words.noRatio] : []),
  ];
}

/** Whether all rollouts of the episode's task earned the same. */
function isEqualGroup(batch: TrajectoryBatch, episode: number): boolean {
  const score = trajectoryScores(batch); // [B]
  return batch.task.every((task, b) => task !== batch.task[episode] || score[b] === score[episode]);
}
