/** Every message between the page and its training worker: one discriminated union each way. */
import type { Finding, RunEvent } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { MachineReport } from "./machineReport.ts";
import type { Answer, Question } from "./questions.ts";

export type ToWorker =
  /** Begins a fresh run, dropping the one before; `paused` loads and waits. */
  | { type: "start"; spec: ExperimentSpec; paused: boolean }
  | { type: "pause" }
  | { type: "resume" }
  /** One iteration of every algorithm, then pause. */
  | { type: "step" }
  /** Drops the run; answered by `state: idle`. */
  | { type: "stop" }
  /** Least milliseconds per iteration: 0 is full speed. */
  | { type: "pace"; milliseconds: number }
  /** Something about the run's models, answered between two of its steps, also when paused or finished. */
  | { type: "ask"; id: number; question: Question }
  /** The question is no longer of interest; answered by `refused`, unless it was answered already. */
  | { type: "withdraw"; id: number }
  | MachineRequest;

/** What the "This machine" page asks for, of a worker that trains nothing meanwhile; answered by `machine`. */
export type MachineRequest =
  /** Starts and checks every engine; `again` repeats remembered checks. */
  | { type: "examine"; again: boolean }
  /** Times the engines that may be used, about so long altogether. */
  | { type: "measure"; seconds: number };

export type RunState = "idle" | "loading" | "running" | "paused" | "finished" | "failed";

/** What the worker is doing right now; at most a few a second. */
export interface Progress {
  /** In words, e.g. "GRPO, iteration 3: rollout". */
  phase: string;
  /** Iterations (of all algorithms) done, and in all; 0 in all: not counted. */
  done: number;
  total: number;
  /** From a moving rate; null while unknown. */
  secondsLeft: number | null;
}

export interface EngineReport {
  engine: string;
  backend: string;
  adapter: string;
  reproducible: string;
  /** Why a better backend is not used, in one sentence; null when the first choice runs. */
  fallback: string | null;
  /** Why its numbers could not be compared with the referee's, in one sentence; null or absent when they were. */
  unchecked?: string | null;
}

export type FromWorker =
  | { type: "state"; state: RunState }
  | { type: "engine"; report: EngineReport }
  | { type: "events"; events: RunEvent[] }
  /** Everything known so far. */
  | { type: "machine"; report: MachineReport }
  | { type: "progress"; progress: Progress }
  /** The doctor stops the run here (`state: paused` follows): why, what to try, and the checkpoint before the fall. */
  | {
      type: "alarm";
      message: string;
      action: string;
      finding: Finding;
      beforeFall: Uint8Array | null;
    }
  /** How far the work on a question has come; at most a few a second. */
  | { type: "asked"; id: number; done: number; total: number }
  | { type: "answer"; id: number; answer: Answer }
  /** One sentence: why there is no answer. The run goes on. */
  | { type: "refused"; id: number; message: string }
  /** Last chain of a finished run. */
  | { type: "fingerprint"; fingerprint: string }
  /** Environment errors (no adapter, device lost, out of memory) and learning errors (NaN) alike, as values. */
  | {
      type: "error";
      kind: "input" | "environment" | "learning" | "defect";
      message: string;
      action: string;
    };
