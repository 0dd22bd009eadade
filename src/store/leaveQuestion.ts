/** Whether dropping a live run would lose data, and the question to the reader. */
import type { ExperimentStore, Leaving } from "./experimentState.ts";
import type { LiveLog } from "./liveLog.ts";
import { isKept } from "./runs.ts";
import { RunningTime, wouldBeLost } from "./unsaved.ts";

export class LeaveQuestion {
  #store: ExperimentStore;
  #live: () => LiveLog | null;
  #running = new RunningTime();
  /** The action waiting for the reader's decision. */
  #waiting: (() => void) | null = null;

  constructor(store: ExperimentStore, live: () => LiveLog | null) {
    this.#store = store;
    this.#live = live;
  }

  /** Updates whether the run is running: a run of a moment is not worth a question. */
  note(runs: boolean): void {
    this.#running.note(this.#live()?.log ?? null, runs);
  }

  /** Whether an unsaved live run that took a while would be lost. */
  get atRisk(): boolean {
    const live = this.#live();
    return live !== null && wouldBeLost(live.log, this.#running.soFar);
  }

  /** Acts at once if nothing would be lost; otherwise asks first. */
  confirmThen(leaving: Leaving, act: () => void): void {
    if (!this.atRisk || isKept(this.#live()!.log)) return act();
    this.#waiting = act;
    this.#store.setState({ leaving });
  }

  decide(drop: boolean): void {
    const act = this.#waiting;
    this.#waiting = null;
    this.#store.setState({ leaving: null });
    if (drop) act?.();
  }
}
