/** The whole table as plain data: for the picture, the list of numbers below it, and tests. */
import { largestSize } from "../../numeric/lists.ts";
import { trajectoryScores } from "../../method/credit/rewards.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { unitOf } from "../../spec/algorithmDocs/objectiveFormulas.ts";
import { advantageLevel } from "../../spec/algorithmDocs/advantageFormulas.ts";
import { isAlone, isPlainReward, loneReason, type Grouping } from "../../reading/credit/alone.ts";
import type { Episodes } from "../../reading/credit/batch.ts";
import {
  orNaN,
  readAdvantage,
  readClip,
  readRatio,
  readTrained,
  type Reader,
  type TrainedUse,
} from "./cells.ts";
import type { CreditColumn, Grain, Quantity } from "./columns.ts";
import { normalisedOver, nothingToNormalise } from "../../reading/credit/normalised.ts";
import { creditOf, objectiveOf, type Tried } from "../../reading/credit/rowCredit.ts";
import { type RowCredit } from "../../reading/credit/rowTypes.ts";
import { howOf, type Row } from "../../reading/credit/rows.ts";
import { trainedCuts } from "./trainedCuts.ts";
import { agreementOf, agreementWith, type Agreement, type KnownTruths } from "./truth.ts";
import { words as reasons } from "../../reading/credit/words.ts";
import { otherPolicy } from "../../reading/truths.ts";
import { ofPolicy } from "../truthWords.ts";
import { whyOf } from "./why.ts";
import { words } from "./words.ts";

export interface TableRow {
  id: string;
  kind: "reward" | "truth" | "algorithm" | "trained";
  title: string;
  /** For a truth: the policy it belongs to, if another one played the episode. */
  whose?: string;
  /** Short remarks under the title. */
  notes: readonly string[];
  /** Methods of the run whose episodes the row could compare, if it cannot compare this one. */
  methods?: readonly string[];
  /** What the row compares the episode with. */
  why?: string | null;
  /** Why there are no numbers; null if there are. */
  reason: string | null;
  /** In the order of the columns; null if the row has no such number. */
  values: readonly (number | null)[];
  /** Ends of the interval of each value, for the truth. */
  intervals?: readonly (readonly [number, number])[];
  /** Shown for numbers that are not finite, if the usual words would mislead. */
  missing?: string;
  /** For a clip known only as yes or no: its numbers are not shares. */
  yesOrNo?: boolean;
  /** The numbers that set the scale of its bars; of logarithms for ratios, none for clips. */
  among: readonly number[];
  /** The largest signed number in the row's unit: relative to it, small ones count as 0. */
  size?: number;
  agreement: Agreement | null;
}

export interface TableInput {
  rows: readonly Row[];
  episodes: Episodes;
  /** Index of the episode among them. */
  episode: number;
  iteration: number;
  /** Algorithm that played them. */
  algorithm: string;
  /** The same, if its training saw all of them; null if a fork is among them. */
  played: string | null;
  /** Episodes of the iteration, recorded or not; null if the log does not have it. */
  count: number | null;
  grouping: Grouping;
  /** Title of that algorithm, as trained. */
  method: string;
  /** The settings it was trained with; null if unknown. */
  settings: AlgorithmConfig | null;
  columns: readonly CreditColumn[];
  quantity: Quantity;
  grain: Grain;
  truths: KnownTruths;
  /** From a file, which may lack numbers; our own logs write null for numbers that are not finite. */
  imported: boolean;
}

export function creditRows(input: TableInput): TableRow[] {
  const { rows, algorithm, quantity } = input;
  const trained = trainedRow(input);
  const own = rows.flatMap((row) => {
    const computed = algorithmRow(row, input);
    return row.name === algorithm ? [computed, trained] : [computed];
  });
  const all = own.includes(trained) ? own : [trained, ...own];
  return quantity === "advantage" ? [rewardRow(input), ...truthRow(input), ...all] : all;
}

/** The largest reward or true value of the episode: both rows are in reward units. */
function rewardSize({ episodes, episode, truths }: TableInput): number {
  const { turns, reward } = episodes[episode]!;
  const known = (truths[episode]?.turns ?? []).flatMap(({ value, advantage }) => [
    value,
    advantage,
  ]);
  return largestSize([reward, ...turns.map((turn) => turn.reward), ...known]);
}

function rewardRow(input: TableInput): TableRow {
  const { episodes, episode, columns, imported } = input;
  const { turns, reward } = episodes[episode]!;
  const values = columns.map(({ turn, token }) => {
    if (turn === null) return orNaN(reward);
    const own = orNaN(turns[turn]!.reward);
    const last = token === null || token === turns[turn]!.tokens.length - 1;
    return last || Number.isNaN(own) ? own : 0;
  });
  const size = rewardSize(input);
  const among = turns.map((turn) => orNaN(turn.reward));
  const row = plain("reward", words.rewards, [words.rewardsHint], { values, among, size });
  return imported ? fromFile(row) : row;
}

/** The row of a file: a number that is not finite was missing in it. */
function fromFile(row: TableRow): TableRow {
  const reason = isUnknown(row.values) ? words.noneInFile : row.reason;
  return { ...row, reason, missing: words.notInFile };
}

function plain(
  kind: TableRow["kind"],
  title: string,
  notes: string[],
  rest: Pick<TableRow, "values" | "among"> & Partial<TableRow>,
): TableRow {
  return { id: kind, kind, title, notes, reason: null, agreement: null, ...rest };
}

/** One row if the truth is known, else none. */
function truthRow(input: TableInput): TableRow[] {
  const { truths, episode, columns } = input;
  const truth = truths[episode];
  if (!truth) return [];
  const at = ({ turn, token }: CreditColumn) =>
    turn === null || token !== null ? null : truth.turns[turn]!;
  const known = columns.map(at);
  const values = known.map((turn) => turn?.advantage ?? null);
  const intervals = known.map((turn) => turn?.advantageInterval ?? ([NaN, NaN] as const));
  const size = rewardSize(input);
  const among = truth.turns.map(({ advantage }) => advantage);
  const other = otherPolicy(truth, input.iteration);
  const whose = other === null ? {} : { whose: ofPolicy(other) };
  return [
    plain("truth", words.truth, [words.truthHint], { values, intervals, among, size, ...whose }),
  ];
}

/** Whether there should be numbers and all are missing. */
function isUnknown(values: readonly (number | null)[]): boolean {
  const own = values.filter((value) => value !== null);
  return own.length > 0 && !own.some(Number.isFinite);
}

function trainedRow(input: TableInput): TableRow {
  const { episodes, episode, method, columns, quantity, truths, imported } = input;
  const training = trainingOf(input);
  const clips = quantity === "clip" && training.config?.ratio !== "none";
  const yesOrNo = clips && training.cuts === null;
  const values = columns.map(readTrained(training, quantity));
  const all = episodes.flatMap(({ turns }) => turns.map(({ advantage }) => advantage));
  const among = quantity === "advantage" ? all.map(orNaN) : barsOf(quantity, values);
  const advantage = (b: number, h: number) => orNaN(episodes[b]!.turns[h]!.advantage);
  const agreement = agreementWith(advantage, truths);
  const notes = [
    words.trainedHint,
    ...(yesOrNo ? [words.cutOrNot] : []),
    ...(quantity === "clip" && !clips ? [words.noRatio] : []),
  ];
  const size = largestSize(all);
  const rest = { values, among, size, agreement, ...(yesOrNo && { yesOrNo }) };
  const row = plain("trained", words.trained(method), notes, rest);
  if (isFork(episodes[episode])) return { ...row, reason: words.forkUntrained };
  return imported ? fromFile(row) : row;
}

function trainingOf(input: TableInput): TrainedUse {
  const { episodes, episode, settings, quantity } = input;
  const wanted = quantity === "clip" && !isFork(episodes[episode]) && settings;
  const cuts = wanted ? trainedCuts(wanted, askedFor(wanted, input), episode) : null;
  return { record: episodes[episode]!, config: settings, cuts };
}

/** Training's credit: that of the method's own row, if its advantages are training's. */
function askedFor(config: AlgorithmConfig, { rows, algorithm, episodes }: TableInput) {
  const own = rows.find(({ name }) => name === algorithm);
  const same = own?.ownAdvantages ? own.config : null;
  const how = { trained: true, rewardScale: own?.rewardScale ?? 1 };
  return { config: same ?? config, ...how, episodes };
}

function algorithmRow(row: Row, input: TableInput): TableRow {
  const { episodes, episode, columns, quantity, truths } = input;
  const base = { id: row.name, kind: "algorithm", title: row.title } as const;
  const failed = (reason: string): TableRow => ({
    ...base,
    notes: [],
    reason,
    values: columns.map(() => null),
    among: [],
    agreement: null,
  });
  if (!row.config) return failed(row.problem ?? "");
  const tried = creditOf(row.config, episodes, howOf(row, input.played));
  if (!tried.ok) return failed(tried.reason);
  const none = nothingToNormalise(row.config, tried.ok, input.count);
  if (none !== null && quantity !== "ratio") return failed(none);
  const reader = readerOf(row.config, tried.ok, episodes[episode]!, input);
  if (!reader.ok) return failed(reader.reason);
  const values = columns.map(reader.ok);
  // The number is the one `turnbook credit` prints; if it would exceed the reward, a note is shown
  // beside it.
  const lone = quantity !== "ratio" && isPlainReward(row.config, tried.ok.batch.task, episode);
  const canLack = input.imported || isFork(episodes[episode]);
  if (canLack && isUnknown(values)) return failed(reasons.noNumbers(row.title));
  const { methods } = input.grouping;
  const own = methods.filter((name) => name === row.name);
  const credits = Array.from(tried.ok.credit.turnAdvantage); // [T]
  const credited = { title: row.title, config: row.config, batch: tried.ok.batch, episode };
  return {
    ...base,
    ...(quantity === "advantage" && { why: whyOf({ ...credited, columns, values }) }),
    ...(lone && { methods: own.length > 0 ? own : methods }),
    notes: notesOf(row, tried.ok, input),
    reason: null,
    values,
    among: quantity === "advantage" ? credits : barsOf(quantity, values),
    size: largestSize(credits),
    agreement: agreementOf(tried.ok, comparable(row.config, tried.ok.batch.task, truths)),
  };
}

/** Truths of the episodes that the row compares with something. */
function comparable(config: AlgorithmConfig, task: readonly string[], truths: KnownTruths) {
  return truths.map((truth, b) => (truth && isPlainReward(config, task, b) ? null : truth));
}

function readerOf(
  config: AlgorithmConfig,
  row: RowCredit,
  record: EpisodeRecord,
  { episode, quantity }: TableInput,
): Tried<Reader> {
  if (quantity === "advantage") return { ok: readAdvantage(row, episode), reason: null };
  if (isFork(record)) return { ok: null, reason: words.forkNoRatio };
  const objective = objectiveOf(config, row, episode);
  if (!objective.ok) return objective;
  const read = quantity === "ratio" ? readRatio : readClip;
  return { ok: read(config, record, objective.ok), reason: null };
}

/** A ratio of 1 is the middle; a clip has no bar. */
function barsOf(quantity: Quantity, values: readonly (number | null)[]): number[] {
  return quantity === "ratio" ? values.map((ratio) => Math.log(ratio ?? NaN)) : [];
}

const LEVEL: Record<Grain, string> = { token: "token", turn: "turn", episode: "trajectory" };

function notesOf(row: Row, made: RowCredit, input: TableInput) {
  const { batch, credit } = made;
  const { episode, quantity, grain, grouping } = input;
  const config = row.config!;
  const level = quantity === "advantage" ? advantageLevel(config) : unitOf(config);
  const alone = config.grouped && isAlone(batch.task, episode);
  const lone = isPlainReward(config, batch.task, episode)
    ? loneReason(row.title, grouping)
    : words.alone;
  const over = quantity === "ratio" ? null : normalisedOver(config, made, input.count);
  return [
    ...(level === LEVEL[grain] ? [words.ownLevel] : []),
    ...(row.changed ? [words.changed] : []),
    ...(over === null ? [] : [over]),
    ...(credit.kept?.[episode] === 0 ? [words.filtered] : []),
    ...(alone ? [lone] : []),
    ...(!alone && advantageLevel(config) === "trajectory" && isEqualGroup(batch, episode)
      ? [words.equal]
      : []),
    ...(quantity !== "advantage" && config.ratio === "none" ? [words.noRatio] : []),
    ...(config.clipBias !== "none" ? [words.clipBias] : []),
    ...(config.klTarget !== null && config.betaKlReward > 0
      ? [row.klRecorded ? words.recordedKl : words.adaptiveKl]
      : []),
  ];
}

/** Whether all rollouts of the episode's task had the same reward. */
function isEqualGroup(batch: TrajectoryBatch, episode: number): boolean {
  const score = trajectoryScores(batch); // [B]
  return batch.task.every((task, b) => task !== batch.task[episode] || score[b] === score[episode]);
}
