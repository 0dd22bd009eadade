/** Which run the store shows: the live one once it has numbers, else an imported one, else a recorded one. */
import type { ExperimentStore } from "./experimentState.ts";
import type { RunSlice } from "./experimentState.ts";
import { noRun, viewOf, type RunLog, type RunView } from "../reading/log/runLog.ts";
import { keepRun, nameRun } from "./runs.ts";
import { throttle } from "./throttle.ts";

/** Milliseconds between commits to the store. */
const COMMIT_INTERVAL = 250;

export class RunScreen {
  /** Shows new data soon. */
  readonly commit: (() => void) & { flush(): void };
  #store: ExperimentStore;
  #live: () => RunLog | null;
  #recorded: RunView | null = null;
  #imported: RunView | null = null;
  #importedLabel = "";
  #patch: Partial<RunSlice> = {};

  constructor(store: ExperimentStore, live: () => RunLog | null) {
    this.#store = store;
    this.#live = live;
    this.commit = throttle(() => this.#show(), COMMIT_INTERVAL);
    // Another environment in the form hides the recorded run, or shows it again.
    store.subscribe((now) => {
      if (now.recorded?.log === this.#fitting()?.log) return;
      const view = now.view.origin === "live" ? {} : { view: this.behind };
      store.setState({ recorded: this.#fitting(), ...view });
    });
  }

  commitLater(changes: Partial<RunSlice>): void {
    Object.assign(this.#patch, changes);
    this.commit();
  }

  commitNow(changes: Partial<RunSlice>): void {
    this.commitLater(changes);
    this.commit.flush();
  }

  showRecording(log: RunLog): void {
    this.#recorded = viewOf(log, "recorded");
    const isLive = this.#store.getState().view.origin === "live";
    this.#store.setState({ recorded: this.#fitting(), ...(!isLive && { view: this.behind }) });
  }

  setImported(log: RunLog | null, label = ""): void {
    this.#imported = log && viewOf(log, "imported");
    this.#importedLabel = label;
    if (log) nameRun(log, label);
  }

  /** A run is about to replace it. */
  keepImported(): void {
    if (this.#imported) keepRun(this.#imported.log, this.#importedLabel, "imported");
  }

  showBehind(): void {
    this.#store.setState({ view: this.behind });
  }

  #show(): void {
    const live = this.#live();
    // Until the live run has numbers, the recorded one stays on screen.
    const hasNumbers = live?.algorithms.some((name) => live.iterations(name).length > 0);
    const shown = live && hasNumbers ? { view: viewOf(live, "live") } : {};
    this.#store.setState({ ...this.#patch, ...shown });
    this.#patch = {};
    // Visible only in a browser's performance recording.
    console.timeStamp?.("store commit");
  }

  /** The recorded run if it plays in the same environment: it does not apply to another one. */
  #fitting(): RunView | null {
    return this.#recorded && isOf(this.#recorded, this.#store.getState()) ? this.#recorded : null;
  }

  /** What is shown while no live run has numbers. */
  get behind(): RunView {
    return this.#imported ?? this.#fitting() ?? noRun();
  }
}

type RunOrDraft = Pick<ReturnType<ExperimentStore["getState"]>, "runSpec" | "draft">;

/** Whether a log is from the environment of the current run or form; a log without one counts. */
function isOf({ log }: RunView, { runSpec, draft }: RunOrDraft): boolean {
  const kind = log.start?.spec.environment.kind;
  return kind === undefined || kind === (runSpec ?? draft.spec).environment.kind;
}
