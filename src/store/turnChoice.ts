/** Which turn the turn panel shows. null means "the first there is", so that a choice is never out of date. */
import type { EpisodeRecord } from "../record/runEvent.ts";
import type { RunLog } from "./runLog.ts";

export interface TurnChoice {
  algorithm: string | null;
  /** Null follows the newest iteration. */
  iteration: number | null;
  episode: number;
  turn: number;
}

/** The newest iteration of the preferred algorithm. */
export const LATEST: TurnChoice = { algorithm: null, iteration: null, episode: 0, turn: 0 };

/** A choice made good: everything in range of what the run has. */
export interface ResolvedChoice {
  algorithm: string;
  /** Iterations that can be shown. */
  iterations: number[];
  /** 0 when there is none. */
  iteration: number;
  follow: boolean;
  episodes: readonly EpisodeRecord[];
  episode: number;
  turn: number;
}

/** Turn-PPO first when there is one: turns are what it is about. */
const PREFERRED = "turn-ppo";

export function resolveChoice(log: RunLog, choice: TurnChoice): ResolvedChoice {
  const algorithms = log.algorithms;
  const preferred = algorithms.includes(PREFERRED) ? PREFERRED : (algorithms[0] ?? "");
  const algorithm = algorithms.includes(choice.algorithm ?? "") ? choice.algorithm! : preferred;
  const iterations = log.iterationsWithEpisodes(algorithm);
  const newest = iterations.at(-1) ?? 0;
  const wanted = choice.iteration ?? newest;
  const iteration = iterations.includes(wanted) ? wanted : newest;
  const episodes = log.episodes(algorithm, iteration);
  const episode = clamp(choice.episode, episodes.length);
  const turn = clamp(choice.turn, episodes[episode]?.turns.length ?? 0);
  const follow = choice.iteration === null;
  return { algorithm, iterations, iteration, follow, episodes, episode, turn };
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

export function chooseAlgorithm(choice: TurnChoice, algorithm: string): TurnChoice {
  return { ...choice, algorithm };
}

/** The next algorithm, round and round. */
export function cycleAlgorithm(log: RunLog, choice: TurnChoice): TurnChoice {
  const { algorithm } = resolveChoice(log, choice);
  const names = log.algorithms;
  const next = names[(names.indexOf(algorithm) + 1) % Math.max(names.length, 1)];
  return { ...choice, algorithm: next ?? null };
}

export function chooseIteration(choice: TurnChoice, iteration: number): TurnChoice {
  return { ...choice, iteration };
}

export function moveIteration(log: RunLog, choice: TurnChoice, by: number): TurnChoice {
  const { iterations, iteration } = resolveChoice(log, choice);
  const next = iterations[clamp(iterations.indexOf(iteration) + by, iterations.length)];
  return next === undefined ? choice : { ...choice, iteration: next };
}

/** Follows the newest iteration, or stays where it is now. */
export function setFollow(log: RunLog, choice: TurnChoice, follow: boolean): TurnChoice {
  return { ...choice, iteration: follow ? null : resolveChoice(log, choice).iteration };
}

export function moveEpisode(log: RunLog, choice: TurnChoice, by: number): TurnChoice {
  const { episodes, episode } = resolveChoice(log, choice);
  return { ...choice, episode: clamp(episode + by, episodes.length), turn: 0 };
}

export function moveTurn(log: RunLog, choice: TurnChoice, by: number): TurnChoice {
  const { episodes, episode, turn } = resolveChoice(log, choice);
  return { ...choice, episode, turn: clamp(turn + by, episodes[episode]?.turns.length ?? 0) };
}
