/**
 * The runs of a sweep, one after the other on one session, through the page's queue. What has finished stays in memory as
 * long as the page, by its experiment: a sweep that is changed keeps the runs that it still has.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { SweepRun } from "../notebook/sweepCell.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import type { ExperimentHandle } from "./hooks.ts";
import { isActive, leaveQueue, runInTurn, runQueue } from "./runQueue.ts";
import { openDraft } from "./specDraft.ts";
import { noteSaved } from "./unsaved.ts";

/** What came of a run: its log, or why there is none. */
type SweepResult = { log: RunLog } | { problem: string };

interface SweepState {
  /** By the run's key. */
  results: ReadonlyMap<string, SweepResult>;
  /** Runs that are still to come, the present one first. */
  pending: readonly SweepRun[];
}

interface SweepHost {
  /** Makes the session that trains; called once, for the first run. */
  open: (run: SweepRun) => ExperimentHandle;
  /** What the queue calls a run. */
  nameOf: (run: SweepRun) => string;
}

export class SweepRuns {
  readonly store: StoreApi<SweepState> = createStore(() => ({ results: new Map(), pending: [] }));
  #host: SweepHost;
  #handle: ExperimentHandle | null = null;

  constructor(host: SweepHost) {
    this.#host = host;
  }

  /** Trains those that have no result yet; what was asked for before is forgotten, but for the run that is under way. */
  run(wanted: readonly SweepRun[]): void {
    const { results, pending } = this.store.getState();
    const current = this.#handle && isActive(this.#handle) ? pending.slice(0, 1) : [];
    const rest = wanted.filter(
      ({ key }) => !hasLog(results.get(key)) && !current.some((one) => one.key === key),
    );
    this.store.setState({ pending: [...current, ...rest] });
    if (current.length === 0) this.#next();
  }

  /** Ends the present run and forgets those that wait. */
  stop(): void {
    this.store.setState({ pending: [] });
    if (!this.#handle) return;
    leaveQueue(this.#handle);
    const { state, view } = this.#handle.store.getState();
    if (state !== "running" && state !== "loading" && state !== "paused") return;
    // The reader has just said so: no question.
    noteSaved(view.log, Infinity);
    this.#handle.session.reset();
  }

  #next(): void {
    const [run] = this.store.getState().pending;
    if (!run) return;
    const handle = this.#named(run);
    // Where a run has been paused it resumes; what was asked for is what it trains.
    if (handle.store.getState().state !== "paused")
      handle.store.setState({ draft: openDraft(run.spec) });
    runInTurn(handle);
  }

  /** The one session, under the run's name. */
  #named(run: SweepRun): ExperimentHandle {
    this.#handle ??= this.#follow(this.#host.open(run));
    return (this.#handle = { ...this.#handle, id: this.#host.nameOf(run) });
  }

  #follow(handle: ExperimentHandle): ExperimentHandle {
    handle.store.subscribe(({ state, view, problem }, before) => {
      if (state === before.state) return;
      if (state === "finished") this.#done({ log: view.log });
      else if (state === "failed") this.#done({ problem: problem?.message ?? "" });
      else if (state === "idle") this.store.setState({ pending: [] });
    });
    runQueue.subscribe(({ waiting }, before) => {
      const isIn = (list: typeof waiting) => list.some(({ store }) => store === handle.store);
      if (!isIn(before.waiting) || isIn(waiting)) return;
      // It has left the queue to run, or because the reader took it out.
      queueMicrotask(() => {
        if (!isActive(handle)) this.store.setState({ pending: [] });
      });
    });
    return handle;
  }

  #done(result: SweepResult): void {
    const { results, pending } = this.store.getState();
    const [run, ...rest] = pending;
    if (!run) return;
    // The next run begins without a question: this one stays.
    if ("log" in result) noteSaved(result.log, Infinity);
    this.store.setState({ results: new Map(results).set(run.key, result), pending: rest });
    // Those that wait already come first.
    queueMicrotask(() => this.#next());
  }
}

export function hasLog(result: SweepResult | undefined): result is { log: RunLog } {
  return result !== undefined && "log" in result;
}
