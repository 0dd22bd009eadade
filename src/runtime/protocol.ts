/** Every message between the page and its training worker: one discriminated union each way. */
import type { SentCheckpoint } from "../record/sentCheckpoint.ts";
import type { WeightMap } from "../engine/engine.ts";
import type { Finding, RunEvent } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { MachineReport } from "./machineReport.ts";
import type { ModelMessage, ModelRequest } from "./modelReport.ts";
import type { Answer, Question } from "./questions.ts";

export type ToWorker =
  /** Before anything else: the name of a lock that the worker holds as long as it lives. */
  | { type: "hello"; lock: string }
  /** Before any engine starts: which of two graphics cards to ask for; by default the faster. */
  | { type: "power"; preference: GPUPowerPreference }
  /** Answered at once by a worker that is not blocked. */
  | { type: "ping" }
  /** Starts a run and drops the previous one; `paused` loads and waits. */
  | StartMessage
  /**
   * Opens a recorded run's models for questions only, as they were at the start: nothing is
   * trained.
   */
  | ({ type: "attend" } & Pick<StartMessage, "spec" | "files">)
  /** The networks after this many iterations, for questions about them: `<method>:<network>/<tensor>`. */
  | { type: "recall"; trained: number; weights: WeightMap }
  /** Send a checkpoint as soon as the run is between two iterations. */
  | { type: "save" }
  /** The page has stored the run's log up to this event. */
  | { type: "kept"; events: number }
  /** The run is no longer stored: write nothing more of it. */
  | { type: "forget" }
  | { type: "pause" }
  | { type: "resume" }
  /** One iteration of every algorithm, then pause. */
  | { type: "step" }
  /** Drops the run; the reply is `state: idle`. */
  | { type: "stop" }
  /** Minimum milliseconds per iteration: 0 is full speed. */
  | { type: "pace"; milliseconds: number }
  /**
   * A question about the run's models, answered between two of its steps, also when paused or
   * finished. `trained`: for a recorded run, the iterations after which its networks are asked.
   */
  | { type: "ask"; id: number; question: Question; trained?: number }
  /** The question is withdrawn; the reply is `refused`, unless it was answered already. */
  | { type: "withdraw"; id: number }
  | MachineRequest
  /** About the reader's own model, of a worker that trains nothing meanwhile; the replies are `model` and `said`. */
  | { type: "desk"; request: ModelRequest };

export interface StartMessage {
  type: "start";
  spec: ExperimentSpec;
  paused: boolean;
  /** A checkpoint of this spec's run to continue from. */
  saved?: Uint8Array;
  /** An engine to use instead of the spec's, after that one failed. */
  engine?: ExperimentSpec["engine"];
  /** The files of the folder that the spec names, if it names one and the reader has chosen it. */
  files?: ReadonlyMap<string, Blob>;
  /** Id of the run in storage: the worker writes its checkpoints to the browser's file system. */
  keep?: string;
}

/** What the "This machine" page asks of a worker that trains nothing meanwhile; the reply is `machine`. */
export type MachineRequest =
  /** Starts and checks every engine; `again` repeats remembered checks. */
  | { type: "examine"; again: boolean }
  /** Times the usable engines in about this many seconds in total. */
  | { type: "measure"; seconds: number };

export type RunState = "idle" | "loading" | "running" | "paused" | "finished" | "failed";

/** What the worker is doing right now; sent at most a few times per second. */
export interface WorkerProgress {
  /** In words, e.g. "GRPO, iteration 3: rollout". */
  phase: string;
  /** Iterations (of all algorithms) done, and in total; a total of 0 means not counted. */
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
  /** Why its numbers could not be compared with the referee's, in one sentence; null or absent if they were. */
  unchecked?: string | null;
}

export type FromWorker =
  | { type: "state"; state: RunState }
  | { type: "engine"; report: EngineReport }
  /** `lines`: the same events as lines of a log file. */
  | { type: "events"; events: RunEvent[]; lines: Uint8Array }
  /** The run after its newest whole iteration, to continue from if this worker is lost. */
  | { type: "checkpoint"; checkpoint: SentCheckpoint }
  /** There will be no checkpoint: it would take `bytes`, more than `most`. */
  | { type: "noCheckpoint"; bytes: number; most: number }
  /** The worker holds its lock: whoever gets the lock next knows that this worker is gone. */
  | { type: "locked" }
  /** Training goes on; sent at most once per second. */
  | { type: "beat" }
  /** Answers a ping. */
  | { type: "pong" }
  /** Everything known so far. */
  | { type: "machine"; report: MachineReport }
  | ModelMessage
  | { type: "progress"; progress: WorkerProgress }
  /** The doctor stops the run here (`state: paused` follows): the reason, what to try, and the checkpoint before the problem began. */
  | {
      type: "alarm";
      message: string;
      action: string;
      finding: Finding;
      beforeFall: Uint8Array | null;
    }
  /** Progress on a question; sent at most a few times per second. */
  | { type: "asked"; id: number; done: number; total: number }
  | { type: "answer"; id: number; answer: Answer }
  /** One sentence: why there is no answer. The run goes on. */
  | { type: "refused"; id: number; message: string }
  /** Final hash of a finished run. */
  | { type: "fingerprint"; fingerprint: string }
  /** Environment errors (no adapter, device lost, out of memory) and learning errors (NaN), both as values. */
  | {
      type: "error";
      kind: "input" | "environment" | "learning" | "defect";
      message: string;
      action: string;
      /** Whether a new worker may succeed with the same run. */
      retry?: boolean;
      /** Whether WebGPU was asked for by name and did not start: no adapter, or none that computes correctly. */
      cardGone?: boolean;
    };
