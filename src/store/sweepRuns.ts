/**
 * The runs of a sweep, one after the other on one session, through the page's queue. What has finished is found by what it
 * trained: a sweep that is changed keeps the runs that it still has. Where a shelf is given they outlive the page.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { SweepRun } from "../notebook/sweepCell.ts";
import type { RunLog } from "../reading/log/runLog.ts";
import { isRunOver } from "./experimentState.ts";
import type { ExperimentHandle } from "./hooks.ts";
import type { ResumedRun } from "./resumedRun.ts";
import { isActive, leaveQueue, runInTurn, runQueue } from "./runQueue.ts";
import { openDraft } from "./specDraft.ts";
import type { KeptSweepRun, SweepShelf } from "./sweepShelf.ts";
import { noteSaved } from "./unsaved.ts";

/** What came of a run: its log, or why there is none. */
type SweepResult = { log: RunLog } | { problem: string };

interface SweepState {
  /** By the run's key. */
  results: ReadonlyMap<string, SweepResult>;
  /** Runs that are still to come, the present one first. */
  pending: readonly SweepRun[];
  /** Whether the present one is paused. */
  isPaused: boolean;
  /** Iterations of kept runs that have not finished, by key. */
  stopped: ReadonlyMap<string, number>;
  /** Whether what finishes outlives the page. */
  isKept: boolean;
  /** Whether another tab trains the notebook's sweeps: what it keeps shows here. */
  isElsewhere: boolean;
}

/** A session that begins either anew or where a kept run stands. */
export interface SweepHandle extends ExperimentHandle {
  /** The next press of Run goes on with this one; null: it begins anew. One that is not wanted is given back. */
  takeUp(run: ResumedRun | null): void;
  /** Resolves when what there is of the present run has been kept; false where it could not be. */
  settle(): Promise<boolean>;
}

interface SweepHost {
  /** Makes the session that trains; called once, for the first run. */
  open: (run: SweepRun) => SweepHandle;
  /** What the queue calls a run. */
  nameOf: (run: SweepRun) => string;
  /** Null: runs are kept nowhere. */
  shelf: SweepShelf | null;
}

export class SweepRuns {
  readonly store: StoreApi<SweepState>;
  #host: SweepHost;
  #handle: SweepHandle | null = null;
  /** Those that were looked for, by key. */
  #looked = new Map<string, SweepRun>();
  #looking: Promise<unknown> = Promise.resolve();
  /** Unfinished ones, by key. */
  #kept = new Map<string, KeptSweepRun>();
  /** A kept run is being read, or what has finished written: the next one begins by itself. */
  #isBusy = false;
  /** What the session trains, or holds paused. */
  #started: SweepRun | null = null;
  /** The reader has stopped the present run, and its end is on the way: the next one begins then. */
  #isStopping = false;
  /** It has finished, and is being written: a page that is reloaded now has to go on with it. */
  #unwritten: SweepRun | null = null;
  /** Gives the notebook's sweeps back to other tabs; null where this tab does not have them. */
  #release: (() => void) | null = null;

  constructor(host: SweepHost) {
    this.#host = host;
    this.store = createStore<SweepState>(() => ({
      results: new Map(),
      pending: [],
      isPaused: false,
      stopped: new Map(),
      isKept: host.shelf !== null,
      isElsewhere: false,
    }));
    this.store.subscribe(({ pending }, before) => {
      if (pending === before.pending) return;
      this.#remember();
      this.#letGo();
    });
    host.shelf?.claim.onChange(() => void this.#lookAgain());
  }

  /** Looks for what is kept of them, each once. After a reload of the tab those that were asked for go on. */
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

  /** Trains those that have no result yet; what was asked for before is forgotten, but for the run that is under way. */
  async run(wanted: readonly SweepRun[]): Promise<void> {
    const { shelf } = this.#host;
    if (shelf) await this.look(wanted);
    if (!shelf || (await this.#hold(shelf))) this.#begin(wanted);
  }

  /** Takes the notebook's sweeps for this tab; false where another tab trains them. */
  async #hold(shelf: SweepShelf): Promise<boolean> {
    if (this.#release) return true;
    const release = await shelf.claim.take();
    if (this.#release) release?.();
    else this.#release = release;
    await this.#noteOther(shelf);
    return release !== null;
  }

  /** When nothing is to come any more. */
  #letGo(): void {
    if (this.#isBusy || this.store.getState().pending.length > 0) return;
    this.#release?.();
    this.#release = null;
  }

  async #noteOther({ claim }: SweepShelf): Promise<void> {
    const isElsewhere = await claim.isElsewhere();
    if (isElsewhere !== this.store.getState().isElsewhere) this.store.setState({ isElsewhere });
  }

  /** Another tab has begun, kept a run, or ended. */
  async #lookAgain(): Promise<unknown> {
    const { results, pending } = this.store.getState();
    if (pending.length > 0) return;
    const open = [...this.#looked.values()].filter(({ key }) => !hasLog(results.get(key)));
    for (const { key } of open) this.#looked.delete(key);
    if (this.#host.shelf) await this.#noteOther(this.#host.shelf);
    return this.look(open);
  }

  /** Ends the present run and forgets those that wait. */
  stop(): void {
    this.store.setState({ pending: [] });
    if (!this.#handle) return;
    leaveQueue(this.#handle);
    this.#handle.takeUp(null);
    const { state, view } = this.#handle.store.getState();
    if (isRunOver(state)) return;
    // The reader has just said so: no question.
    noteSaved(view.log, Infinity);
    this.#handle.session.reset();
    this.#isStopping = this.#handle.store.getState().stopping;
  }

  /** Goes on with a run that was paused, in its turn. */
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
    // A paused one goes on, and then those that were asked for now.
    else this.resume();
  }

  /** Whether the present run trains, or is paused and goes on when its reader says so. */
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

  /** Goes on where the kept run stands; anew where that cannot be read, or another tab has it. */
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
    // Where a run has been paused it resumes; what was asked for is what it trains.
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
      // It has left the queue to run, or because the reader took it out.
      queueMicrotask(() => {
        if (isActive(handle)) return;
        handle.takeUp(null);
        this.store.setState({ pending: [] });
      });
    });
    return handle;
  }

  /** The session stands empty: by Stop, after which others may have been asked for, or by Reset, which forgets them all. */
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
    // The next run begins without a question: this one stays, or has said why it does not.
    noteSaved("log" in result ? result.log : this.#handle!.store.getState().view.log, Infinity);
    // What there is of one that failed is looked for again, to go on from there.
    if (!("log" in result)) this.#looked.delete(run.key);
    this.#isBusy = this.#host.shelf !== null;
    if ("log" in result) this.#unwritten = run;
    this.store.setState({ results: new Map(results).set(run.key, result), pending: rest });
    // Those that wait already come first.
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
    this.#letGo();
  }

  /** What only waits, or is paused, begins after a reload when its reader says so. */
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
