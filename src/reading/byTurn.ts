/**
 * Values, advantages, clips and outcomes by turn index over a run's iterations: averages over the
 * h-th turns of an iteration. Each iteration is summed once and stored as a few sums, so that a
 * growing log costs only its newest iteration.
 */
import { explainedVariance } from "../numeric/statistics.ts";
import { finite } from "../numeric/finite.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { EpisodeRecord } from "../record/runEvent.ts";
import { criticFor, turnValue, type Critic } from "./critics.ts";
import { recordedSource, type EveryTurn } from "./log/columnar.ts";
import type { RunLog } from "./log/runLog.ts";

/** The quantities shown for the h-th turns. */
export const turnQuantities = ["value", "advantage", "clip", "success", "explained"] as const;
export type TurnQuantity = (typeof turnQuantities)[number];

/** The h-th turns of one iteration of one method; a number is null if no turn has it. */
export interface TurnMeans extends Record<TurnQuantity, number | null> {
  /** Number of h-th turns recorded; 0 if only the run's own metrics are known. */
  turns: number;
  /** Explained variance over the recorded turns alone, even if the run has its own over all episodes. */
  recordedExplained: number | null;
}

/** One iteration of one method; turns by index, from 0. */
interface TurnColumn {
  iteration: number;
  turns: readonly TurnMeans[];
}

/** A quantity of a method, by turn and iteration. */
export interface TurnMap {
  algorithm: string;
  columns: readonly TurnColumn[];
  /** Whether the method has its own critic, according to its turns; null if no turn is recorded. */
  hasCritic: boolean | null;
  /** Finished iterations. */
  iterations: number;
  /** Iterations whose episodes are recorded. */
  recorded: number;
}

export interface TurnMaps {
  maps: readonly TurnMap[];
  /** Whether some recorded iterations have not been read yet. */
  pending: boolean;
}

/** Sums over the recorded episodes of an iteration. */
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

/** All methods of a log, iteration by iteration; iterations already summed are not read again. */
export function* turnMaps(log: RunLog): Sliced<TurnMaps> {
  const maps: TurnMap[] = [];
  let pending = false;
  for (const algorithm of log.algorithms) {
    // One at a time is fetched or read: the log reports when it has arrived.
    if (!pending) pending = !(yield* readAll(log, algorithm));
    maps.push(yield* mapOf(log, algorithm));
  }
  return { maps, pending };
}

/** Adds up what is new; false while waiting for an iteration. */
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

/** Null while it is loading. */
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

/** The fields of a turn used here. */
interface Counted {
  value: number | null;
  target: number | null;
  advantage: number | null;
  clipped: boolean | null;
  success: boolean | null;
}

/**
 * The h-th turns of episodes, h from 0; `critic`: the critic whose values count, if it is the
 * method's own.
 */
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

/** The same for a recording's numbers, which cover every episode. */
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

/** Mean over known numbers; null without any. */
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

/** Recorded means, replaced by the run's own metrics if it has them. */
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

/** Each metric's values by turn and iteration. */
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
