/** A run as recorded by another program's files: missing values are null, never a guess. */
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

/** A file that was selected or dropped. */
export interface ForeignFile {
  /** Path: the name after its folders. */
  name: string;
  text: string;
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
  settings(algorithm: string, said: SaidSettings): void;
  /** Names of fields in the files that are not used. */
  unread(names: readonly string[]): void;
  /** Information for readers of the panels; shown once. */
  note(text: string): void;
  /** Something wrong or missing in the files, shown as long as the run is; reported once. */
  warn(text: string): void;
}

/** Reads the files of one format value by value: the lines of JSON lines, the elements of a list, or one object. */
export interface FormatReader {
  /** False if the value is not of this format. */
  take(value: unknown, file: FileSource): boolean;
  /** Called after the last value of a file, if episodes span several values. */
  endFile?(): void;
}

export interface Format {
  /** Whether the first value of a file looks like this format. */
  fits(value: unknown): boolean;
  /** How files that are selected together are separated into runs. */
  apart: ApartBy;
  reader(findings: Findings): FormatReader;
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
