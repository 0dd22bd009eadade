/**
 * Values, advantages, clips and outcomes by turn index over a run's iterations: what the h-th turns of an iteration have in common.
 * Each iteration is added up once and kept as a few sums, so that a growing log costs no more than its newest iteration.
 */
import { explainedVariance } from "../numeric/statistics.ts";
import { finite } from "../numeric/finite.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";
import { criticFor, turnValue, type Critic } from "./critics.ts";
import { recordedSource, type EveryTurn } from "./log/columnar.ts";
import type { RunLog } from "./log/runLog.ts";

/** What is shown of the h-th turns. */
export const turnQuantities = ["value", "advantage", "clip", "success", "explained"] as const;
export type TurnQuantity = (typeof turnQuantities)[number];

/** The h-th turns of one iteration of one method; a number is null where none of them has one. */
export interface TurnMeans extends Record<TurnQuantity, number | null> {
  /** How many h-th turns were recorded; 0 where only the run's own metrics are known. */
  turns: number;
  /** Explained variance over the recorded ones alone, also where the run has its own of all episodes. */
  recordedExplained: number | null;
}

/** One iteration of one method; turns by index, from 0. */
interface TurnColumn {
  iteration: number;
  turns: readonly TurnMeans[];
}

/** What a method has to show of a quantity. */
export interface TurnMap {
  algorithm: string;
  columns: readonly TurnColumn[];
  /** Whether the method has a critic of its own, as far as its turns say; null where no turn is recorded. */
  hasCritic: boolean | null;
  /** Finished iterations. */
  iterations: number;
  /** Iterations whose episodes are recorded. */
  recorded: number;
}

export interface TurnMaps {
  maps: readonly TurnMap[];
  /** Whether recorded iterations are still to be read. */
  pending: boolean;
}

/** Sums of what is recorded of an iteration. */
interface Recorded {
  turns: readonly TurnMeans[];
  hasCritic: boolean;
}

const known = new WeakMap<RunLog, Map<string, Recorded>>();

/** Metrics of the h-th turns, h from 1, which a run has for every iteration and over all of its episodes. */
const METRICS: Partial<Record<TurnQuantity, string>> = {
  clip: "actor/turn_clipfrac/",
  explained: "critic/turn_vf_explained_var/",
};

/** All methods of a log, iteration by iteration; what has been added up before is not read again. */
export function* turnMaps(log: RunLog): Sliced<TurnMaps> {
  const maps: TurnMap[] = [];
  let pending = false;
  for (const algorithm of log.algorithms) {
    // One at a time is fetched or read: the log says when it is there.
    if (!pending) pending = !(yield* readAll(log, algorithm));
    maps.push(yield* mapOf(log, algorithm));
  }
  return { maps, pending };
}

/** Adds up what is new; false where one has to be waited for. */
function* readAll(log: RunLog, algorithm: string): Sliced<boolean> {
  const found = known.get(log) ?? new Map<string, Recorded>();
  known.set(log, found);
  for (const iteration of log.iterations(algorithm)) {
    const key = `${algorithm} ${iteration}`;
    if (found.has(key) || !log.hasEpisodes(algorithm, iteration)) continue;
    const turns = recordedTurns(log, algorithm, iteration);
    if (!turns) return false;
    found.set(key, turns);
    yield;
  }
  return true;
}

/** Null while it is on its way. */
function recordedTurns(log: RunLog, algorithm: string, iteration: number): Recorded | null {
  const source = recordedSource(log);
  const every = source ? source.turns(log, algorithm, iteration) : [];
  if (!every) return null;
  if (every.length > 0) return { turns: everyTurnMeans(every), hasCritic: hasValues(every) };
  const episodes = log.peekEpisodes(algorithm, iteration);
  if (!episodes) return null;
  const critic = criticFor(log.start?.spec, algorithm, episodes);
  return { turns: turnMeans(episodes, critic), hasCritic: critic?.own === true };
}

/** One turn as far as it counts here. */
interface Counted {
  value: number | null;
  target: number | null;
  advantage: number | null;
  clipped: boolean | null;
  success: boolean | null;
}

/** The h-th turns of episodes, h from 0; `critic`: whose values count, if it is the method's own. */
export function turnMeans(
  episodes: readonly EpisodeRecord[],
  critic: Critic | null,
): readonly TurnMeans[] {
  const own = critic?.own ? critic : null;
  return meansByTurn(
    episodes.map(({ turns, success }) =>
      turns.map((turn) => ({
        value: own && turnValue(turn, own),
        target: finite(turn.return),
        advantage: finite(turn.advantage),
        clipped: turn.clipped,
        success,
      })),
    ),
  );
}

/** The same of a recording's numbers, which are of every episode. */
function everyTurnMeans(every: EveryTurn): readonly TurnMeans[] {
  return meansByTurn(
    every.map(({ turns, success }) =>
      turns.map(({ value, return: target, advantage, clipped }) => ({
        value: finite(value),
        target: finite(target),
        advantage: finite(advantage),
        clipped,
        success,
      })),
    ),
  );
}

const hasValues = (every: EveryTurn) =>
  every.some(({ turns }) => turns.some(({ value }) => finite(value) !== null));

function meansByTurn(episodes: readonly (readonly Counted[])[]): readonly TurnMeans[] {
  const longest = episodes.reduce((most, turns) => Math.max(most, turns.length), 0);
  return Array.from({ length: longest }, (_, h) =>
    meansOf(episodes.flatMap((turns) => turns[h] ?? [])),
  );
}

function meansOf(turns: readonly Counted[]): TurnMeans {
  const pairs = turns.filter(({ value, target }) => value !== null && target !== null);
  const explained = explainedVariance(
    pairs.map(({ target }) => target!),
    pairs.map(({ value }) => value!),
  );
  return {
    turns: turns.length,
    value: meanOfKnown(turns.map(({ value }) => value)),
    advantage: meanOfKnown(turns.map(({ advantage }) => advantage)),
    clip: meanOfKnown(turns.map(({ clipped }) => shareOf(clipped))),
    success: meanOfKnown(turns.map(({ success }) => shareOf(success))),
    explained: finite(explained),
    recordedExplained: finite(explained),
  };
}

const shareOf = (yes: boolean | null) => (yes === null ? null : Number(yes));

/** Over those that have a number; null without any. */
function meanOfKnown(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length === 0) return null;
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

const NOTHING: TurnMeans = {
  turns: 0,
  value: null,
  advantage: null,
  clip: null,
  success: null,
  explained: null,
  recordedExplained: null,
};

/** Recorded means, with the run's own metrics in place of theirs where it has them. */
function* mapOf(log: RunLog, algorithm: string): Sliced<TurnMap> {
  const found = known.get(log)!;
  const metrics = metricColumns(log, algorithm);
  const columns: TurnColumn[] = [];
  let [recorded, hasCritic]: [number, boolean | null] = [0, null];
  for (const iteration of log.iterations(algorithm)) {
    const own = found.get(`${algorithm} ${iteration}`);
    if (own) [recorded, hasCritic] = [recorded + 1, hasCritic === true || own.hasCritic];
    const turns = withMetrics(own?.turns ?? [], metrics, iteration);
    if (turns.length > 0) columns.push({ iteration, turns });
    if (columns.length % 64 === 0) yield;
  }
  const { length: iterations } = log.iterations(algorithm);
  return { algorithm, columns, hasCritic, iterations, recorded };
}

/** Of each metric, turn by turn, its number in each iteration. */
type MetricColumns = [TurnQuantity, ReadonlyMap<number, number | null>[]][];

function metricColumns(log: RunLog, algorithm: string): MetricColumns {
  return Object.entries(METRICS).map(([quantity, prefix]) => {
    const turns: ReadonlyMap<number, number | null>[] = [];
    for (let h = 1; ; h++) {
      const { x, y } = log.series(algorithm, `${prefix}${h}`);
      if (x.length === 0) return [quantity as TurnQuantity, turns];
      turns.push(new Map(x.map((iteration, i) => [iteration, y[i] ?? null])));
    }
  });
}

function withMetrics(
  recorded: readonly TurnMeans[],
  metrics: MetricColumns,
  iteration: number,
): TurnMeans[] {
  const all = [...recorded];
  for (const [quantity, turns] of metrics)
    turns.forEach((column, h) => {
      const value = column.get(iteration);
      if (value === undefined) return;
      while (all.length <= h) all.push(NOTHING);
      all[h] = { ...all[h]!, [quantity]: value };
    });
  return all;
}
