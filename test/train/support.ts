import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { openNodeEngine } from "../../src/cli/engine.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { type ExperimentHost } from "../../src/train/host.ts";

const publicFolder = resolve(import.meta.dirname, "../../public");

export const loadAsset = (path: string): Promise<Uint8Array> => readFile(join(publicFolder, path));

/** A run of seconds: 8 episodes an iteration of three turns on nano's boards, no critic warm-up, few held-out levels. */
export function tinySpec(changes: PartialSpec = {}): ExperimentSpec {
  const base = {
    preset: "nano",
    ...(!changes.preset && { environment: { maxTurns: 3 } }),
    optimisation: { iterations: 2, tasksPerIteration: 2, groupSize: 4, minibatch: 4, epochs: 1 },
    critic: { warmup: 0, epochs: 1 },
    evaluation: { levels: 4, every: 1 },
    recordEpisodes: 8,
    engine: { backend: "wasm" },
  };
  return toSpec({ ...base, ...changes });
}

let engine: Promise<Engine> | undefined;

/** One wasm engine for a test file. */
export function wasmEngine(): Promise<Engine> {
  engine ??= openNodeEngine({ name: "auto", backend: "wasm" });
  return engine;
}

export async function host(): Promise<ExperimentHost> {
  return { engine: await wasmEngine(), loadAsset };
}

/** All events of an experiment, from its current position. */
export async function runToEnd(experiment: Experiment): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  while (!experiment.finished) events.push(...(await experiment.advance()));
  return events;
}

interface FinishedRun {
  events: RunEvent[];
  fingerprint: string;
}

const finished = new Map<string, Promise<FinishedRun>>();

/** A run of the spec to its end: computed once per test file, and each caller gets a copy. */
export async function runSpec(spec: ExperimentSpec): Promise<FinishedRun> {
  const key = canonicalJson(spec);
  if (!finished.has(key)) finished.set(key, runAnew(spec));
  return structuredClone(await finished.get(key)!);
}

/** As runSpec, but computed whatever was computed before. */
export async function runAnew(spec: ExperimentSpec): Promise<FinishedRun> {
  const experiment = await Experiment.open(spec, await host());
  const events = await runToEnd(experiment);
  experiment.dispose();
  return { events, fingerprint: experiment.fingerprint };
}

export function ofType<T extends RunEvent["type"]>(events: RunEvent[], type: T) {
  return events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}
