/** What the screen can do with an experiment's run. */
import type { Connect } from "../runtime/client.ts";
import type { AnswerTo, Question } from "../runtime/questions.ts";
import type { Asking } from "./asking.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { ResumedRun } from "./resumedRun.ts";
import type { RunKeeper } from "./runKeeper.ts";

export interface Session {
  /** Starts, resumes, or pauses: what the one big button does. */
  toggleRun(): void;
  /** One iteration of every algorithm. */
  step(): void;
  /** Drops the live run, after a question where it would be lost; the recorded one is shown again. */
  reset(): void;
  /** Drops the live run, after a question where it would be lost, and then begins another. */
  replace(begin: () => void): void;
  setPace(milliseconds: number): void;
  /** Loads the models and waits: they can be asked, and nothing is trained yet. */
  load(): void;
  /** Asks the live run's models; its progress is shown as it comes. */
  ask<Q extends Question>(
    question: Q,
    onProgress?: (done: number, total: number) => void,
  ): Asking<AnswerTo<Q>>;
  /** A recorded run to show while no live one has numbers. */
  showRecording(log: RunLog): void;
  /**
   * An imported run instead of whatever is shown; a live run is dropped for it. null: back to the recorded one.
   * A run that begins in its place leaves it among the kept ones.
   */
  showImported(log: RunLog | null, label?: string): void;
  /** Trains on from the newest checkpoint of the run that is shown, if there is one. `begins`: called where it does. */
  continueRun(begins?: () => void): void;
  /** Goes on with a run that the browser has kept, as it was: running or paused. */
  resume(run: ResumedRun): void;
  /** Ends a worker that does not respond, and continues with a new one. */
  replaceWorker(): void;
  /** Gives it more time. */
  wait(): void;
  /** Answers the question whether an unsaved run may be dropped. */
  decide(drop: boolean): void;
  /** Asks the worker for a checkpoint; resolves when it is there, or will not come soon. */
  freshCheckpoint(): Promise<void>;
  /** Ends its workers, and leaves what the browser keeps as it is: nothing comes from it any more. */
  close(): void;
  /** Whether a live run that took a while and is not saved would be lost by a reset. */
  readonly atRisk: boolean;
  /** Whether it would be lost with the page, too. */
  readonly lostWithPage: boolean;
}

export interface SessionOptions {
  connect: Connect;
  /** Called when a run begins, so that others can be paused. */
  onBegin?: () => void;
  /** Called when a run does not begin, as the reader does not let its code run. */
  onRefused?: () => void;
  /** Keeps the run in the browser; none: it is lost with the page. */
  keeper?: RunKeeper;
  stopPatience?: number;
  /** Least milliseconds of silence before a worker is asked whether it lives. */
  patience?: number;
}
