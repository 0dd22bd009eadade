/**
 * The clinic: real runs with one planted fault each, and healthy ones, told by `reading/story`. One
 * line of JSON a patient, appended as each run ends, so that a stopped clinic goes on.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs, userPath } from "../../src/cli/args.ts";
import { openNodeEngine } from "../../src/cli/engine.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { storiesOf } from "../../src/reading/story/story.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { eventsOf, keptEvents, linesOf, say } from "./bench.ts";
import { FAULTS, healthyPatient, patientOf, type FaultName, type Patient } from "./faults.ts";
import { tellGallery } from "./gallery.ts";
import { clinicTables, type Told } from "./score.ts";

export async function main([command, ...argv]: string[]): Promise<void> {
  const args = parseArgs(argv, {
    out: { type: "string" },
    seeds: { type: "string" },
    healthy: { type: "integer", min: 0, max: 1000 },
    only: { type: "string", repeat: true },
    logs: { type: "string" },
    workers: { type: "integer", min: 1, max: 16 },
    "metrics-only": { type: "flag" },
  });
  const file = userPath(args.string("out") ?? "clinic.jsonl");
  const kept = args.string("logs");
  const logs = kept === undefined ? undefined : userPath(kept);
  const only = args.list("only");
  if (command === "score") return say(clinicTables(told(file)));
  if (command === "retell")
    return retell(file, logs ?? userPath("clinic-logs"), args.flag("metrics-only"));
  if (command !== "run" && command !== "gallery")
    throw new InputError(`clinic takes run, retell, score or gallery; got ${String(command)}`);
  const healthy = args.number("healthy");
  const engine = await openNodeEngine(
    { name: "wasm", backend: "wasm" },
    args.number("workers") ?? 1,
  );
  try {
    if (command === "gallery")
      return await tellGallery({ engine, logs }, { seeds: healthy ?? 10, wanted: only });
    const done = new Set(told(file).map(nameOf));
    for (const patient of wanted(args.string("seeds") ?? "1-4", healthy ?? 40)) {
      const name = nameOf(patient);
      if (done.has(name) || (only.length > 0 && !only.includes(patient.kind))) continue;
      const events = await eventsOf({ engine, logs }, name, patient.spec);
      appendFileSync(file, `${JSON.stringify(toldOf(patient, events))}\n`);
      say(name);
    }
  } finally {
    engine.dispose();
  }
  say(clinicTables(told(file)));
}

/** Every kind with every seed from `first-last`; healthy runs share the seeds in turn. */
function wanted(seeds: string, healthy: number): Patient[] {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(seeds) ?? [];
  if (first === undefined)
    throw new InputError(`--seeds is ${seeds}; it must be two whole numbers, as 1-4`);
  const all = Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i);
  return [
    ...all.flatMap((seed) => Object.keys(FAULTS).map((kind) => patientOf(kind as FaultName, seed))),
    // The seed also says which method and which environment.
    ...Array.from({ length: healthy }, (_, i) => healthyPatient(i, Number(first) * 1000 + i)),
  ];
}

const nameOf = ({ kind, seed }: { kind: string; seed: number }) => `${kind}-${seed}`;

function toldOf(patient: Omit<Patient, "spec">, events: readonly RunEvent[]): Told {
  const { kind, cause, onset, algorithm, seed } = patient;
  const log = new RunLog();
  for (const event of events) log.append(event);
  const [story] = storiesOf(log);
  const heldOut = events.flatMap((event) => (event.type === "eval" ? [event.metrics] : []));
  const success = heldOut.flatMap((metrics) =>
    Object.entries(metrics).flatMap(([name, value]) =>
      name.endsWith("/success") && value !== null ? [value] : [],
    ),
  );
  const plants = events.flatMap((event) => (event.type === "start" ? [event.spec.plants] : []))[0];
  return {
    ...{ kind, cause, onset, algorithm, seed, plants: plants ?? null },
    ...{ verdict: story!.verdict, success },
    causes: story!.causes.map((one) => ({
      cause: one.cause,
      onset: one.onset,
      weight: Number(one.weight.toFixed(3)),
    })),
  };
}

function told(file: string): Told[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Told);
}

/**
 * The same runs told again from their logs, after limits changed; or from their numbers alone, as
 * of a log without episodes, which is said and not kept.
 */
function retell(file: string, logs: string, metricsOnly: boolean): void {
  const anew = told(file).map((one) => {
    const events = keptEvents(logs, nameOf(one));
    const bare = events.map((event) =>
      event.type === "iteration" ? { ...event, episodes: [], updates: [] } : event,
    );
    return toldOf(one, metricsOnly ? bare : events);
  });
  if (!metricsOnly) writeFileSync(file, linesOf(anew));
  say(clinicTables(anew));
}
