/**
 * A columnar recording as a log: its curves at once, the episodes of an iteration when a panel
 * needs them. It also gives access to data that logs lack: true values, weights, and whether its
 * files are intact.
 */
import type { TurnsPart } from "../../interchange/columnar/content.ts";
import { encodeManifest, MANIFEST } from "../../interchange/columnar/manifest.ts";
import { ColumnarRecording, type FetchPart } from "../../interchange/columnar/open.ts";
import type { WeightMap } from "../../engine/engine.ts";
import { validateSpec, type ExperimentSpec } from "../../spec/experiment.ts";
import { InputError } from "../../numeric/inputError.ts";
import { append } from "../../numeric/lists.ts";
import { z } from "../../spec/zod.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { readDetails } from "./episodeSchema.ts";
import type { IterationDetails } from "./iterationDetails.ts";
import { readEvent } from "./recordingSchema.ts";
import { RunLog } from "./runLog.ts";
import { slices } from "./slices.ts";
import { truthKey, type EpisodeTruth, type Truths } from "../truths.ts";

/** How many files of a recording have been checked. */
export interface FileCheck {
  /** Files found intact so far, and in total. */
  read: number;
  files: number;
  /** The full run's. */
  fingerprint: string;
  /** The first that is damaged or failed to load, in a sentence; null while there is none. */
  fault: string | null;
}

export class RecordedSource {
  readonly recording: ColumnarRecording;
  /** Called when more is known: another file has been read, or one has failed. */
  onChange: () => void = () => {};
  #truths: Record<string, EpisodeTruth> = {};
  #fault: string | null = null;
  #turns = new Map<number, TurnsPart["methods"]>();
  #fetching = new Set<number>();
  #spec: ExperimentSpec | null = null;

  constructor(recording: ColumnarRecording) {
    this.recording = recording;
  }

  /** For the iterations that have been viewed. */
  get truths(): Truths {
    return this.#truths;
  }

  get check(): FileCheck {
    const { fingerprint } = this.recording.manifest;
    return { ...this.recording.checked, fingerprint, fault: this.#fault };
  }

  get command(): string {
    return this.recording.manifest.command.slice(0, 500);
  }

  /** The spec for the run's models; null if the recording's settings cannot be used here. */
  get spec(): ExperimentSpec | null {
    return this.#spec;
  }

  /** Iterations of training behind the available weights, ascending; 0 is the start, unless it was cloned first. */
  get checkpoints(): number[] {
    const kept = this.recording.manifest.checkpoints.map(({ trained }) => trained);
    return this.#spec?.model.warmStart === "clone" ? kept : [0, ...kept];
  }

  /** Whether models can be restored from it: a log alone has none. */
  get canAnswer(): boolean {
    return this.#spec !== null && this.recording.manifest.checkpoints.length > 0;
  }

  weights(trained: number): Promise<WeightMap> {
    return this.#noting(this.recording.weights(trained));
  }

  /**
   * The turns of every episode that a method played in an iteration, as far as they are loaded;
   * otherwise they are fetched, and the log reports their arrival. Null: not loaded. Iterations
   * that are not stored have none.
   */
  turns(log: RunLog, algorithm: string, iteration: number): EveryTurn | null {
    const { iterations } = this.recording.manifest;
    if (!iterations.some((one) => one.iteration === iteration)) return [];
    const known = this.#turns.get(iteration);
    if (known) return known[algorithm] ?? [];
    if (!this.#fetching.has(iteration)) void this.#fetchTurns(log, iteration);
    return null;
  }

  async #fetchTurns(log: RunLog, iteration: number): Promise<void> {
    this.#fetching.add(iteration);
    const methods = await this.#noting(this.recording.turns(iteration)).catch(() => ({}));
    this.#turns.set(iteration, everyTurn.safeParse(methods).data ?? {});
    log.noteRead();
  }

  /** Every file by name, as it was written. @throws Error if one is damaged or fails to load. */
  async files(): Promise<Map<string, Uint8Array>> {
    const { manifest } = this.recording;
    const text = new TextEncoder().encode(encodeManifest(manifest));
    const parts = manifest.parts.map(
      async ({ name }) => [name, await this.#noting(this.recording.file(name))] as const,
    );
    return new Map([[MANIFEST, text], ...(await Promise.all(parts))]);
  }

  /** Files that are not loaded yet: with them, the panels no longer depend on the connection. */
  get rest(): (() => Promise<unknown>)[] {
    const { parts } = this.recording.manifest;
    return parts.map(
      ({ name }) =>
        () =>
          this.#noting(this.recording.file(name)),
    );
  }

  /** @throws InputError if the curves are damaged or not a run. */
  async log(): Promise<RunLog> {
    const log = new RunLog();
    const pause = slices();
    for (const value of await this.recording.events()) {
      const event = readEvent(value);
      if (!event) throw new InputError("the recording holds something that is not an event");
      const unread = event.type === "iteration" && this.#unread(event.algorithm, event.iteration);
      log.append(event, unread || undefined);
      await pause();
    }
    if (!log.start) throw new InputError("the recording does not begin with a start event");
    this.#spec = usable(log.start.spec);
    sources.set(log, this);
    return log;
  }

  #unread(algorithm: string, iteration: number) {
    const { iterations } = this.recording.manifest;
    const entry = iterations.find((one) => one.iteration === iteration);
    const hasEpisodes = (entry?.methods[algorithm] ?? 0) > 0;
    if (!hasEpisodes) return null;
    const read = () => ({ episodes: [], updates: null });
    return { hasEpisodes, read, load: () => this.#details(algorithm, iteration) };
  }

  async #details(algorithm: string, iteration: number): Promise<IterationDetails> {
    const methods = await this.#noting(this.recording.iteration(iteration));
    const { episodes, updates, truths } = Object(methods[algorithm]) as Record<string, unknown>;
    for (const [trajectory, truth] of Object.entries(truthsIn.safeParse(truths).data ?? {}))
      this.#truths = {
        ...this.#truths,
        [truthKey(algorithm, iteration, Number(trajectory))]: truth as EpisodeTruth,
      };
    const whole = readDetails({ episodes: [], ...(updates !== null && { updates }) });
    const read: EpisodeRecord[] = [];
    const pause = slices();
    for (const one of Array.isArray(episodes) ? episodes : []) {
      append(read, readDetails({ episodes: [one] }).episodes);
      await pause();
    }
    return { ...whole, episodes: read };
  }

  async #noting<T>(reading: Promise<T>): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      this.#fault ??= error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      this.onChange();
    }
  }
}

/** Of one method in one iteration. */
export type EveryTurn = TurnsPart["methods"][string];

const nullable = z.nullable(z.number());
const everyTurn = z.record(
  z.string(),
  z.array(
    z.object({
      task: z.string(),
      trajectory: z.int(),
      success: z.nullable(z.boolean()),
      terminated: z.boolean(),
      truncated: z.boolean(),
      turns: z.array(
        z.object({
          reward: z.number(),
          value: nullable,
          advantage: z.number(),
          return: nullable,
          processReward: z.exactOptional(z.number()),
          ratio: z.number(),
          clipped: z.nullable(z.boolean()),
          length: z.int().check(z.gte(0)),
        }),
      ),
    }),
  ),
);

const interval = z.tuple([z.number(), z.number()]);
const truthsIn = z.record(
  z.string().check(z.regex(/^\d+$/)),
  z.object({
    turns: z.array(
      z.object({
        value: z.number(),
        valueInterval: interval,
        advantage: z.number(),
        advantageInterval: interval,
        solved: z.exactOptional(interval),
      }),
    ),
    found: z.object({
      trained: z.int(),
      branches: z.int(),
      gamma: z.number(),
      steps: z.enum(["turn", "token"]),
    }),
  }),
);

function usable(spec: unknown): ExperimentSpec | null {
  try {
    return validateSpec(spec);
  } catch {
    return null; // from another version: its numbers can still be read
  }
}

const sources = new WeakMap<RunLog, RecordedSource>();

/** Null for every other log. */
export function recordedSource(log: RunLog): RecordedSource | null {
  return sources.get(log) ?? null;
}

/** The known true values of a log's episodes before any are estimated here. */
export function recordedTruths(log: RunLog): Truths {
  return recordedSource(log)?.truths ?? {};
}

/** @throws InputError if the manifest or the curves are damaged. */
export async function readColumnar(manifest: string, fetchPart: FetchPart) {
  const source = new RecordedSource(new ColumnarRecording(manifest, fetchPart));
  return { source, log: await source.log() };
}
