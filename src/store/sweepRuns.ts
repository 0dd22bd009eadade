/**
 * The runs of a sweep, one after the other on one session, through the page's queue. A finished run
 * is found by what it trained, so a changed sweep keeps the runs that it still has. With a shelf
 * they survive the page.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { SweepRun } from "../notebook/cells/sweep/plan.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { isRunOver, type ExperimentStore } from "./experimentState.ts";
import type { ExperimentHandle } from "./hooks.ts";
import type { ResumedRun } from "./resumedRun.ts";
import { isActive, leaveQueue, runInTurn, runQueue } from "./runQueue.ts";
import { openDraft } from "./specDraft.ts";
import type { KeptSweepRun, SweepShelf } from "./sweepShelf.ts";
import { noteSaved } from "./unsaved.ts";

/** The result of a run: its log, or why there is none. */
type SweepResult = { log: RunLog } | { problem: string };

interface SweepState {
  /** By the run's key. */
  results: ReadonlyMap<string, SweepResult>;
  /** Runs still to come, the current one first. */
  pending: readonly SweepRun[];
  /** Whether the current one is paused. */
  isPaused: boolean;
  /** What trains them; null before the first. */
  trainer: ExperimentStore | null;
  /** Iterations of stored unfinished runs, by key. */
  stopped: ReadonlyMap<string, number>;
  /** Whether finished runs survive the page. */
  isKept: boolean;
  /** Whether another tab trains the notebook's sweeps: its stored runs are shown here. */
  isElsewhere: boolean;
}

/** A session that starts a new run or resumes a stored one. */
export interface SweepHandle extends ExperimentHandle {
  /** The next press of Run resumes this one; null: it starts a new run. One that is not used is released. */
  takeUp(run: ResumedRun | null): void;
  /** Resolves when the current run's data has been stored; false if that failed. */
  settle(): Promise<boolean>;
}

interface SweepHost {
  /** Creates the session that trains; called once, for the first run. */
  open: (run: SweepRun) => SweepHandle;
  /** A run's name in the queue. */
  nameOf: (run: SweepRun) => string;
  /** Null: runs are not stored. */
  shelf: SweepShelf | null;
}

export class SweepRuns {
  readonly store: StoreApi<SweepState>;
  #host: SweepHost;
  #handle: SweepHandle | null = null;
  /** Results already looked up, by key. */
  #looked = new Map<string, SweepRun>();
  #looking: Promise<unknown> = Promise.resolve();
  /** Unfinished ones, by key. */
  #kept = new Map<string, KeptSweepRun>();
  /** A stored run is being read, or a finished one written: the next one starts by itself. */
  #isBusy = false;
  /** The run that the session trains, or has paused. */
  #started: SweepRun | null = null;
  /** The reader has stopped the current run, and it is ending: the next one starts then. */
  #isStopping = false;
  /** It has finished, and is being written: a page reloaded now must resume it. */
  #unwritten: SweepRun | null = null;
  /** Releases the notebook's sweeps to other tabs; null if this tab does not have them. */
  #release: (() => void) | null = null;

  constructor(host: SweepHost) {
    this.#host = host;
    this.store = createStore<SweepState>(() => ({
      results: new Map(),
      pending: [],
      isPaused: false,
      trainer: null,
      stopped: new Map(),
      isKept: host.shelf !== null,
      isElsewhere: false,
    }));
    this.store.subscribe(({ pending }, before) => {
      if (pending === before.pending) return;
      this.#remember();
      this.#releaseClaim();
    });
    host.shelf?.claim.onChange(() => void this.#lookAgain());
  }

  /** Looks up stored runs, each once. After a reload of the tab the requested ones continue. */
  look(runs: readonly SweepRun[]): Promise<unknown> {
    const { shelf } = this.#host;
    const wanted = runs.filter(({ key }) => !this.#looked.has(key));
    if (!shelf || wanted.length === 0) return this.#looking;
    for (const run of wanted) this.#looked.set(run.key, run);
    const ahead = this.#looking;
    this.#looking = shelf.find(wanted).then(async (found) => {
      await ahead;
      this.#take(found);
      const asked = shelf.asked(wanted);
      if (asked.length > 0 && (await this.#hold(shelf)))
        this.#begin([...this.store.getState().pending, ...asked]);
      await this.#noteOther(shelf);
    });
    return this.#looking;
  }

  /** Trains those without a result; earlier requests are dropped, except for the current run. */
  async run(wanted: readonly SweepRun[]): Promise<void> {
    const { shelf } = this.#host;
    if (shelf) await this.look(wanted);
    if (!shelf || (await this.#hold(shelf))) this.#begin(wanted);
  }

  /** Claims the notebook's sweeps for this tab; false if another tab trains them. */
  async #hold(shelf: SweepShelf): Promise<boolean> {
    if (this.#release) return true;
    const release = await shelf.claim.take();
    if (this.#release) release?.();
    else this.#release = release;
    await this.#noteOther(shelf);
    return release !== null;
  }

  /** When no more runs are to come. */
  #releaseClaim(): void {
    if (this.#isBusy || this.store.getState().pending.length > 0) return;
    this.#release?.();
    this.#release = null;
  }

  async #noteOther({ claim }: SweepShelf): Promise<void> {
    const isElsewhere = await claim.isElsewhere();
    if (isElsewhere !== this.store.getState().isElsewhere) this.store.setState({ isElsewhere });
  }

  /** Another tab has started, stored a run, or ended. */
  async #lookAgain(): Promise<unknown> {
    const { results, pending } = this.store.getState();
    if (pending.length > 0) return;
    const open = [...this.#looked.values()].filter(({ key }) => !hasLog(results.get(key)));
    for (const { key } of open) this.#looked.delete(key);
    if (this.#host.shelf) await this.#noteOther(this.#host.shelf);
    return this.look(open);
  }

  /** Ends the current run and drops the waiting ones. */
  stop(): void {
    this.store.setState({ pending: [] });
    if (!this.#handle) return;
    leaveQueue(this.#handle);
    this.#handle.takeUp(null);
    const { state, view } = this.#handle.store.getState();
    if (isRunOver(state)) return;
    // The reader has just decided: no question.
    noteSaved(view.log, Infinity);
    this.#handle.session.reset();
    this.#isStopping = this.#handle.store.getState().stopping;
  }

  /** Resumes a paused run, in its turn. */
  resume(): void {
    if (this.#handle) runInTurn(this.#handle);
  }

  #take(found: ReadonlyMap<string, { log: RunLog } | KeptSweepRun>): void {
    const { results, stopped } = this.store.getState();
    const [now, left] = [new Map(results), new Map(stopped)];
    for (const [key, one] of found) {
      if (hasLog(now.get(key))) continue;
      if ("log" in one) {
        now.set(key, one);
        left.delete(key);
      } else {
        this.#kept.set(key, one);
        left.set(key, one.iteration);
      }
    }
    this.store.setState({ results: now, stopped: left });
  }

  #begin(wanted: readonly SweepRun[]): void {
    const { results, pending } = this.store.getState();
    const current = this.#isUnderWay() ? pending.slice(0, 1) : [];
    const rest = wanted.filter(
      ({ key }) => !hasLog(results.get(key)) && !current.some((one) => one.key === key),
    );
    this.store.setState({ pending: [...current, ...rest] });
    if (current.length === 0) this.#next();
    // A paused one continues first, then the newly requested ones.
    else this.resume();
  }

  /** Whether the current run is training, or paused until its reader resumes it. */
  #isUnderWay(): boolean {
    if (!this.#handle || this.#isStopping) return false;
    return isActive(this.#handle) || this.#handle.store.getState().state === "paused";
  }

  #next(): void {
    const [run] = this.store.getState().pending;
    if (!run || this.#isBusy || this.#isStopping) return;
    const kept = this.#kept.get(run.key);
    if (kept) void this.#readAndStart(run, kept);
    else this.#start(run, null);
  }

  /** Resumes the stored run; starts again if it cannot be read, or another tab has it. */
  async #readAndStart(run: SweepRun, kept: KeptSweepRun): Promise<void> {
    this.#isBusy = true;
    const resumed = await kept.takeUp().catch(() => null);
    this.#isBusy = false;
    if (this.store.getState().pending[0]?.key !== run.key) {
      resumed?.release();
      return this.#next();
    }
    this.#forgetKept(run);
    this.#start(run, resumed);
  }

  #start(run: SweepRun, resumed: ResumedRun | null): void {
    const handle = this.#named(run);
    // Resumes a paused run; otherwise trains the requested one.
    if (handle.store.getState().state !== "paused") {
      handle.store.setState({ draft: openDraft(run.spec) });
      handle.takeUp(resumed);
      this.#started = run;
    } else resumed?.release();
    runInTurn(handle);
  }

  #forgetKept({ key }: SweepRun): void {
    this.#kept.delete(key);
    const stopped = new Map(this.store.getState().stopped);
    if (stopped.delete(key)) this.store.setState({ stopped });
  }

  /** The one session, under the run's name. */
  #named(run: SweepRun): SweepHandle {
    this.#handle ??= this.#follow(this.#host.open(run));
    return (this.#handle = { ...this.#handle, id: this.#host.nameOf(run) });
  }

  #follow(handle: SweepHandle): SweepHandle {
    this.store.setState({ trainer: handle.store });
    handle.store.subscribe(({ state, view, problem }, before) => {
      if (state === before.state) return;
      this.store.setState({ isPaused: state === "paused" });
      this.#remember();
      if (state === "finished") this.#done({ log: view.log });
      else if (state === "failed") this.#done({ problem: problem?.message ?? "" });
      else if (state === "idle") this.#dropped();
    });
    runQueue.subscribe(({ waiting }, before) => {
      const isIn = (list: typeof waiting) => list.some(({ store }) => store === handle.store);
      if (!isIn(before.waiting) || isIn(waiting)) return;
      // It has left the queue to run, or because the reader removed it.
      queueMicrotask(() => {
        if (isActive(handle)) return;
        handle.takeUp(null);
        this.store.setState({ pending: [] });
      });
    });
    return handle;
  }

  /** The session is empty: after Stop, when others may be waiting, or after Reset, which drops them all. */
  #dropped(): void {
    this.#started = null;
    if (!this.#isStopping) return this.store.setState({ pending: [] });
    this.#isStopping = false;
    queueMicrotask(() => this.#next());
  }

  #done(result: SweepResult): void {
    const { results, pending } = this.store.getState();
    const run = this.#started ?? pending[0];
    if (!run) return;
    this.#started = null;
    const rest = pending.filter(({ key }) => key !== run.key);
    // The next run starts without a question: this one is stored, or has reported why it is not.
    noteSaved("log" in result ? result.log : this.#handle!.store.getState().view.log, Infinity);
    // The data of a failed run is looked up again, to resume from there.
    if (!("log" in result)) this.#looked.delete(run.key);
    this.#isBusy = this.#host.shelf !== null;
    if ("log" in result) this.#unwritten = run;
    this.store.setState({ results: new Map(results).set(run.key, result), pending: rest });
    // Those already waiting come first.
    if (!this.#host.shelf) queueMicrotask(() => this.#next());
    else void this.#settle();
  }

  async #settle(): Promise<void> {
    const isKept = (await this.#handle?.settle()) ?? false;
    this.#isBusy = false;
    this.#unwritten = null;
    this.#remember();
    this.store.setState({ isKept });
    this.#host.shelf?.claim.changed();
    this.#next();
    this.#releaseClaim();
  }

  /** Waiting or paused runs start after a reload only when their reader says so. */
  #remember(): void {
    const goesOn = this.#isBusy || (this.#handle !== null && isActive(this.#handle));
    const { pending } = this.store.getState();
    const wanted = this.#unwritten ? [this.#unwritten, ...pending] : pending;
    this.#host.shelf?.remember(goesOn ? wanted : []);
  }
}

export function hasLog(result: SweepResult | undefined): result is { log: RunLog } {
  return result !== undefined && "log" in result;
}
