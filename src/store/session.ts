/**
 * The lifecycle of an experiment's run: buttons go to the worker, the worker's messages to the log,
 * and the log to the store, at most four times a second. A worker that fails is replaced, and the
 * run continues from its newest checkpoint.
 */
import type { FromWorker, RunState, StartMessage } from "../runtime/protocol.ts";
import type { Question } from "../runtime/questions.ts";
import { CodeGate } from "./codeGate.ts";
import { CLEARED, isRunOver, type ExperimentStore } from "./experimentState.ts";
import { FreshCheckpoint } from "./freshCheckpoint.ts";
import { LeaveQuestion } from "./leaveQuestion.ts";
import { LiveLog } from "./liveLog.ts";
import { rawOf, type RawRun } from "../reading/log/rawRun.ts";
import { ModelAnswers } from "./modelAnswers.ts";
import { chosenFilesOf } from "./chosenModels.ts";
import { Recovery, type EngineChange, type Failure } from "./recovery.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { RunScreen } from "./runScreen.ts";
import type { ResumedRun } from "./resumedRun.ts";
import type { Session, SessionOptions } from "./sessionApi.ts";
import { sessionWords as words } from "./sessionWords.ts";
import { TrainingWorker } from "./trainingWorker.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

/** Milliseconds that a reset waits for the worker's answer before it terminates the worker. */
const STOP_LIMIT = 8000;

export function createSession(store: ExperimentStore, options: SessionOptions): Session {
  return new LiveSession(store, options);
}

type Start = Omit<StartMessage, "type">;

class LiveSession implements Session {
  #store: ExperimentStore;
  #options: SessionOptions;
  #screen: RunScreen;
  #worker: TrainingWorker;
  #answers: ModelAnswers;
  #code: CodeGate;
  #live: LiveLog | null = null;
  #recovery = new Recovery();
  #stopTimer: ReturnType<typeof setTimeout> | null = null;
  /** Whether a single requested iteration is running. */
  #stepping = false;
  #leave: LeaveQuestion;
  #fresh = new FreshCheckpoint();
  /** What to start once the run has been dropped. */
  #then: (() => void) | null = null;

  constructor(store: ExperimentStore, options: SessionOptions) {
    this.#store = store;
    this.#options = options;
    this.#screen = new RunScreen(store, () => this.#live?.log ?? null);
    this.#worker = new TrainingWorker({
      connect: options.connect,
      hear: (message) => this.#hear(message),
      onSilence: (silence) => this.#screen.commitNow({ silence }),
      timeLimit: options.timeLimit,
    });
    if (options.keeper) options.keeper.worker = this.#worker;
    this.#answers = new ModelAnswers(store, options.connect, (message) =>
      this.#worker.send(message),
    );
    this.#leave = new LeaveQuestion(store, () => this.#live);
    this.#code = new CodeGate({
      isFree: () => isRunOver(store.getState().state) && !store.getState().stopping,
      onRefused: () => this.#sayRefused(),
    });
  }

  toggleRun = (): void => {
    const { state, stopping } = this.#store.getState();
    if (stopping || state === "loading") return;
    if (state === "running") this.#worker.send({ type: "pause" });
    else if (state === "paused") this.#worker.send({ type: "resume" });
    else this.#leave.confirmThen("run", () => this.#begin(false));
  };

  step = (): void => {
    const { state, stopping } = this.#store.getState();
    if (stopping || state === "running" || state === "loading") return;
    const act = () => {
      this.#stepping = true;
      this.#worker.send({ type: "step" });
    };
    if (state === "paused") return act();
    this.#leave.confirmThen("run", () => this.#begin(true, act));
  };

  reset = (): void => {
    if (!this.#store.getState().stopping) this.#leave.confirmThen("reset", () => this.#drop());
  };

  replace = (begin: () => void): void => {
    const { state, stopping } = this.#store.getState();
    if (stopping) return;
    if (isRunOver(state)) return begin();
    this.#leave.confirmThen("run", () => {
      this.#then = begin;
      this.#drop();
    });
  };

  load = (): void => {
    const { state, stopping } = this.#store.getState();
    if (stopping || state === "loading" || state === "running" || state === "paused") return;
    this.#leave.confirmThen("run", () => this.#begin(true));
  };

  ask = <Q extends Question>(question: Q, onProgress?: (done: number, total: number) => void) =>
    this.#answers.ask(question, onProgress);

  setPace = (milliseconds: number): void => {
    this.#store.setState({ pace: milliseconds });
    this.#worker.send({ type: "pace", milliseconds });
  };

  showRecording = (log: RunLog): void => this.#screen.showRecording(log);

  showImported = (log: RunLog | null, label = "imported run"): void => {
    const { view, state } = this.#store.getState();
    this.#screen.setImported(log, label);
    if (log && (view.origin === "live" || !isRunOver(state))) this.#drop();
    else if (view.origin !== "live") this.#screen.showBehind();
  };

  continueRun = (begins = () => {}): void => {
    const { view, state, stopping } = this.#store.getState();
    const raw = rawOf(view.log);
    if (!raw?.checkpoint || stopping || !isRunOver(state)) return;
    this.#code.pass(raw.spec, () => {
      begins();
      // A continued run is no longer the imported file: it grows.
      this.#screen.setImported(null);
      this.#options.keeper?.begin(raw);
      this.#goOn(raw, view.log, false);
    });
  };

  resume = (run: ResumedRun): void => {
    const { kept, raw, log, release } = run;
    // A session of several runs, such as a sweep's, has had others before.
    if (this.#live && !isRunOver(this.#store.getState().state)) return release();
    const goOn = () => {
      this.#options.keeper?.adopt(run);
      this.#goOn(raw, log, kept.state === "paused", kept.state !== "finished");
    };
    const offer = () => {
      release();
      this.#store.setState({ resumable: kept });
    };
    this.#code.pass(raw.spec, goOn, offer);
  };

  #sayRefused(): void {
    const { codeRefused: message, codeAgain: action } = words;
    this.#screen.commitNow({ problem: { kind: "input", message, action } });
    this.#options.onRefused?.();
  }

  /** `trains`: a finished run is only shown, whatever else is training. */
  #goOn(raw: RawRun, log: RunLog, paused: boolean, trains = true): void {
    this.#recovery = new Recovery();
    this.#live = new LiveLog(raw, this.#screen.commit, log);
    this.#screen.commitNow({ ...CLEARED, state: "loading", runSpec: raw.spec });
    if (trains && !paused) this.#options.onBegin?.();
    this.#restart(paused);
  }

  replaceWorker = (): void => {
    const { state } = this.#store.getState();
    if (!this.#live || !this.#worker.isOpen) return;
    this.#recover(words.ended, state === "paused");
  };

  wait = (): void => this.#worker.wait();

  decide = (drop: boolean): void => {
    const { leaving } = this.#store.getState();
    this.#leave.decide(drop);
    // It will not start: those waiting behind it need not wait.
    if (!drop && leaving === "run") this.#options.onRefused?.();
  };

  freshCheckpoint = async (): Promise<void> => {
    if (!this.#worker.isOpen) return;
    const runs = this.#store.getState().state === "running";
    await this.#fresh.wait(() => this.#worker.send({ type: "save" }), runs);
  };

  close = (): void => {
    if (this.#stopTimer !== null) clearTimeout(this.#stopTimer);
    this.#dropWorker(words.unanswered);
    this.#answers.dropRecorded();
    void this.#options.keeper?.close();
  };

  get atRisk(): boolean {
    return this.#leave.atRisk;
  }

  get lostWithPage(): boolean {
    return this.atRisk && !(this.#options.keeper?.isKept ?? false);
  }

  #begin(paused: boolean, then = () => {}): void {
    const { spec } = this.#store.getState().draft;
    this.#code.pass(spec, () => {
      this.#beginNow(spec, paused);
      then();
    });
  }

  #beginNow(spec: ExperimentSpec, paused: boolean): void {
    const { state } = this.#store.getState();
    this.#leave.note(false);
    this.#recovery = new Recovery();
    this.#live = LiveLog.empty(spec, this.#screen.commit);
    // A failed worker may no longer respond: the next run gets a new one.
    if (state === "failed") this.#dropWorker();
    this.#screen.keepImported();
    this.#options.onBegin?.();
    this.#screen.commitNow({
      ...CLEARED,
      state: "loading",
      runSpec: spec,
      view: this.#screen.behind,
    });
    this.#options.keeper?.begin(this.#live.raw);
    this.#start({ spec, paused });
  }

  #start(start: Start): void {
    this.#answers.dropRecorded();
    this.#worker.open();
    this.#worker.works = true;
    this.#worker.send({ type: "pace", milliseconds: this.#store.getState().pace });
    const keep = this.#options.keeper?.id;
    const files = chosenFilesOf(start.spec);
    const more = { ...(files && { files }), ...(keep !== undefined && { keep }) };
    this.#worker.send({ type: "start", ...start, ...more });
  }

  #hear(message: FromWorker): void {
    // After a reset only the worker's "idle" counts: earlier messages belong to the dropped run.
    if (this.#store.getState().stopping) {
      if (message.type === "state" && message.state === "idle") this.#finishStop();
      else if (message.type === "error") this.#closeWorker();
      return;
    }
    this.#receive(message);
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "asked":
      case "answer":
      case "refused":
        return this.#answers.hear(message);
      case "events":
        this.#live?.take(message);
        return this.#screen.commit();
      case "checkpoint":
        return this.#keep(message.checkpoint);
      case "noCheckpoint":
        this.#fresh.arrive();
        return this.#screen.commitNow({
          unprotected: words.unprotected(message.bytes, message.most),
        });
      case "progress":
        return this.#screen.commitLater({ progress: message.progress });
      case "engine":
        return this.#screen.commitNow({ engine: message.report });
      case "state":
        return this.#change(message.state);
      case "alarm": {
        const { message: text, action } = message;
        return this.#screen.commitNow({ problem: { kind: "learning", message: text, action } });
      }
      case "fingerprint":
        return this.#screen.commitNow({ fingerprint: message.fingerprint });
      case "error":
        return this.#fail(message);
    }
  }

  #keep(checkpoint: NonNullable<RawRun["checkpoint"]>): void {
    if (this.#live) this.#live.raw.checkpoint = checkpoint;
    this.#fresh.arrive();
  }

  #change(state: RunState): void {
    this.#leave.note(state === "running");
    this.#worker.works = state === "running" || state === "loading";
    if (state === "paused" || state === "finished") this.#stepping = false;
    if (state === "running" || state === "paused" || state === "finished")
      this.#options.keeper?.note(state);
    this.#screen.commitNow({
      state,
      ...(isRunOver(state) && { progress: null }),
      // Resuming dismisses the alarm.
      ...(state === "running" && { problem: null }),
    });
  }

  /** Continues with a new worker if that may help; otherwise reports the failure. */
  #fail(failure: Failure): void {
    const { engine, state } = this.#store.getState();
    const events = this.#live?.log.version ?? 0;
    const retry = this.#live && this.#recovery.next(failure, events, engine?.backend ?? null);
    // A run that is too large for a checkpoint would restart and lose its progress.
    const unprotected = this.#store.getState().unprotected !== null && events > 0;
    if (retry && !unprotected)
      return this.#recover(failure.message, state === "paused", retry.changed);
    const { kind, message, action } = failure;
    const gaveUp = this.#recovery.gaveUp;
    const iteration = this.#live?.raw.checkpoint?.iteration ?? null;
    const next = gaveUp ? words.gaveUp(iteration) : action;
    this.#screen.commitNow({ problem: { kind, message, action: next } });
  }

  #recover(cause: string, paused: boolean, changed: EngineChange = null): void {
    const iteration = this.#live!.raw.checkpoint?.iteration ?? null;
    const recovered = words.recovering(cause, iteration, changed);
    this.#leave.note(false);
    this.#screen.commitNow({ ...CLEARED, state: "loading", recovered });
    this.#restart(paused || this.#stepping);
  }

  /** A new worker, from the newest checkpoint or the beginning. */
  #restart(paused: boolean): void {
    const { raw } = this.#live!;
    const { engine } = this.#recovery;
    this.#dropWorker(words.unanswered);
    this.#live!.restartAt(raw.checkpoint?.events ?? 0);
    this.#start({
      spec: raw.spec,
      paused,
      ...(raw.checkpoint && { saved: raw.checkpoint.bytes }),
      ...(engine && { engine }),
    });
    if (this.#stepping) this.#worker.send({ type: "step" });
  }

  #drop(): void {
    // It is already ending, with its own time limit.
    if (this.#store.getState().stopping) return;
    if (!this.#worker.isOpen) return this.#finishStop();
    // A failed worker may not answer.
    if (this.#store.getState().state === "failed") return this.#closeWorker();
    this.#leave.note(false);
    this.#screen.commitNow({ stopping: true });
    this.#worker.send({ type: "stop" });
    const timeLimit = this.#options.stopLimit ?? STOP_LIMIT;
    this.#stopTimer = setTimeout(() => this.#closeWorker(), timeLimit);
  }

  #finishStop(): void {
    if (this.#stopTimer !== null) clearTimeout(this.#stopTimer);
    this.#stopTimer = null;
    this.#leave.note(false);
    this.#stepping = false;
    this.#answers.dropAll();
    this.#worker.works = false;
    this.#live = null;
    this.#options.keeper?.drop();
    const dropped = { stopping: false, state: "idle", runSpec: null, engine: null } as const;
    this.#screen.commitNow({ ...CLEARED, ...dropped, view: this.#screen.behind });
    const then = this.#then;
    this.#then = null;
    then?.();
  }

  #dropWorker(why?: string): void {
    this.#worker.drop();
    this.#answers.dropAll(why);
  }

  #closeWorker(): void {
    this.#dropWorker();
    this.#finishStop();
  }
}
