/** The screen's operations on an experiment's run. */
import type { Connect } from "../runtime/client.ts";
import type { AnswerTo, Question } from "../runtime/questions.ts";
import type { Asking } from "./asking.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { ResumedRun } from "./resumedRun.ts";
import type { RunKeeper } from "./runKeeper.ts";

export interface Session {
  /** Starts, resumes, or pauses: the action of the main button. */
  toggleRun(): void;
  /** One iteration of every algorithm. */
  step(): void;
  /** Drops the live run, after a question if it would be lost; the recorded one is shown again. */
  reset(): void;
  /** Drops the live run, after a question if it would be lost, and then starts another. */
  replace(begin: () => void): void;
  setPace(milliseconds: number): void;
  /** Loads the models and waits: they can answer questions, without any training yet. */
  load(): void;
  /** Asks the live run's models; progress is shown as it arrives. */
  ask<Q extends Question>(
    question: Q,
    onProgress?: (done: number, total: number) => void,
  ): Asking<AnswerTo<Q>>;
  /** A recorded run to show while no live one has numbers. */
  showRecording(log: RunLog): void;
  /**
   * Shows an imported run instead of the current one; drops a live run. null: back to the recorded
   * one. If a run starts in its place, it stays among the kept ones.
   */
  showImported(log: RunLog | null, label?: string): void;
  /** Continues training from the newest checkpoint of the run shown, if there is one. `begins`: called if it does. */
  continueRun(begins?: () => void): void;
  /** Resumes a run stored in the browser, in the state it was: running or paused. */
  resume(run: ResumedRun): void;
  /** Ends a worker that does not respond, and continues with a new one. */
  replaceWorker(): void;
  /** Gives the worker more time. */
  wait(): void;
  /** The answer to whether an unsaved run may be dropped. */
  decide(drop: boolean): void;
  /** Asks the worker for a checkpoint; resolves when it has arrived, or after a time limit. */
  freshCheckpoint(): Promise<void>;
  /**
   * Ends its workers, and leaves the browser's storage as it is: the session has no further effect.
   */
  close(): void;
  /** Whether an unsaved live run that took a while would be lost by a reset. */
  readonly atRisk: boolean;
  /** Whether it would also be lost with the page. */
  readonly lostWithPage: boolean;
}

export interface SessionOptions {
  connect: Connect;
  /** Called when a run begins, so that others can be paused. */
  onBegin?: () => void;
  /** Called if a run does not start because the reader does not allow its code. */
  onRefused?: () => void;
  /** Stores the run in the browser; absent: it is lost with the page. */
  keeper?: RunKeeper;
  stopLimit?: number;
  /** Minimum milliseconds of silence before a worker is pinged. */
  timeLimit?: number;
}
