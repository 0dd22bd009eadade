/**
 * The true values of turns, where an oracle has estimated them by playing on from copies of their
 * states. Stored outside the log, because no run needs them: empty until requested, and discarded
 * with the run.
 */
import type { Discount } from "../method/credit/discount.ts";
import { criticFor, isOtherDiscount } from "./critics.ts";
import type { RunLog } from "./log/runLog.ts";

/** Lower and upper end of a 95 % interval. */
export type Bounds = readonly [low: number, high: number];

/** Under the policy that played the branches (`found`); rewards are unscaled. */
export interface TurnTruth {
  /** V(s_h). */
  value: number;
  valueInterval: Bounds;
  /** Q(s_h, a_h) - V(s_h). */
  advantage: number;
  advantageInterval: Bounds;
  /** Shares of continuations that succeed, before and after the turn; absent if unknown. */
  solved?: readonly [before: number, after: number];
}

/** Of one recorded episode, turn by turn. */
export interface EpisodeTruth {
  turns: readonly TurnTruth[];
  /** How it was estimated; absent if unknown. */
  found?: Discount & {
    /** Iterations of training behind the policy that played the branches; iteration - 1: it also played the episode. */
    trained: number;
    /** Continuations from each state. */
    branches: number;
  };
}

/**
 * Iterations of training behind the policy that played the branches, if it is another policy than
 * that of the episode's iteration; null if it is the same, or unknown.
 */
export function otherPolicy(truth: EpisodeTruth | null, iteration: number): number | null {
  const trained = truth?.found?.trained;
  return trained === undefined || trained === iteration - 1 ? null : trained;
}

/** By `truthKey`. */
export type Truths = Readonly<Record<string, EpisodeTruth>>;

/** Key of an episode's truth: its algorithm, iteration and index in the iteration; for a fork also which (`forkKey`). */
export function truthKey(
  algorithm: string,
  iteration: number,
  trajectory: number,
  fork?: string,
): string {
  const place = [algorithm, iteration, trajectory];
  return (fork === undefined ? place : [...place, "fork", fork]).join("|");
}

/** All known truths of a method's iteration. */
export function truthsOfIteration(
  truths: Truths,
  algorithm: string,
  iteration: number,
): EpisodeTruth[] {
  const start = truthKey(algorithm, iteration, 0).slice(0, -1);
  return Object.keys(truths).flatMap((key) => (key.startsWith(start) ? [truths[key]!] : []));
}

/** The key of a truth, and the number of turns of its episode. */
interface TruthPlace {
  algorithm: string;
  iteration: number;
  trajectory: number;
  turns: number;
  /** For a fork: its `forkKey`. */
  fork?: string | undefined;
}

/** The known truth, or null. A truth with another number of turns belongs to another episode. */
export function truthAt(truths: Truths, place: TruthPlace): EpisodeTruth | null {
  const { algorithm, iteration, trajectory, turns, fork } = place;
  const truth = truths[truthKey(algorithm, iteration, trajectory, fork)];
  return truth?.turns.length === turns ? truth : null;
}

interface IterationPlace {
  /** The method currently shown: it is not offered. */
  algorithm: string;
  iteration: number;
}

/** Name of a method with known truth; prefers `first`, the critic that V is from. Null if there is none. */
export function methodWithTruth(
  log: RunLog,
  { algorithm, iteration }: IterationPlace,
  truths: Truths,
  first: string,
): string | null {
  const names = [first, ...log.algorithms].filter((name) => name !== algorithm);
  return names.find((name) => hasFittingTruth(log, name, iteration, truths)) ?? null;
}

function hasFittingTruth(log: RunLog, name: string, iteration: number, truths: Truths): boolean {
  const critic = criticFor(log.start?.spec, name, log.peekEpisodes(name, iteration) ?? []);
  if (!critic?.own) return false;
  return truthsOfIteration(truths, name, iteration).some(
    ({ found }) => !isOtherDiscount(critic, found),
  );
}
