/** A run as another program's files record it: whatever they lack is null, never a guess. */
import type { EpisodeRecord, Metrics, TokenRecord, TurnRecord } from "../../record/runEvent.ts";
import type { ApartBy, FileSource } from "./sources.ts";

type OrNull<T, K extends keyof T> = Omit<T, K> & { [P in K]: T[P] | null };

export type ForeignToken = OrNull<
  TokenRecord,
  "oldLogprob" | "logprob" | "entropy" | "advantage" | "value"
>;

export type ForeignTurn = Omit<
  OrNull<TurnRecord, "reward" | "formatPenalty" | "advantage" | "ratio">,
  "tokens"
> & { tokens: ForeignToken[] };

export type ForeignEpisode = Omit<
  OrNull<EpisodeRecord, "seed" | "reward" | "success" | "terminated" | "truncated">,
  "turns" | "trajectory"
> & { turns: ForeignTurn[] };

/** One file that was chosen or dropped. */
export interface ForeignFile {
  /** After the folders that it was found in. */
  name: string;
  text: string;
}

/** What files say of a method's settings, in the names that they have here. */
export interface SaidSettings {
  set: Readonly<Record<string, number | null>>;
  /** Rollouts of a task; null where the files do not say. */
  groupSize: number | null;
}

/** What a format's reader hands its findings to. */
export interface Findings {
  episode(algorithm: string, iteration: number, episode: ForeignEpisode): void;
  /** What the program measured of the iteration as a whole. */
  metrics(algorithm: string, iteration: number, metrics: Metrics): void;
  /** What it measured of one episode; the iteration's mean is shown. */
  measured(algorithm: string, iteration: number, numbers: Readonly<Record<string, number>>): void;
  settings(algorithm: string, said: SaidSettings): void;
  /** Names of what the files have and nobody reads. */
  unread(names: readonly string[]): void;
  /** Something that the reader of the panels should know; said once. */
  note(text: string): void;
  /** Something that is wrong or missing in the files, in sight as long as the run is; said once. */
  warn(text: string): void;
}

/** Reads the files of one format value by value: the lines of JSON lines, the elements of a list, or one object. */
export interface FormatReader {
  /** False where the value is not of this format. */
  take(value: unknown, file: FileSource): boolean;
  /** After the last value of a file, where episodes are made of several. */
  endFile?(): void;
}

export interface Format {
  /** Whether the first value of a file looks like it. */
  fits(value: unknown): boolean;
  /** What keeps files apart that are chosen together. */
  apart: ApartBy;
  reader(findings: Findings): FormatReader;
}

/** A turn of which only the text is known. */
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
