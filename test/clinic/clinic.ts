/**
 * The clinic: real runs with one planted fault each, and healthy ones, told by `reading/story`. One
 * line of JSON a patient, appended as each run ends, so that a stopped clinic goes on.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parseArgs, userPath } from "../../src/cli/args.ts";
import { readAsset } from "../../src/cli/assets.ts";
import { openNodeEngine } from "../../src/cli/engine.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { storiesOf } from "../../src/reading/story/story.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { FAULTS, healthyPatient, patientOf, type FaultName, type Patient } from "./faults.ts";
import { clinicTables, type Told } from "./score.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);

export async function main([command, ...argv]: string[]): Promise<void> {
  const args = parseArgs(argv, {
    out: { type: "string" },
    seeds: { type: "string" },
    healthy: { type: "integer", min: 0, max: 1000 },
    only: { type: "string", repeat: true },
    logs: { type: "string" },
    workers: { type: "integer", min: 1, max: 16 },
  });
  const file = userPath(args.string("out") ?? "clinic.jsonl");
  if (command === "score") {
    say(clinicTables(told(file)));
    return;
  }
  if (command === "retell") return retell(file, userPath(args.string("logs") ?? "clinic-logs"));
  if (command !== "run")
    throw new InputError(`clinic takes run, retell or score; got ${String(command)}`);
  const only = args.list("only");
  const patients = wanted(args.string("seeds") ?? "1-4", args.number("healthy") ?? 40).filter(
    ({ kind }) => only.length === 0 || only.includes(kind),
  );
  const logs = args.string("logs");
  if (logs) mkdirSync(userPath(logs), { recursive: true });
  const engine = await openNodeEngine(
    { name: "wasm", backend: "wasm" },
    args.number("workers") ?? 1,
  );
  try {
    const done = new Set(told(file).map(nameOf));
    for (const patient of patients.filter((one) => !done.has(nameOf(one)))) {
      const events = await eventsOf(engine, patient);
      if (logs) writeFileSync(logPath(userPath(logs), patient), gzipSync(linesOf(events)));
      appendFileSync(file, `${JSON.stringify(toldOf(patient, events))}\n`);
      say(nameOf(patient));
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
const logPath = (folder: string, one: { kind: string; seed: number }) =>
  join(folder, `${nameOf(one)}.jsonl.gz`);
const linesOf = (events: readonly object[]) => events.map((e) => `${JSON.stringify(e)}\n`).join("");

async function eventsOf(
  engine: Awaited<ReturnType<typeof openNodeEngine>>,
  { spec }: Patient,
): Promise<RunEvent[]> {
  const experiment = await Experiment.open(spec, { engine, loadAsset: readAsset });
  const events: RunEvent[] = [];
  try {
    while (!experiment.finished) events.push(...(await experiment.advance()));
  } finally {
    experiment.dispose();
  }
  return events;
}

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

/** The same runs told again from their logs, after limits changed. */
async function retell(file: string, logs: string): Promise<void> {
  const { gunzipSync } = await import("node:zlib");
  const anew = told(file).map((one) => {
    const text = gunzipSync(readFileSync(logPath(logs, one))).toString("utf8");
    const events = text.split("\n").filter(Boolean);
    return toldOf(
      one,
      events.map((line) => JSON.parse(line) as RunEvent),
    );
  });
  writeFileSync(file, linesOf(anew));
  say(clinicTables(anew));
}
