/** The results of a sweep's run, read from its folder's log. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { significant } from "../../numeric/significant.ts";
import { mean } from "../../numeric/statistics.ts";
import type { RunEvent, IterationEvent } from "../../record/runEvent.ts";
import { InputError } from "../../numeric/inputError.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { learnerNames } from "../../spec/preference.ts";
import { ChainCheck } from "../../train/integrity.ts";
import { secondsOf, usedBy } from "../../reading/log/runClock.ts";
import { readLines } from "../readFile.ts";
import { isSpecOf, type PlannedRun } from "./sweepFile.ts";

export interface MethodResult {
  method: string;
  /** All scores of each evaluation; null if not finite. */
  points: [iteration: number, scores: Record<string, number | null>][];
  /** Iteration of its crash; null without one. */
  crashedAt: number | null;
  /** Wall time without evaluations. */
  seconds: number;
  /** Tokens that the policy sampled in training. */
  tokens: number;
  /** Means over the last ten iterations: information that the scores alone do not give. */
  late: Record<string, number | null>;
}

const LATE = [
  "critic/vf_explained_var",
  "actor/clip_cut_share",
  "actor/turn_clipfrac",
  "actor/pg_clipfrac",
  "actor/entropy",
  "response_length/mean",
  "actor/alignment",
  "critic/grad_norm",
] as const;
const LATE_ITERATIONS = 10;

export interface RunResult {
  run: PlannedRun;
  /** stopped: by the doctor or by a kill; `train` can continue it. */
  state: "done" | "stopped" | "not run";
  /** Stopped by the doctor, at the finding that ends its log. */
  stoppedEarly?: boolean;
  /** Hash of the last event. */
  fingerprint: string;
  iterations: number;
  methods: MethodResult[];
}

/** Folder of a run. */
export function runFolderOf(directory: string, { name }: PlannedRun): string {
  return join(directory, "runs", name);
}

/** @throws InputError if the log is from another spec, or is not what its run wrote. */
export function readResult(directory: string, run: PlannedRun): RunResult {
  const file = join(runFolderOf(directory, run), "events.jsonl");
  const methods = learnerNames(run.spec).map(nothingYet);
  const result: RunResult = { run, state: "not run", fingerprint: "", iterations: 0, methods };
  if (!existsSync(file)) return result;
  const seen: IterationEvent[] = [];
  const check = new ChainCheck();
  for (const { text, line, ended } of readLines("sweep", file)) {
    // A last line truncated by a kill.
    if (!ended && jsonOrNothing(text) === undefined) break;
    check.takeLine(text, line);
    const event = jsonOrNothing(text) as RunEvent;
    note(result, event);
    if (event.type === "iteration") seen.push(event);
  }
  checkUnaltered(file, check);
  for (const own of methods) addIterations(own, seen, run);
  return result;
}

function nothingYet(method: string): MethodResult {
  return { method, points: [], crashedAt: null, seconds: 0, tokens: 0, late: {} };
}

function addIterations(own: MethodResult, events: IterationEvent[], { spec }: PlannedRun): void {
  const iterations = events.filter(({ algorithm }) => algorithm === own.method);
  const { tasksPerIteration, groupSize } = spec.optimisation;
  for (const { metrics, time } of iterations) {
    own.seconds += secondsOf(time) ?? 0;
    own.tokens += Math.round(usedBy(metrics, tasksPerIteration * groupSize).tokens ?? 0);
  }
  own.seconds = Math.round(own.seconds * 10) / 10;
  for (const name of LATE) own.late[name] = lateMean(iterations, name);
}

function lateMean(iterations: IterationEvent[], name: (typeof LATE)[number]): number | null {
  const values = iterations.slice(-LATE_ITERATIONS).map(({ metrics }) => metrics[name]);
  const known = values.filter((value) => typeof value === "number");
  return known.length > 0 ? significant(mean(known), 4) : null;
}

function checkUnaltered(file: string, check: ChainCheck): void {
  const { result } = check;
  if (result.state === "altered")
    throw new InputError(`${file} is altered from line ${result.line}: ${result.why}`);
}

function note(result: RunResult, event: RunEvent): void {
  result.fingerprint = event.chain;
  if (result.state === "not run") result.state = "stopped";
  if (event.type === "start" && !isSpecOf(result.run, event.spec))
    throw new InputError(
      `the folder of run ${result.run.name} holds a run of another spec; use another --out folder`,
    );
  if (event.type === "end") result.state = "done";
  result.stoppedEarly = event.type === "finding" && result.run.spec.doctor.pause;
  if (event.type === "iteration") result.iterations = event.iteration;
  if (event.type !== "eval" && event.type !== "crash") return;
  const own = result.methods.find(({ method }) => method === event.algorithm);
  if (!own) return;
  if (event.type === "crash") own.crashedAt = event.iteration;
  else own.points.push([event.iteration, { ...event.metrics }]);
}
