/**
 * What turns were really worth, where an oracle has found it out by playing on from copies of their states. Kept
 * beside the log, because no run needs it: empty until somebody asks, and gone with the run.
 */
import type { Discount } from "../credit/discount.ts";
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
}

/** Of one recorded episode, turn by turn. */
export interface EpisodeTruth {
  turns: readonly TurnTruth[];
  /** How it was found; absent where that is not known. */
  found?: Discount & {
    /** Iterations that the policy was trained for which played the branches; iteration - 1: it played the episode too. */
    trained: number;
    /** Continuations from each state. */
    branches: number;
  };
}

/**
 * Whose a truth is, as iterations that the policy was trained for, where another policy than that of the episode's iteration
 * played the branches; null where the same did, or nobody knows.
 */
export function otherPolicy(truth: EpisodeTruth | null, iteration: number): number | null {
  const trained = truth?.found?.trained;
  return trained === undefined || trained === iteration - 1 ? null : trained;
}

/** By `truthKey`. */
export type Truths = Readonly<Record<string, EpisodeTruth>>;

/** Where an episode's truth is kept: its algorithm, iteration and number in the iteration; of a fork's too which (`forkKey`). */
export function truthKey(
  algorithm: string,
  iteration: number,
  trajectory: number,
  fork?: string,
): string {
  const place = [algorithm, iteration, trajectory];
  return (fork === undefined ? place : [...place, "fork", fork]).join("|");
}

/** All that is known of a method's iteration. */
export function truthsOfIteration(
  truths: Truths,
  algorithm: string,
  iteration: number,
): EpisodeTruth[] {
  const start = truthKey(algorithm, iteration, 0).slice(0, -1);
  return Object.keys(truths).flatMap((key) => (key.startsWith(start) ? [truths[key]!] : []));
}

/** Where a truth would be kept, and how many turns the episode there has. */
interface TruthPlace {
  algorithm: string;
  iteration: number;
  trajectory: number;
  turns: number;
  /** Of a fork's: its `forkKey`. */
  fork?: string | undefined;
}

/** What is known; null where nothing is. A truth with another number of turns is about another episode. */
export function truthAt(truths: Truths, place: TruthPlace): EpisodeTruth | null {
  const { algorithm, iteration, trajectory, turns, fork } = place;
  const truth = truths[truthKey(algorithm, iteration, trajectory, fork)];
  return truth?.turns.length === turns ? truth : null;
}

interface IterationPlace {
  /** The method that is looked at: it is not offered. */
  algorithm: string;
  iteration: number;
}

/** Name of the method; `first`, the critic that V is from, where that is one. Null where there is none. */
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
