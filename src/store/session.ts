/**
 * The life of an experiment's run: buttons go to the worker, the worker's messages to the log, and the log to
 * the store, at most four times a second.
 */
import type { Client, Connect } from "../runtime/client.ts";
import type { FromWorker, RunState } from "../runtime/protocol.ts";
import type { AnswerTo, Question } from "../runtime/questions.ts";
import { Questions, type Asking } from "./asking.ts";
import type { ExperimentStore, RunSlice } from "./experimentStore.ts";
import { RunLog, noRun, viewOf, type RunView } from "./runLog.ts";
import { keepRun, nameRun } from "./runs.ts";
import { throttle } from "./throttle.ts";

/** Milliseconds between commits to the store. */
const COMMIT_INTERVAL = 250;
/** How long a reset waits for the worker's answer before it ends the worker. */
const STOP_PATIENCE = 8000;

export interface Session {
  /** Starts, goes on, or pauses: what the one big button does. */
  toggleRun(): void;
  /** One iteration of every algorithm. */
  step(): void;
  /** Drops the live run; the recorded one is shown again. */
  reset(): void;
  setPace(milliseconds: number): void;
  /** Loads the models and waits: they can be asked, and nothing is trained yet. */
  load(): void;
  /** Asks the live run's models; its progress is told as it comes. */
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
}

interface Options {
  connect: Connect;
  /** Called when a run begins, so that others can be paused. */
  onBegin?: () => void;
  stopPatience?: number;
}

export function createSession(store: ExperimentStore, options: Options): Session {
  let client: Client | null = null;
  let log = new RunLog();
  let recorded: RunView | null = null;
  let imported: RunView | null = null;
  let importedLabel = "imported run";
  /** The recorded run where it plays in the same environment: about another one it says nothing. */
  const fitting = () => (recorded && isOf(recorded, store) ? recorded : null);
  /** What is shown while no live run has numbers. */
  const behind = () => imported ?? fitting() ?? noRun();
  let patch: Partial<RunSlice> = {};
  const questions = new Questions((message) => client?.send(message));
  let stopTimer: ReturnType<typeof setTimeout> | null = null;

  // Another environment in the form: the recorded run goes, or comes back.
  store.subscribe((now) => {
    if (now.recorded?.log === fitting()?.log) return;
    store.setState({ recorded: fitting(), ...(now.view.origin !== "live" && { view: behind() }) });
  });

  const commit = throttle(() => {
    // Until the live run has numbers, the recorded one stays on screen.
    const hasNumbers = log.algorithms.some((name) => log.iterations(name).length > 0);
    const shown = hasNumbers ? viewOf(log, "live") : null;
    store.setState({ ...patch, ...(shown && { view: shown }) });
    patch = {};
    // Seen in a recording of the browser's performance, and nowhere else.
    console.timeStamp?.("store commit");
  }, COMMIT_INTERVAL);

  const commitNow = (changes: Partial<RunSlice>) => {
    Object.assign(patch, changes);
    commit();
    commit.flush();
  };

  const hear = (message: FromWorker) => {
    // After a reset only the worker's "idle" counts: what it said before belongs to the dropped run.
    if (store.getState().stopping) {
      if (message.type === "state" && message.state === "idle") finishStop();
      return;
    }
    receive(message);
  };

  const receive = (message: FromWorker) => {
    switch (message.type) {
      case "asked":
      case "answer":
      case "refused":
        return questions.hear(message);
      case "events":
        for (const event of message.events) log.append(event);
        return commit();
      case "progress":
        patch.progress = message.progress;
        return commit();
      case "engine":
        return commitNow({ engine: message.report });
      case "state":
        return commitNow({
          state: message.state,
          ...(isOver(message.state) && { progress: null }),
          // Going on answers what an alarm said.
          ...(message.state === "running" && { problem: null }),
        });
      case "alarm": {
        const { message: text, action } = message;
        return commitNow({ problem: { kind: "learning", message: text, action } });
      }
      case "fingerprint":
        return commitNow({ fingerprint: message.fingerprint });
      case "error": {
        const { kind, message: text, action } = message;
        return commitNow({ problem: { kind, message: text, action } });
      }
    }
  };

  const open = () => (client ??= options.connect(hear));

  const begin = (paused: boolean) => {
    const { draft, pace, state } = store.getState();
    log = new RunLog();
    // A worker that has failed may be past hearing: the next run gets a new one.
    if (state === "failed") dropWorker();
    if (imported) keepRun(imported.log, importedLabel, "imported");
    options.onBegin?.();
    const cleared = { problem: null, fingerprint: null, progress: null };
    commitNow({ ...cleared, state: "loading", runSpec: draft.spec, view: behind() });
    open().send({ type: "pace", milliseconds: pace });
    open().send({ type: "start", spec: draft.spec, paused });
  };

  const finishStop = () => {
    if (stopTimer !== null) clearTimeout(stopTimer);
    stopTimer = null;
    questions.dropAll();
    log = new RunLog();
    const cleared = { problem: null, fingerprint: null, progress: null, runSpec: null };
    commitNow({ ...cleared, stopping: false, state: "idle", view: behind() });
  };

  const dropWorker = () => {
    client?.close();
    client = null;
    questions.dropAll();
  };

  const closeWorker = () => {
    dropWorker();
    finishStop();
  };

  return {
    toggleRun() {
      const { state, stopping } = store.getState();
      if (stopping || state === "loading") return;
      if (state === "running") client?.send({ type: "pause" });
      else if (state === "paused") client?.send({ type: "resume" });
      else begin(false);
    },
    step() {
      const { state, stopping } = store.getState();
      if (stopping || state === "running" || state === "loading") return;
      if (state !== "paused") begin(true);
      client?.send({ type: "step" });
    },
    reset() {
      const { state, stopping } = store.getState();
      if (stopping) return;
      if (!client) return finishStop();
      // A worker that has failed may not answer.
      if (state === "failed") return closeWorker();
      commitNow({ stopping: true });
      client.send({ type: "stop" });
      stopTimer = setTimeout(closeWorker, options.stopPatience ?? STOP_PATIENCE);
    },
    load() {
      const { state, stopping } = store.getState();
      if (stopping || state === "loading" || state === "running" || state === "paused") return;
      begin(true);
    },
    ask: (question, onProgress) => questions.ask(question, onProgress),
    setPace(milliseconds) {
      store.setState({ pace: milliseconds });
      client?.send({ type: "pace", milliseconds });
    },
    showRecording(recording) {
      recorded = viewOf(recording, "recorded");
      const isLive = store.getState().view.origin === "live";
      store.setState({ recorded: fitting(), ...(!isLive && { view: behind() }) });
    },
    showImported(log, label = "imported run") {
      imported = log && viewOf(log, "imported");
      importedLabel = label;
      if (log) nameRun(log, label);
      const { view, state } = store.getState();
      if (log && (view.origin === "live" || !isOver(state))) this.reset();
      else if (view.origin !== "live") store.setState({ view: behind() });
    },
  };
}

/** Whether a log is of the environment that is run, or would be; one that does not say is taken to be. */
function isOf({ log }: RunView, store: ExperimentStore): boolean {
  const { runSpec, draft } = store.getState();
  const kind = log.start?.spec.environment.kind;
  return kind === undefined || kind === (runSpec ?? draft.spec).environment.kind;
}

function isOver(state: RunState): boolean {
  return state === "idle" || state === "finished" || state === "failed";
}
