/** The sweeps of notebooks that are open: each with a session of its own, made when its first run begins. */
import type { StoreApi } from "zustand/vanilla";
import { cellOf, indexOfKey } from "../../../../notebook/edit.ts";
import { readFields } from "../../../../notebook/cellFields.ts";
import { isTyped, type TypedCell } from "../../../../notebook/cell.ts";
import { planSweepCell, sweepCells, type SweepRun } from "../../../../notebook/cells/sweep/plan.ts";
import { manifests } from "../../../../panels/manifests.ts";
import { connectWorker } from "../../../../runtime/client.ts";
import type { RunLog } from "../../../../reading/log/runLog.ts";
import type { ExperimentSpec } from "../../../../spec/experiment.ts";
import { bookCells, bookDraft, type BookStore } from "../../../../store/bookStore.ts";
import { createExperimentStore } from "../../../../store/experimentStore.ts";
import type { ExperimentHandle } from "../../../../store/hooks.ts";
import { register, skip } from "../../../../store/runQueue.ts";
import { createSession } from "../../../../store/session.ts";
import { hasLog, SweepRuns, type SweepHandle } from "../../../../store/sweepRuns.ts";
import {
  digestOfSweepRun,
  placeOfSweepRun,
  findSweepRuns,
  type SweepShelf,
} from "../../../../store/sweepShelf.ts";
import { pauseOthers, type Experiments } from "../../../experiments.ts";
import { keeperAt, claimAfterReload, isReload, records, reloadWait } from "../../../keptRuns.ts";
import { words } from "../../words.ts";
import { isRunOver, type ExperimentStore } from "../../../../store/experimentState.ts";
import type { ResumedRun } from "../../../../store/resumedRun.ts";
import type { RunKeeper } from "../../../../store/runKeeper.ts";
import type { Session } from "../../../../store/sessionApi.ts";
import { readTexts, writeValue } from "../../../../runtime/shelf/smallValue.ts";
import { Claim } from "../../../../runtime/shelf/claim.ts";

/** By notebook and its cell's key, which stays when the cell is renamed. */
const known = new WeakMap<BookStore, Map<number, SweepRuns>>();

/** The runs of a cell of the notebook. @param base the experiment that it varies. */
export function runsOfSweep(book: BookStore, cell: TypedCell, base: ExperimentHandle): SweepRuns {
  const sweeps = known.get(book) ?? follow(book);
  const key = bookDraft(book.getState()).cells.find((one) => one.cell === cell)?.key ?? -1;
  const sweep = sweeps.get(key) ?? createSweep(() => nameIn(book, key), homeOf(base));
  sweeps.set(key, sweep);
  return sweep;
}

type SweepPlan = ReturnType<typeof planSweepCell>;

/** By the experiment and the cell's text: it is asked for whenever a run begins or ends. */
const MOST_PLANS = 16;
const plans = new WeakMap<ExperimentSpec, Map<string, SweepPlan | null>>();

/** Null where the cell cannot be read. */
export function planOfSweep({ body }: TypedCell, base: ExperimentSpec): SweepPlan | null {
  const known = plans.get(base) ?? new Map<string, SweepPlan | null>();
  plans.set(base, known);
  const plan = known.get(body);
  if (plan !== undefined) return plan;
  const fields = readFields("sweep", body).value;
  const made = fields && planSweepCell(base, fields);
  known.set(body, made);
  // Every letter that is typed is another text.
  if (known.size > MOST_PLANS) known.delete(known.keys().next().value!);
  return made;
}

/** The runs of a sweep cell with its experiment's current settings; empty if the cell cannot be read. */
function plannedRuns(cell: TypedCell, base: ExperimentHandle): SweepRun[] {
  const plan = planOfSweep(cell, base.store.getState().draft.spec);
  return plan?.settings.flatMap(({ runs }) => runs) ?? [];
}

/** As much of a notebook that is open as sweeps need. */
interface SweptBook {
  store: BookStore;
  experiments: StoreApi<{ map: Experiments }>;
}

/** What a sweep cell trains, and has trained; null where its experiment is missing. */
export function sweepOfCell({ store, experiments }: SweptBook, cell: TypedCell) {
  const base = experiments.getState().map.get(cell.of ?? "");
  return base ? { sweep: runsOfSweep(store, cell, base), runs: plannedRuns(cell, base) } : null;
}

export function sweepsOf(book: SweptBook) {
  return sweepCells(bookCells(book.store.getState())).flatMap(
    (cell) => sweepOfCell(book, cell) ?? [],
  );
}

/** Looks up the stored runs of all sweeps; runs that a reload interrupted continue, whatever view is open. */
export function lookForSweeps(book: SweptBook): void {
  for (const { sweep, runs } of sweepsOf(book)) void sweep.look(runs);
}

/** Logs of what the sweeps of a notebook have trained, by the digests of what that was. */
export async function finishedSweeps(book: SweptBook): Promise<ReadonlyMap<string, RunLog>> {
  const finished = new Map<string, RunLog>();
  for (const { sweep, runs } of sweepsOf(book)) {
    await sweep.look(runs);
    const { results } = sweep.store.getState();
    for (const run of runs) {
      const result = results.get(run.key);
      if (hasLog(result)) finished.set(digestOfSweepRun(run), result.log);
    }
  }
  return finished;
}

/** A sweep whose cell is deleted trains no further. */
function follow(book: BookStore): Map<number, SweepRuns> {
  const sweeps = new Map<number, SweepRuns>();
  known.set(book, sweeps);
  book.subscribe((now) => {
    for (const [key, sweep] of sweeps)
      if (sweep.store.getState().pending.length > 0 && indexOfKey(bookDraft(now), key) < 0)
        sweep.stop();
  });
  return sweeps;
}

function nameIn(book: BookStore, key: number): string {
  const cell = cellOf(bookDraft(book.getState()), key);
  return isTyped(cell) ? cell.id : words.sweep.title;
}

/** Address of the experiment's notebook; null where runs are kept nowhere. */
function homeOf({ store }: ExperimentHandle): string | null {
  const { place } = store.getState();
  return place === null ? null : place.slice(0, place.lastIndexOf("/"));
}

/** @param home address of the notebook with which runs are kept; null: they are gone with the page. */
export function createSweep(name: () => string, home: string | null): SweepRuns {
  const nameOf = ({ setting, seed }: SweepRun) => words.sweep.runName(name(), setting, seed);
  const shelf = home === null ? null : shelfAt(home);
  const sweep: SweepRuns = new SweepRuns({
    nameOf,
    shelf,
    open: (run) => openSession(run, { nameOf, home, sweep }),
  });
  return sweep;
}

interface SessionOf {
  nameOf: (run: SweepRun) => string;
  home: string | null;
  sweep: SweepRuns;
}

function openSession(run: SweepRun, { nameOf, home, sweep }: SessionOf): SweepHandle {
  const store = createExperimentStore(run.spec, [], manifests);
  const present = () => sweep.store.getState().pending[0] ?? run;
  const keeper =
    home === null
      ? null
      : keeperAt(store, {
          place: () => placeOfSweepRun(home, present()),
          name: () => nameOf(present()),
        });
  const session = createSession(store, {
    connect: connectWorker,
    onBegin: () => pauseOthers(store),
    onRefused: () => {
      sweep.stop();
      skip(store);
    },
    ...(keeper && { keeper }),
  });
  const isLost = () => {
    const { results, isKept } = sweep.store.getState();
    return !isKept && [...results.values()].some(hasLog);
  };
  const handle = { id: nameOf(run), store, ...sweepSession({ session, store, keeper, isLost }) };
  register(handle);
  return handle;
}

interface Parts {
  session: Session;
  store: ExperimentStore;
  /** Null: nothing is kept. */
  keeper: RunKeeper | null;
  /** Whether finished runs would be lost with the page. */
  isLost: () => boolean;
}

/** A session that trains one run after another: each starts anew, or continues a stored one. */
function sweepSession({
  session,
  store,
  keeper,
  isLost,
}: Parts): Omit<SweepHandle, "id" | "store"> {
  let next: ResumedRun | null = null;
  const toggleRun = () => {
    const run = next;
    if (!run || !isRunOver(store.getState().state)) return session.toggleRun();
    next = null;
    session.resume(run);
  };
  return {
    takeUp: (run) => {
      next?.release();
      next = run;
    },
    settle: async () => {
      await keeper?.flush();
      return store.getState().notKept === null;
    },
    session: Object.create(session, {
      toggleRun: { value: toggleRun },
      atRisk: { get: () => session.atRisk },
      lostWithPage: { get: () => session.lostWithPage || isLost() },
    }) as Session,
  };
}

/** Places of runs that are still to come; no other tab sees them. */
const WANTED = "turnbook-sweeps";

/** Of the page before a reload of this tab; null until it is read. */
let interrupted: string[] | null = null;

/** Of this page's sweeps. */
const wanted = new Map<SweepShelf, readonly string[]>();

/** By the notebook's address. */
const claims = new Map<string, Claim>();

function claimAt(home: string): Claim {
  const claim = claims.get(home) ?? new Claim(`turnbook-sweeps-${home}`, reloadWait);
  claims.set(home, claim);
  return claim;
}

/** The storage of a notebook's sweeps. */
function shelfAt(home: string): SweepShelf {
  const placeOf = (run: SweepRun) => placeOfSweepRun(home, run);
  const shelf: SweepShelf = {
    claim: claimAt(home),
    find: (runs) => findSweepRuns(runs, placeOf, { records, claim: claimAfterReload }),
    remember: (pending) => {
      const before = interruptedOnes();
      wanted.set(shelf, pending.map(placeOf));
      writeValue("tab", WANTED, [...new Set([...before, ...[...wanted.values()].flat()])]);
    },
    asked: (runs) => {
      const byPlace = new Map(runs.map((run) => [placeOf(run), run]));
      const asked = interruptedOnes().flatMap((place) => byPlace.get(place) ?? []);
      interrupted = interruptedOnes().filter((place) => !byPlace.has(place));
      return asked;
    },
  };
  return shelf;
}

function interruptedOnes(): readonly string[] {
  return (interrupted ??= isReload() ? readTexts("tab", WANTED) : []);
}
