/** A run as recorded by another program's files: missing values are null, never a guess. */
import type { EpisodeRecord, Metrics, TokenRecord, TurnRecord } from "../../record/runEvent.ts";
import { placedValues, type PlacedItem } from "./items.ts";
import type { ApartBy, FileSource } from "./sources.ts";

type OrNull<T, K extends keyof T> = Omit<T, K> & { [P in K]: T[P] | null };

/** Episodes, where a run shows some of many. */
export interface ShownPart {
  kept: number;
  all: number;
}

export type ForeignToken = OrNull<
  TokenRecord,
  "oldLogprob" | "logprob" | "entropy" | "advantage" | "value"
> & { return?: number | null };

export type ForeignTurn = Omit<
  OrNull<TurnRecord, "reward" | "formatPenalty" | "advantage" | "ratio">,
  "tokens"
> & { tokens: ForeignToken[] };

export type ForeignEpisode = Omit<
  OrNull<EpisodeRecord, "seed" | "reward" | "success" | "terminated" | "truncated">,
  "turns" | "trajectory"
> & {
  turns: ForeignTurn[];
  /** Its name in the files. */
  id?: string;
  /** Whether it is an evaluation; absent: it was trained on. */
  split?: "eval";
  /** Parts of the reward, by name. */
  rewards?: Readonly<Record<string, number | null>>;
  /** Versions of the policy that sampled its first and last token. */
  policy?: readonly [number, number];
};

/**
 * Marks an episode whose reward is not the sum of its turns': a trainer may maximise an outcome, and
 * log turns beside it.
 */
export function withApart<T extends Pick<ForeignEpisode, "reward" | "penalty" | "turns">>(
  episode: T,
): T & { apart?: true } {
  const { reward, penalty = 0, turns } = episode;
  const rewards = turns.map((turn) => turn.reward);
  if (reward === null || rewards.includes(null)) return episode;
  const sum = rewards.reduce<number>((all, one) => all + one!, penalty);
  const isApart = Math.abs(reward - sum) > 1e-6 * Math.max(1, Math.abs(reward));
  return isApart ? { ...episode, apart: true } : episode;
}

/** A file's values, read anew each time. */
export interface ItemFile {
  /** Path: the name after its folders. */
  name: string;
  items: () => Iterable<PlacedItem>;
}

/** A file that was selected or dropped. */
export type ForeignFile = ItemFile | { name: string; text: string };

/** @throws RefusedError where it is damaged */
export function itemsOfFile(file: ForeignFile): Iterable<PlacedItem> {
  return "items" in file ? file.items() : placedValues([new TextEncoder().encode(file.text)]);
}

/** A method's settings in the files, under the names used here. */
export interface SaidSettings {
  set: Readonly<Record<string, number | null>>;
  /** Rollouts of a task; null if the files do not have it. */
  groupSize: number | null;
}

/** What a format's reader passes its results to. */
export interface Findings {
  episode(algorithm: string, iteration: number, episode: ForeignEpisode): void;
  /** Metrics of the iteration as a whole. */
  metrics(algorithm: string, iteration: number, metrics: Metrics): void;
  /** Metrics of one episode; the iteration's mean is shown. */
  measured(algorithm: string, iteration: number, numbers: Readonly<Record<string, number>>): void;
  /** lacks: names of those that the method needs and the files do not say; then they are not its settings yet. */
  settings(algorithm: string, said: SaidSettings, lacks?: readonly string[]): void;
  /** Names of fields in the files that are not used. */
  unread(names: readonly string[]): void;
  /** Information for readers of the panels; shown once. */
  note(text: string): void;
  /** A note of what the files do not say and was assumed; shown once. */
  assume(text: string): void;
  /** Names of the runs so far, as they were passed. */
  readonly runs: readonly string[];
  /** Something wrong or missing in the files, shown as long as the run is; reported once. */
  warn(text: string): void;
}

const WARNED = new WeakMap<Findings, Set<string>>();

/** Warns of the first of many alike. @param what they are alike in */
export function warnOnce(findings: Findings, what: string, text: string): void {
  const known = WARNED.get(findings) ?? new Set();
  WARNED.set(findings, known);
  if (!known.has(what)) findings.warn(text);
  known.add(what);
}

/** Reads the files of one format value by value: the lines of JSON lines, the elements of a list, or one object. */
export interface FormatReader {
  /** False if the value is not of this format, or why not. */
  take(value: unknown, file: FileSource): boolean | string;
  /** Called after the last value of a file, if episodes span several values. */
  endFile?(): void;
  /** Called after the last file of a step, if episodes span several files. */
  endStep?(): void;
}

export interface Format {
  /** Whether the first value of a file looks like this format. */
  fits(value: unknown): boolean;
  /** How files that are selected together are separated into runs. */
  apart: ApartBy;
  /** @param names of all files that it will read */
  reader(findings: Findings, names: readonly string[]): FormatReader;
  /** Whether files of a step belong together, so that they are read by step. */
  joins?: true;
  /** Whether later values of the file need this one, which is no episode. */
  context?(value: unknown): boolean;
  /** Whether a file of this format repeats what others among the names have; it is left out. */
  repeats?(name: string, names: readonly string[]): boolean;
}

/** A turn with its text only. */
export function bareTurn(observation: string, text: string): ForeignTurn {
  return {
    observation,
    text,
    actions: null,
    reward: null,
    formatPenalty: null,
    value: null,
    advantage: null,
    return: null,
    ratio: null,
    clipped: null,
    tokens: [],
  };
}

/** An episode of which only task, reward and turns are known; `more` says the rest. */
export function bareEpisode(
  task: string,
  reward: number | null,
  turns: readonly ForeignTurn[],
  more: Partial<ForeignEpisode> = {},
): ForeignEpisode {
  return {
    task,
    seed: null,
    reward,
    success: null,
    terminated: null,
    truncated: null,
    finalObservation: "",
    // The reward of an episode of one turn is that turn's; with more turns, files that do not say
    // which leave it open.
    turns:
      turns.length === 1 && turns[0]!.reward === null ? [{ ...turns[0]!, reward }] : [...turns],
    ...more,
  };
}

/** The turns with these rewards, one each; a shorter list leaves the rest unknown. */
export function paidTurns(
  turns: readonly ForeignTurn[],
  rewards: readonly (number | null)[],
): ForeignTurn[] {
  return turns.map((turn, h) => ({ ...turn, reward: rewards[h] ?? null }));
}

/** The whole reward at the last turn, where those of turns are unknown; null: they are not, or it is. */
export function paidAtEnd(episode: ForeignEpisode): ForeignEpisode | null {
  const { reward, turns } = episode;
  if (reward === null || turns.every((turn) => turn.reward !== null)) return null;
  return {
    ...episode,
    turns: paidTurns(
      turns,
      turns.map((_, h) => (h < turns.length - 1 ? 0 : reward)),
    ),
  };
}
