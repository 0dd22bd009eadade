/** Where an import opens: at the episode that differs most, in the group whose rollouts scored most apart. */
import type { ForeignEpisode } from "./foreign.ts";

/** What of an episode says how much there is to see in it. */
export interface SeenEpisode {
  task: string;
  reward: number | null;
  isEval: boolean;
  turns: number;
  /** The largest minus the smallest advantage of its turns; 0 if they have none. */
  spread: number;
  /** Index of the turn with the largest advantage, in either direction. */
  turn: number;
}

/** Indices are from 0, into the iteration's episodes and the episode's turns. */
export interface TellingPlace {
  algorithm: string;
  iteration: number;
  episode: number;
  turn: number;
}

export function seenOf(algorithm: string, episode: ForeignEpisode): SeenEpisode {
  const { task, reward, split, turns } = episode;
  const credit = turns.map(({ advantage }) => advantage ?? 0);
  const sizes = credit.map(Math.abs);
  return {
    task,
    reward,
    turns: turns.length,
    isEval: split === "eval" || algorithm.includes("-validation"),
    spread: spreadOf(credit),
    turn: Math.max(0, sizes.indexOf(sizes.reduce((a, b) => Math.max(a, b), 0))),
  };
}

interface SeenIteration {
  algorithm: string;
  iteration: number;
  episodes: readonly SeenEpisode[];
}

/** Null if there is no episode. Training goes before evaluations, several turns before one, and a newer iteration among equals. */
export function tellingPlace(iterations: readonly SeenIteration[]): TellingPlace | null {
  const groups = iterations.flatMap(({ algorithm, iteration, episodes }) => {
    const byTask = new Map<string, number[]>();
    episodes.forEach(({ task }, i) => {
      const members = byTask.get(task);
      if (members) members.push(i);
      else byTask.set(task, [i]);
    });
    return [...byTask.values()].map((members) => ({ algorithm, iteration, episodes, members }));
  });
  const group = best(groups, ({ iteration, episodes, members }) => {
    const own = members.map((i) => episodes[i]!);
    const apart = spreadOf(own.flatMap(({ reward }) => reward ?? []));
    const credit = own.reduce((most, { spread }) => Math.max(most, spread), 0);
    const isLong = own.some(({ turns }) => turns > 1);
    return [Number(!own[0]!.isEval), Number(apart > 0), Number(isLong), apart, credit, iteration];
  });
  if (!group) return null;
  const { algorithm, iteration, episodes, members } = group;
  const rewards = members.flatMap((i) => episodes[i]!.reward ?? []);
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  const episode = best(members, (i) => {
    const { turns, spread, reward } = episodes[i]!;
    return [Number(turns > 1), spread, reward === null ? 0 : Math.abs(reward - mean), turns];
  })!;
  return { algorithm, iteration, episode, turn: episodes[episode]!.turn };
}

function spreadOf(numbers: readonly number[]): number {
  if (numbers.length === 0) return 0;
  const [least, most] = numbers.reduce(
    ([a, b], x) => [Math.min(a, x), Math.max(b, x)],
    [Infinity, -Infinity],
  );
  return most - least;
}

/** Differences that are rounding, as a share. */
const ROUNDING = 1e-9;

/** The first one of the highest rank, compared number by number. */
function best<T>(all: readonly T[], rankOf: (one: T) => readonly number[]): T | undefined {
  let [found, highest]: [T | undefined, readonly number[]] = [undefined, []];
  for (const one of all) {
    const rank = rankOf(one);
    const differs = rank.findIndex((x, i) => Math.abs(x - highest[i]!) > ROUNDING * Math.abs(x));
    if (found !== undefined && !(rank[differs]! > highest[differs]!)) continue;
    [found, highest] = [one, rank];
  }
  return found;
}
