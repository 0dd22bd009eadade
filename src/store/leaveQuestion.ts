/** What would be lost with a live run that is dropped, and the question whether it may be. */
import type { ExperimentStore, Leaving } from "./experimentState.ts";
import type { LiveLog } from "./liveLog.ts";
import { isKept } from "./runs.ts";
import { RunningTime, wouldBeLost } from "./unsaved.ts";

export class LeaveQuestion {
  #store: ExperimentStore;
  #live: () => LiveLog | null;
  #running = new RunningTime();
  /** What waits for the reader's decision. */
  #waiting: (() => void) | null = null;

  constructor(store: ExperimentStore, live: () => LiveLog | null) {
    this.#store = store;
    this.#live = live;
  }

  /** Whether the run goes on from now on: a run of a moment is not worth a question. */
  note(runs: boolean): void {
    this.#running.note(this.#live()?.log ?? null, runs);
  }

  /** Whether a live run that took a while and is not saved would be lost. */
  get atRisk(): boolean {
    const live = this.#live();
    return live !== null && wouldBeLost(live.log, this.#running.soFar);
  }

  /** At once where nothing is lost by it. */
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
