/** What a critic expected of recorded turns, and the returns. */
import type { EpisodeRecord, TokenRecord } from "../../record/runEvent.ts";
import { recordedSource, type EveryTurn } from "../../reading/log/columnar.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { criticFor, turnValue, type Critic } from "../../reading/critics.ts";
import { payOfTurns } from "../../reading/paidTruth.ts";
import { returnsThatCame } from "../../reading/returns.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { finite } from "../../numeric/finite.ts";
import type { Sliced } from "../../numeric/sliced.ts";

export interface Pair {
  iteration: number;
  /** Place of the episode among the iteration's recorded ones. */
  episode: number;
  /** The episode's number in the iteration, and how many turns it has. */
  trajectory: number;
  turns: number;
  /** From 0. */
  turn: number;
  /** V(s_h). */
  value: number;
  /** What the critic was trained towards; null if that is not recorded. */
  target: number | null;
  /** The discounted rewards that came from the turn on. */
  came: number | null;
  /** What process rewards add to the true value; null if that is not known. */
  pay: number | null;
  /** Whether the episode was truncated: later rewards are missing in `came`. */
  cutOff: boolean;
}

export interface Valued {
  /** Null if no critic has valued a turn. */
  critic: Critic | null;
  /** Iterations that the pairs are from, ascending. */
  iterations: number[];
  pairs: Pair[];
  /** Turns of the iterations that have no finite value. */
  without: number;
}

/** The pairs of one iteration, which never change. */
interface KnownPairs {
  pairs: Pair[];
  turns: number;
}

/** Limit of turns that are pooled, in whole iterations, the newest first. */
export const MOST_PAIRS = 2000;
/** Limit of remembered iterations of a run. */
const REMEMBERED = 64;

const known = new WeakMap<RunLog, Map<string, KnownPairs>>();

/** Turns of the last `span` iterations up to the cursor's whose episodes are recorded. */
export function* valued(log: RunLog, at: ResolvedChoice, span: number): Sliced<Valued> {
  const { algorithm, episodes } = at;
  const critic = criticFor(log.start?.spec, algorithm, episodes);
  if (!critic) return { critic, iterations: [], pairs: [], without: 0 };
  const iterations: number[] = [];
  const found: KnownPairs[] = [];
  for (const iteration of wanted(at, span)) {
    const one = read(log, algorithm, iteration, critic);
    yield;
    if (!one) continue;
    iterations.unshift(iteration);
    found.unshift(one);
    if (sum(found, ({ turns }) => turns) >= MOST_PAIRS) break;
  }
  const pairs = found.flatMap((one) => one.pairs);
  return { critic, iterations, pairs, without: sum(found, ({ turns }) => turns) - pairs.length };
}

/** The newest first. */
function wanted({ iterations, iteration }: ResolvedChoice, span: number): number[] {
  return iterations
    .filter((n) => n <= iteration)
    .slice(-span)
    .reverse();
}

/**
 * Episodes of which a recording keeps only numbers, without text and tokens; they have none of
 * another critic, or of V elsewhere than before the turn. Null while they are fetched.
 */
function restOf(
  log: RunLog,
  algorithm: string,
  iteration: number,
  { own, valueAt }: Critic,
): EveryTurn | null {
  const isFirst = valueAt !== "turn-end" && valueAt !== "turn-mean";
  const source = own && isFirst ? recordedSource(log) : null;
  return source ? source.turns(log, algorithm, iteration) : [];
}

/** Null while its episodes are read; the log reports when they have arrived. */
function read(
  log: RunLog,
  algorithm: string,
  iteration: number,
  critic: Critic,
): KnownPairs | null {
  const rest = restOf(log, algorithm, iteration, critic);
  const key = [algorithm, iteration, critic.name, critic.own, rest !== null].join("|");
  const kept = known.get(log) ?? new Map<string, KnownPairs>();
  known.set(log, kept);
  const before = kept.get(key);
  if (before) return before;
  const recorded = log.peekEpisodes(algorithm, iteration);
  if (!recorded) return null;
  const episodes = [...recorded, ...unseen(recorded, rest ?? [])];
  const pairs = episodes.flatMap((episode, place) =>
    pairsOf(episode, critic, { iteration, place, spec: log.start?.spec }),
  );
  const one = { pairs, turns: sum(episodes, ({ turns }) => turns.length) };
  kept.set(key, one);
  if (kept.size > REMEMBERED) kept.delete(kept.keys().next().value!);
  return one;
}

/** The iteration's episodes that are not among the recorded ones, with only their numbers. */
function unseen(recorded: readonly EpisodeRecord[], rest: EveryTurn): EpisodeRecord[] {
  const known = new Set(recorded.map(({ trajectory }) => trajectory));
  return rest
    .filter(({ trajectory }) => !known.has(trajectory))
    .map(({ turns, ...episode }) => ({
      ...episode,
      seed: NaN,
      finalObservation: "",
      reward: sum(turns, ({ reward }) => reward),
      turns: turns.map(({ length, ...numbers }) => ({
        observation: "",
        text: "",
        actions: null,
        formatPenalty: 0,
        ...numbers,
        tokens: Array.from({ length }, () => NO_TOKEN),
      })),
    }));
}

const NO_TOKEN: TokenRecord = {
  id: 0,
  text: "",
  oldLogprob: NaN,
  logprob: NaN,
  entropy: NaN,
  advantage: NaN,
  value: null,
};

function sum<T>(all: readonly T[], size: (one: T) => number): number {
  return all.reduce((total, one) => total + size(one), 0);
}

interface PairPlace {
  iteration: number;
  place: number;
  spec: ExperimentSpec | undefined;
}

function pairsOf(
  episode: EpisodeRecord,
  critic: Critic,
  { iteration, place, spec }: PairPlace,
): Pair[] {
  const came = returnsThatCame(episode, critic);
  const pay = payOfTurns(episode, critic, spec);
  const { trajectory, turns, truncated } = episode;
  return turns.flatMap((turn, h) => {
    const value = turnValue(turn, critic);
    if (value === null) return [];
    // Another critic's targets are not recorded.
    const target = critic.own ? finite(turn.return) : null;
    return [
      {
        iteration,
        episode: place,
        trajectory,
        turns: turns.length,
        turn: h,
        value,
        target,
        came: finite(came[h]),
        pay: pay && pay[h]!,
        cutOff: truncated === true,
      },
    ];
  });
}
