/** A run's events as the files of a columnar recording. */
import type { EpisodeRecord, IterationEvent, RunEvent } from "../../record/runEvent.ts";
import { sha256Hex } from "../../numeric/sha256.ts";
import { InputError } from "../../numeric/inputError.ts";
import {
  lightEvent,
  ofCurves,
  ofEpisodes,
  turnsOf,
  type CurvesPart,
  type IterationPart,
  type StoredTruth,
  type TurnsPart,
} from "./content.ts";
import {
  encodeManifest,
  FORMAT,
  MANIFEST,
  type RecordingManifest,
  type PartEntry,
} from "./manifest.ts";
import { encodePart } from "./part.ts";

interface RecordingToPack {
  /** In order, complete. */
  events: readonly RunEvent[];
  command: string;
  /** Whether to store an iteration's episodes, if it has any. */
  keep: (iteration: number) => boolean;
  /** Number of episodes to store with their tokens, for each method and stored iteration, rounded up to whole groups. */
  episodes: number;
  /** Known true values, for a method's episodes of an iteration. */
  truthsOf?: (algorithm: string, iteration: number) => Record<string, StoredTruth>;
  /** Safetensors of the run's networks, by iterations of training. */
  checkpoints?: ReadonlyMap<number, Uint8Array>;
}

/** Files by name, the manifest first. */
export type FilesByName = Map<string, Uint8Array>;

/** @throws InputError if the events do not form a run. */
export async function packRecording(run: RecordingToPack): Promise<FilesByName> {
  const { events, command } = run;
  if (events[0]?.type !== "start")
    throw new InputError("the log does not begin with a start event");
  const files: FilesByName = new Map();
  const parts: PartEntry[] = [];
  const add = async (name: string, bytes: Uint8Array) => {
    files.set(name, bytes);
    parts.push({ name, bytes: bytes.length, sha256: await sha256Hex(bytes) });
    return name;
  };
  const addColumns = (name: string, value: unknown, precision: typeof ofCurves) =>
    add(name, encodePart(value, precision));
  const curves: CurvesPart = { events: events.map(lightEvent) };
  const manifest: RecordingManifest = {
    format: FORMAT,
    command,
    fingerprint: events.at(-1)!.chain,
    events: events.length,
    parts,
    curves: await addColumns("curves.bin", curves, ofCurves),
    iterations: [],
    checkpoints: [],
  };
  for (const [iteration, played] of iterationsToKeep(run)) {
    const methods = detailsOf(run, played);
    const counts = Object.entries(methods).map(([name, { episodes }]) => [name, episodes.length]);
    const turns: TurnsPart = {
      methods: Object.fromEntries(played.map((one) => [one.algorithm, turnsOf(one)])),
    };
    manifest.iterations.push({
      iteration,
      part: await addColumns(`iteration-${iteration}.bin`, { methods }, ofEpisodes),
      turns: await addColumns(`turns-${iteration}.bin`, turns, ofEpisodes),
      methods: Object.fromEntries(counts) as Record<string, number>,
    });
  }
  for (const [trained, weights] of run.checkpoints ?? [])
    manifest.checkpoints.push({
      trained,
      part: await add(`weights-${trained}.safetensors`, weights),
    });
  const text = new TextEncoder().encode(encodeManifest(manifest));
  return new Map([[MANIFEST, text], ...files]);
}

/** The stored iterations that have episodes, ascending. */
function iterationsToKeep({ events, keep }: RecordingToPack): [number, IterationEvent[]][] {
  const byNumber = new Map<number, IterationEvent[]>();
  for (const event of events) {
    if (event.type !== "iteration" || event.episodes.length === 0) continue;
    if (!keep(event.iteration)) continue;
    const others = byNumber.get(event.iteration) ?? [];
    byNumber.set(event.iteration, [...others, event]);
  }
  return [...byNumber].sort(([a], [b]) => a - b);
}

function detailsOf(
  run: RecordingToPack,
  played: readonly IterationEvent[],
): IterationPart["methods"] {
  const methods = played.map(({ algorithm, iteration, episodes, updates }) => {
    const kept = wholeGroups(episodes, run.episodes);
    const known = run.truthsOf?.(algorithm, iteration) ?? {};
    const ours = new Set(kept.map(({ trajectory }) => String(trajectory)));
    const truths = Object.fromEntries(Object.entries(known).filter(([key]) => ours.has(key)));
    return [algorithm, { episodes: kept, updates: updates ?? null, truths }] as const;
  });
  return Object.fromEntries(methods);
}

/** The first groups that together have at least this many episodes, or all groups. */
export function wholeGroups(episodes: readonly EpisodeRecord[], least: number): EpisodeRecord[] {
  const tasks = new Set<string>();
  let count = 0;
  for (const { task } of episodes) {
    if (tasks.has(task)) continue;
    if (count >= least) break;
    tasks.add(task);
    count += episodes.filter((one) => one.task === task).length;
  }
  return episodes.filter(({ task }) => tasks.has(task));
}
