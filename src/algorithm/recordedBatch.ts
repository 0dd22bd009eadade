/**
 * Recorded episodes as a batch, so that any algorithm can be applied to them without training.
 * Rewards and values are unscaled, as recorded.
 */
import { joinNames } from "../method/credit/groups.ts";
import { offsets } from "../numeric/segments.ts";
import type { EpisodeRecord, TurnRecord } from "../record/runEvent.ts";
import type { TrajectoryBatch } from "../method/trajectoryBatch.ts";
import { isAlgorithmName, resolveAlgorithm, type AlgorithmConfig } from "../spec/algorithms.ts";

/**
 * The rows whose critics are used for another row: its own first, then any that values the same.
 * Rows with the same critic columns have the same batch.
 */
interface CriticColumns {
  /**
   * Algorithm whose values are used; null: no critic of the run values turns or tokens in this way.
   */
  turn: string | null;
  token: string | null;
  /** Which of the two gave the value after a truncated episode; null if training used none. */
  end: string | null;
}

/**
 * Columns from the recording. Values are those of the algorithm's own critic if the run has one,
 * else of a critic of the same kind; without one the column is absent, and whatever needs it is
 * refused. The same holds for the value after the last turn of a truncated episode; if that is not
 * recorded, it is 0. Observations name the states. Reference log-probs, gains and greedy scores are
 * present if the run had them.
 */
export function recordedBatch(
  config: AlgorithmConfig,
  episodes: readonly EpisodeRecord[],
): TrajectoryBatch {
  const turns = episodes.flatMap((episode) => episode.turns);
  const tokens = turns.flatMap((turn) => turn.tokens);
  const columns = criticColumns(config, episodes);
  const { turn: ofTurns } = columns;
  const turnValue =
    ofTurns === null ? null : recordedNumbers(turns, (turn) => valueOf(turn, ofTurns));
  const tokenValue = columns.token === null ? null : tokenValues(turns, columns.token);
  return {
    task: episodes.map(({ task }) => task), // [B]
    terminated: episodes.map(({ terminated }) => terminated), // [B]
    bootstrapValue: Float64Array.from(episodes, (one) => endValue(one, columns.end)), // [B]
    ...column("success", episodes, ({ success }) => (success === null ? null : Number(success))), // [B]
    ...column("greedyScore", episodes, ({ greedyScore }) => greedyScore), // [B]
    turnStart: offsets(episodes.map((episode) => episode.turns.length)), // [B+1]
    tokenStart: offsets(turns.map((turn) => turn.tokens.length)), // [K+1]
    turnReward: recordedNumbers(turns, paid), // [K]
    anchor: turns.map(({ observation }) => observation), // [K]
    // Actions that an imported file lacks are not guessed.
    ...(turns.every(({ actions }) => actions !== null) && {
      action: turns.map(({ actions }) => joinNames(...actions!)), // [K]
    }),
    ...(episodes.every(({ finalObservation }) => finalObservation) && {
      finalAnchor: episodes.map(({ finalObservation }) => finalObservation), // [B]
    }),
    ...(turnValue && { turnValue }), // [K]
    ...(tokenValue && { tokenValue }), // [N]
    ...column("turnGain", turns, ({ gain }) => gain), // [K]
    ...column("turnFormat", turns, ({ formatPenalty }) => formatPenalty), // [K]
    ...column("turnProcess", turns, ({ processReward }) => processReward), // [K]
    ...column("refLogprob", tokens, ({ refLogprob }) => refLogprob), // [N]
    ...column("rolloutLogprob", tokens, ({ rolloutLogprob }) => rolloutLogprob), // [N]
    ...column("sumPiSquared", tokens, ({ sumPiSquared }) => sumPiSquared), // [N]
    oldLogprob: recordedNumbers(tokens, ({ oldLogprob }) => oldLogprob), // [N]
    logprob: recordedNumbers(tokens, ({ logprob }) => logprob), // [N]
  };
}

/** The reward of a turn in training: its own, plus process rewards. */
export function paid({ reward, processReward }: TurnRecord): number {
  return reward + (processReward ?? 0);
}

/** Float64Array.from, which is many times slower, for thousands of units. [n] */
function recordedNumbers<Unit>(
  units: readonly Unit[],
  numberOf: (unit: Unit) => number,
): Float64Array {
  const numbers = new Float64Array(units.length); // [n]
  for (let i = 0; i < units.length; i++) numbers[i] = numberOf(units[i]!);
  return numbers;
}

type OptionalColumn =
  | ("success" | "greedyScore" | "turnGain" | "turnFormat" | "turnProcess")
  | ("refLogprob" | "rolloutLogprob" | "sumPiSquared");

/** A column that units may lack entirely; NaN if a single one lacks its number. [n] */
function column<Unit>(
  name: OptionalColumn,
  units: readonly Unit[],
  numberOf: (unit: Unit) => number | null | undefined,
): Pick<TrajectoryBatch, typeof name> {
  const numbers = recordedNumbers(units, (unit) => numberOf(unit) ?? NaN); // [n]
  return numbers.every(Number.isNaN) ? {} : { [name]: numbers };
}

/** Which critics of the run have turn values and token values. */
export function criticColumns(
  config: AlgorithmConfig,
  episodes: readonly EpisodeRecord[],
): CriticColumns {
  const valued = episodes.find(({ turns }) => turns.length > 0)?.turns[0];
  const named = Object.keys(valued?.critics ?? {});
  const ofKind = (kind: "turn" | "token") => {
    const own = named.find((name) => name === config.name && criticOfRow(name) === kind);
    return own ?? named.find((name) => criticOfRow(name) === kind) ?? null;
  };
  const [turn, token] = [ofKind("turn"), ofKind("token")];
  const hasEnds = episodes.some(({ finalValues }) => finalValues !== undefined);
  const end = { turn, token, none: null }[config.critic];
  return { turn, token, end: hasEnds ? end : null };
}

/** The critic's value of the state after the last turn; 0 if training used none there. */
function endValue({ finalValues }: EpisodeRecord, voice: string | null): number {
  return voice === null || !finalValues ? 0 : (finalValues[voice] ?? NaN);
}

function criticOfRow(name: string): AlgorithmConfig["critic"] {
  return isAlgorithmName(name) ? resolveAlgorithm(name).critic : "none";
}

function valueOf(turn: TurnRecord, critic: string): number {
  return turn.critics?.[critic]?.[0] ?? NaN;
}

/** [N] */
function tokenValues(turns: readonly TurnRecord[], critic: string): Float64Array {
  const values = turns.flatMap((turn) =>
    turn.tokens.map((_, t) => turn.critics?.[critic]?.[t] ?? NaN),
  );
  return new Float64Array(values);
}
