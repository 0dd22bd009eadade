/**
 * The life of an experiment's run: buttons go to the worker, the worker's messages to the log, and the log to the store, at
 * most four times a second. A worker that fails is replaced, and the run continues from its newest checkpoint.
 */
import type { FromWorker, RunState, StartMessage } from "../runtime/protocol.ts";
import type { Question } from "../runtime/questions.ts";
import { answererOf } from "./answerer.ts";
import { Questions, Refused, type Asking } from "./asking.ts";
import { allowCode, askForCode, mayRun } from "./codeConsent.ts";
import { recordedSource } from "../reading/log/columnar.ts";
import type { ExperimentStore, Leaving, RunSlice } from "./experimentState.ts";
import { LiveLog } from "./liveLog.ts";
import { rawOf, type RawRun } from "../reading/log/rawRun.ts";
import { RecordedAnswers } from "./recordedAnswers.ts";
import { Recovery, type Failure } from "./recovery.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { isKept } from "./runs.ts";
import { RunScreen } from "./runScreen.ts";
import type { ResumedRun, Session, SessionOptions } from "./sessionApi.ts";
import { sessionWords as words } from "./sessionWords.ts";
import { TrainingWorker } from "./trainingWorker.ts";
import { resolveChoice } from "./turnChoice.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { RunningTime, wouldBeLost } from "./unsaved.ts";

/** How long a reset waits for the worker's answer before it ends the worker. */
const STOP_PATIENCE = 8000;
/** How long a save waits for a fresh checkpoint before it takes the newest there is; a run can stand within an iteration. */
const SAVE_PATIENCE = { runs: 5000, stands: 1500 };

export function createSession(store: ExperimentStore, options: SessionOptions): Session {
  return new LiveSession(store, options);
}

type Start = Omit<StartMessage, "type">;

class LiveSession implements Session {
  #store: ExperimentStore;
  #options: SessionOptions;
  #screen: RunScreen;
  #worker: TrainingWorker;
  #questions: Questions;
  /** Answers of the recorded run that is shown, once it has been asked. */
  #recorded: RecordedAnswers | null = null;
  #live: LiveLog | null = null;
  #recovery = new Recovery();
  #stopTimer: ReturnType<typeof setTimeout> | null = null;
  /** Whether one iteration is under way that was asked for by itself. */
  #stepping = false;
  #running = new RunningTime();
  /** Whether the reader is being asked about the code of a run that is to begin. */
  #asking = false;
  /** What waits for the reader's decision. */
  #waiting: (() => void) | null = null;
  #onCheckpoint: (() => void) | null = null;

  constructor(store: ExperimentStore, options: SessionOptions) {
    this.#store = store;
    this.#options = options;
    this.#screen = new RunScreen(store, () => this.#live?.log ?? null);
    this.#worker = new TrainingWorker({
      connect: options.connect,
      hear: (message) => this.#hear(message),
      onSilence: (silence) => this.#screen.commitNow({ silence }),
      patience: options.patience,
    });
    if (options.keeper)
      options.keeper.worker = {
        onKept: (events) => this.#worker.send({ type: "kept", events }),
        onForgotten: () => this.#worker.send({ type: "forget" }),
      };
    this.#questions = new Questions((message) => this.#worker.send(message));
  }

  toggleRun = (): void => {
    const { state, stopping } = this.#store.getState();
    if (stopping || state === "loading") return;
    if (state === "running") this.#worker.send({ type: "pause" });
    else if (state === "paused") this.#worker.send({ type: "resume" });
    else this.#orAsk("run", () => this.#begin(false));
  };

  step = (): void => {
    const { state, stopping } = this.#store.getState();
    if (stopping || state === "running" || state === "loading") return;
    const act = () => {
      this.#stepping = true;
      this.#worker.send({ type: "step" });
    };
    if (state === "paused") return act();
    this.#orAsk("run", () => this.#begin(true, act));
  };

  reset = (): void => {
    if (!this.#store.getState().stopping) this.#orAsk("reset", () => this.#drop());
  };

  load = (): void => {
    const { state, stopping } = this.#store.getState();
    if (stopping || state === "loading" || state === "running" || state === "paused") return;
    this.#orAsk("run", () => this.#begin(true));
  };

  ask = <Q extends Question>(question: Q, onProgress?: (done: number, total: number) => void) => {
    const { view, choice } = this.#store.getState();
    const source =
      answererOf(this.#store.getState()) === "recorded" ? recordedSource(view.log) : null;
    if (!source) return this.#questions.ask(question, onProgress);
    if (!mayRun(source.spec?.definitions)) return refusing(words.codeWaits);
    if (this.#recorded?.source !== source) {
      this.#recorded?.drop();
      this.#recorded = new RecordedAnswers(source, this.#options.connect);
    }
    const asked = "iteration" in question ? question.iteration : null;
    const iteration = asked ?? resolveChoice(view.log, choice).iteration;
    return this.#recorded.ask(question, iteration, onProgress);
  };

  setPace = (milliseconds: number): void => {
    this.#store.setState({ pace: milliseconds });
    this.#worker.send({ type: "pace", milliseconds });
  };

  showRecording = (log: RunLog): void => this.#screen.showRecording(log);

  showImported = (log: RunLog | null, label = "imported run"): void => {
    const { view, state } = this.#store.getState();
    this.#screen.setImported(log, label);
    if (log && (view.origin === "live" || !isOver(state))) this.#drop();
    else if (view.origin !== "live") this.#screen.showBehind();
  };

  continueRun = (begins = () => {}): void => {
    const { view, state, stopping } = this.#store.getState();
    const raw = rawOf(view.log);
    if (!raw?.checkpoint || stopping || !isOver(state)) return;
    this.#ifAllowed(raw.spec, () => {
      begins();
      // What is continued is no longer the file: it grows.
      this.#screen.setImported(null);
      this.#options.keeper?.begin(raw);
      this.#goOn(raw, view.log, false);
    });
  };

  resume = (run: ResumedRun): void => {
    const { kept, raw, log, release } = run;
    if (this.#live) return release();
    const goOn = () => {
      this.#options.keeper?.adopt(run);
      this.#goOn(raw, log, kept.state === "paused");
    };
    const offer = () => {
      release();
      this.#store.setState({ resumable: kept });
    };
    this.#ifAllowed(raw.spec, goOn, offer);
  };

  /** At once where the code of the run may run; else the reader sees it first. `refused`: what else a no leads to. */
  #ifAllowed(spec: ExperimentSpec, act: () => void, refused = () => {}): void {
    if (mayRun(spec.definitions)) {
      // Its text may change while the run goes on, and the run is to be found again after a reload.
      allowCode(spec.definitions);
      return act();
    }
    if (this.#asking) return refused();
    this.#asking = true;
    void askForCode(spec.definitions!).then((yes) => {
      this.#asking = false;
      const { state, stopping } = this.#store.getState();
      if (yes && isOver(state) && !stopping) return act();
      refused();
      if (!yes) this.#sayRefused();
    });
  }

  #sayRefused(): void {
    const { codeRefused: message, codeAgain: action } = words;
    this.#screen.commitNow({ problem: { kind: "input", message, action } });
    this.#options.onRefused?.();
  }

  #goOn(raw: RawRun, log: RunLog, paused: boolean): void {
    this.#recovery = new Recovery();
    this.#live = new LiveLog(raw, this.#screen.commit, log);
    this.#screen.commitNow({ ...CLEARED, state: "loading", runSpec: raw.spec });
    if (!paused) this.#options.onBegin?.();
    this.#restart(paused);
  }

  replaceWorker = (): void => {
    const { state } = this.#store.getState();
    if (!this.#live || !this.#worker.isOpen) return;
    this.#recover(words.ended, state === "paused");
  };

  wait = (): void => this.#worker.wait();

  decide = (drop: boolean): void => {
    const act = this.#waiting;
    this.#waiting = null;
    this.#store.setState({ leaving: null });
    if (drop) act?.();
  };

  freshCheckpoint = async (): Promise<void> => {
    if (!this.#worker.isOpen) return;
    const patience = SAVE_PATIENCE[this.#store.getState().state === "running" ? "runs" : "stands"];
    await new Promise<void>((resolve) => {
      this.#onCheckpoint = resolve;
      setTimeout(resolve, patience);
      this.#worker.send({ type: "save" });
    });
    this.#onCheckpoint = null;
  };

  get atRisk(): boolean {
    return this.#live !== null && wouldBeLost(this.#live.log, this.#running.soFar);
  }

  get lostWithPage(): boolean {
    return this.atRisk && !(this.#options.keeper?.isKept ?? false);
  }

  /** At once where nothing is lost by it. */
  #orAsk(leaving: Leaving, act: () => void): void {
    if (!this.atRisk || isKept(this.#live!.log)) return act();
    this.#waiting = act;
    this.#store.setState({ leaving });
  }

  #begin(paused: boolean, then = () => {}): void {
    const { spec } = this.#store.getState().draft;
    this.#ifAllowed(spec, () => {
      this.#beginNow(spec, paused);
      then();
    });
  }

  #beginNow(spec: ExperimentSpec, paused: boolean): void {
    const { state } = this.#store.getState();
    this.#clock(false);
    this.#recovery = new Recovery();
    this.#live = LiveLog.empty(spec, this.#screen.commit);
    // A worker that has failed may be past hearing: the next run gets a new one.
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
    this.#recorded?.drop();
    this.#recorded = null;
    this.#worker.open();
    this.#worker.works = true;
    this.#worker.send({ type: "pace", milliseconds: this.#store.getState().pace });
    const keep = this.#options.keeper?.id;
    this.#worker.send({ type: "start", ...start, ...(keep !== undefined && { keep }) });
  }

  #hear(message: FromWorker): void {
    // After a reset only the worker's "idle" counts: what it said before belongs to the dropped run.
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
        return this.#questions.hear(message);
      case "events":
        this.#live?.take(message);
        return this.#screen.commit();
      case "checkpoint":
        return this.#keep(message.checkpoint);
      case "noCheckpoint":
        this.#onCheckpoint?.();
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
    this.#onCheckpoint?.();
  }

  #change(state: RunState): void {
    this.#clock(state === "running");
    this.#worker.works = state === "running" || state === "loading";
    if (state === "paused" || state === "finished") this.#stepping = false;
    if (state === "running" || state === "paused" || state === "finished")
      this.#options.keeper?.note(state);
    this.#screen.commitNow({
      state,
      ...(isOver(state) && { progress: null }),
      // Going on answers what an alarm said.
      ...(state === "running" && { problem: null }),
    });
  }

  #clock(runs: boolean): void {
    this.#running.note(this.#live?.log ?? null, runs);
  }

  /** Continues with a new worker where that may help; otherwise says what happened. */
  #fail(failure: Failure): void {
    const { engine, state } = this.#store.getState();
    const events = this.#live?.log.version ?? 0;
    const retry = this.#live && this.#recovery.next(failure, events, engine?.backend ?? null);
    // A run that is too large for a checkpoint would begin again and lose what it has.
    const unprotected = this.#store.getState().unprotected !== null && events > 0;
    if (retry && !unprotected)
      return this.#recover(failure.message, state === "paused", retry.changed);
    const { kind, message, action } = failure;
    const gaveUp = this.#recovery.gaveUp;
    const iteration = this.#live?.raw.checkpoint?.iteration ?? null;
    const next = gaveUp ? words.gaveUp(iteration) : action;
    this.#screen.commitNow({ problem: { kind, message, action: next } });
  }

  #recover(cause: string, paused: boolean, changed = false): void {
    const iteration = this.#live!.raw.checkpoint?.iteration ?? null;
    const recovered = words.recovering(cause, iteration, changed);
    this.#clock(false);
    this.#screen.commitNow({ ...CLEARED, state: "loading", recovered });
    this.#restart(paused || this.#stepping);
  }

  /** A new worker, at the newest checkpoint or the beginning. */
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
    if (!this.#worker.isOpen) return this.#finishStop();
    // A worker that has failed may not answer.
    if (this.#store.getState().state === "failed") return this.#closeWorker();
    this.#clock(false);
    this.#screen.commitNow({ stopping: true });
    this.#worker.send({ type: "stop" });
    const patience = this.#options.stopPatience ?? STOP_PATIENCE;
    this.#stopTimer = setTimeout(() => this.#closeWorker(), patience);
  }

  #finishStop(): void {
    if (this.#stopTimer !== null) clearTimeout(this.#stopTimer);
    this.#stopTimer = null;
    this.#clock(false);
    this.#stepping = false;
    this.#questions.dropAll();
    this.#worker.works = false;
    this.#live = null;
    this.#options.keeper?.drop();
    const dropped = { stopping: false, state: "idle", runSpec: null } as const;
    this.#screen.commitNow({ ...CLEARED, ...dropped, view: this.#screen.behind });
  }

  #dropWorker(why?: string): void {
    this.#worker.drop();
    this.#questions.dropAll(why);
  }

  #closeWorker(): void {
    this.#dropWorker();
    this.#finishStop();
  }
}

/** A question that is not even asked. */
function refusing(why: string): Asking<never> {
  return { answer: Promise.reject(new Refused(why)), withdraw: () => {} };
}

/** What belongs to the run before. */
const CLEARED: Partial<RunSlice> = {
  problem: null,
  fingerprint: null,
  progress: null,
  recovered: null,
  unprotected: null,
  silence: null,
  resumable: null,
};

function isOver(state: RunState): boolean {
  return state === "idle" || state === "finished" || state === "failed";
}
