/** Runs of the clinic: an engine, and a folder that keeps their logs. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { readAsset } from "../../src/cli/assets.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { Experiment } from "../../src/train/experiment.ts";

export interface Bench {
  engine: Engine;
  /** Where logs are kept; absent: nowhere. */
  logs?: string | undefined;
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
export const linesOf = (events: readonly object[]) =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");

/** Trains a spec to its end; `before`: before each step. */
export async function eventsOf(
  { engine, logs }: Bench,
  name: string,
  spec: ExperimentSpec,
  before: (experiment: Experiment) => Promise<void> = () => Promise.resolve(),
): Promise<RunEvent[]> {
  const experiment = await Experiment.open(spec, { engine, loadAsset: readAsset });
  const events: RunEvent[] = [];
  try {
    while (!experiment.finished) {
      await before(experiment);
      events.push(...(await experiment.advance()));
    }
  } finally {
    experiment.dispose();
  }
  if (logs !== undefined) {
    mkdirSync(logs, { recursive: true });
    writeFileSync(logPath(logs, name), gzipSync(linesOf(events)));
  }
  return events;
}

/** A kept log. */
export function keptEvents(logs: string, name: string): RunEvent[] {
  const text = gunzipSync(readFileSync(logPath(logs, name))).toString("utf8");
  const lines = text.split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as RunEvent);
}

const logPath = (folder: string, name: string) => join(folder, `${name}.jsonl.gz`);
