/** Every message between the page and its training worker: one discriminated union each way. */
import type { SentCheckpoint } from "../record/sentCheckpoint.ts";
import type { WeightMap } from "../engine/engine.ts";
import type { Finding, RunEvent } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { MachineReport } from "./machineReport.ts";
import type { Answer, Question } from "./questions.ts";

export type ToWorker =
  /** Before anything else: a name that the worker holds a lock by, as long as it lives. */
  | { type: "hello"; lock: string }
  /** Before any engine starts: which of two graphics cards is asked for; else the faster. */
  | { type: "power"; preference: GPUPowerPreference }
  /** Answered at once by a worker that is free to listen. */
  | { type: "ping" }
  /** Begins a run, dropping the one before; `paused` loads and waits. */
  | StartMessage
  /** Opens a recorded run's models to be asked alone, as they were at the start: nothing is trained. */
  | { type: "attend"; spec: ExperimentSpec }
  /** Its networks after so many iterations, for questions that name them: `<method>:<network>/<tensor>`. */
  | { type: "recall"; trained: number; weights: WeightMap }
  /** Send a checkpoint where the run next stands between two iterations. */
  | { type: "save" }
  /** The page has kept the run's log up to this event. */
  | { type: "kept"; events: number }
  /** The run is no longer kept: nothing of it is to be written any more. */
  | { type: "forget" }
  | { type: "pause" }
  | { type: "resume" }
  /** One iteration of every algorithm, then pause. */
  | { type: "step" }
  /** Drops the run; answered by `state: idle`. */
  | { type: "stop" }
  /** Least milliseconds per iteration: 0 is full speed. */
  | { type: "pace"; milliseconds: number }
  /**
   * Something about the run's models, answered between two of its steps, also when paused or finished. `trained`: of a
   * recorded run, iterations after which its networks are asked.
   */
  | { type: "ask"; id: number; question: Question; trained?: number }
  /** The question is no longer of interest; answered by `refused`, unless it was answered already. */
  | { type: "withdraw"; id: number }
  | MachineRequest;

export interface StartMessage {
  type: "start";
  spec: ExperimentSpec;
  paused: boolean;
  /** A checkpoint of this spec's run to continue from, instead of its beginning. */
  saved?: Uint8Array;
  /** To be used instead of the spec's, where that one has failed. */
  engine?: ExperimentSpec["engine"];
  /** Id of the kept run that it is: the worker puts its checkpoints among the browser's files. */
  keep?: string;
}

/** What the "This machine" page asks for, of a worker that trains nothing meanwhile; answered by `machine`. */
export type MachineRequest =
  /** Starts and checks every engine; `again` repeats remembered checks. */
  | { type: "examine"; again: boolean }
  /** Times the engines that may be used, about so long altogether. */
  | { type: "measure"; seconds: number };

export type RunState = "idle" | "loading" | "running" | "paused" | "finished" | "failed";

/** What the worker is doing right now; at most a few a second. */
export interface WorkerProgress {
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
  /** `lines`: the same as they stand in a log file. */
  | { type: "events"; events: RunEvent[]; lines: Uint8Array }
  /** The run after its newest whole iteration, to continue from should this worker be lost. */
  | { type: "checkpoint"; checkpoint: SentCheckpoint }
  /** There will be none: it would take so many bytes, of at most so many. */
  | { type: "noCheckpoint"; bytes: number; most: number }
  /** The lock is held: whoever gets it next knows that this worker is gone. */
  | { type: "locked" }
  /** Training goes on; at most one a second. */
  | { type: "beat" }
  /** Answers a ping. */
  | { type: "pong" }
  /** Everything known so far. */
  | { type: "machine"; report: MachineReport }
  | { type: "progress"; progress: WorkerProgress }
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
      /** Whether a new worker may get further with the same run. */
      retry?: boolean;
      /** Whether WebGPU was asked for by name and did not start: no adapter, or none that computes rightly. */
      cardGone?: boolean;
    };
