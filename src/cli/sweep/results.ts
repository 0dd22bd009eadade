/** What a run of a sweep came to, read from its folder's log. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../record/runEvent.ts";
import { InputError } from "../../spec/inputError.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { learnerNames } from "../../spec/preference.ts";
import { ChainCheck } from "../../train/integrity.ts";
import { readLines } from "../readFile.ts";
import { isSpecOf, type PlannedRun } from "./sweepFile.ts";

export interface MethodResult {
  method: string;
  /** [iteration, score of each measure]; null where it was not finite. */
  points: [iteration: number, scores: (number | null)[]][];
  /** Iteration of its crash; null without one. */
  crashedAt: number | null;
}

export interface RunResult {
  run: PlannedRun;
  /** stopped: by the doctor or by a kill; `train` can continue it. */
  state: "done" | "stopped" | "not run";
  /** Chain of the last event. */
  fingerprint: string;
  iterations: number;
  methods: MethodResult[];
}

/** Folder of a run. */
export function runFolderOf(directory: string, { name }: PlannedRun): string {
  return join(directory, "runs", name);
}

/** @throws InputError where the log is of another spec, or is not as its run wrote it. */
export function readResult(directory: string, run: PlannedRun, measures: string[]): RunResult {
  const file = join(runFolderOf(directory, run), "events.jsonl");
  const methods = learnerNames(run.spec).map((method): MethodResult => ({
    method,
    points: [],
    crashedAt: null,
  }));
  const result: RunResult = { run, state: "not run", fingerprint: "", iterations: 0, methods };
  if (!existsSync(file)) return result;
  const check = new ChainCheck();
  for (const { text, line, ended } of readLines("sweep", file)) {
    // A last line that a kill has torn.
    if (!ended && jsonOrNothing(text) === undefined) break;
    check.takeLine(text, line);
    note(result, jsonOrNothing(text) as RunEvent, measures);
  }
  checkWhole(file, check);
  return result;
}

function checkWhole(file: string, check: ChainCheck): void {
  const { result } = check;
  if (result.state === "altered")
    throw new InputError(`${file} is altered from line ${result.line}: ${result.why}`);
}

function note(result: RunResult, event: RunEvent, measures: string[]): void {
  result.fingerprint = event.chain;
  if (result.state === "not run") result.state = "stopped";
  if (event.type === "start" && !isSpecOf(result.run, event.spec))
    throw new InputError(
      `the folder of run ${result.run.name} holds a run of another spec; use another --out folder`,
    );
  if (event.type === "end") result.state = "done";
  if (event.type === "iteration") result.iterations = event.iteration;
  if (event.type !== "eval" && event.type !== "crash") return;
  const own = result.methods.find(({ method }) => method === event.algorithm);
  if (!own) return;
  if (event.type === "crash") own.crashedAt = event.iteration;
  else {
    const score = (name: string) => event.metrics[name as keyof typeof event.metrics] ?? null;
    own.points.push([event.iteration, measures.map(score)]);
  }
}
