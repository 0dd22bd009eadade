/** The sweeps of notebooks that are open: each with a session of its own, made when its first run begins. */
import { indexOfKey } from "../../notebook/edit.ts";
import type { TypedCell } from "../../notebook/document.ts";
import type { SweepRun } from "../../notebook/sweepCell.ts";
import { manifests } from "../../panels/manifests.ts";
import { connectWorker } from "../../runtime/client.ts";
import { bookDraft, type BookStore } from "../../store/bookStore.ts";
import { createExperimentStore } from "../../store/experimentStore.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";
import { enrol } from "../../store/runQueue.ts";
import { createSession } from "../../store/session.ts";
import type { Session } from "../../store/sessionApi.ts";
import { hasLog, SweepRuns } from "../../store/sweepRuns.ts";
import { pauseOthers } from "../experiments.ts";
import { words } from "./words.ts";

/** By notebook and its cell's key, which stays when the cell is renamed. */
const known = new WeakMap<BookStore, Map<number, SweepRuns>>();

/** The runs of a cell of the notebook. */
export function runsOfSweep(book: BookStore, cell: TypedCell): SweepRuns {
  const sweeps = known.get(book) ?? follow(book);
  const key = bookDraft(book.getState()).cells.find((one) => one.cell === cell)?.key ?? -1;
  const sweep = sweeps.get(key) ?? createSweep(() => nameIn(book, key));
  sweeps.set(key, sweep);
  return sweep;
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
  const cell = bookDraft(book.getState()).cells.find((one) => one.key === key)?.cell;
  return cell && cell.type !== "prose" ? cell.id : words.sweep.title;
}

function createSweep(name: () => string): SweepRuns {
  const nameOf = ({ setting, seed }: SweepRun) => words.sweep.runName(name(), setting, seed);
  const sweep = new SweepRuns({
    nameOf,
    open: (run) => {
      const store = createExperimentStore(run.spec, [], manifests);
      const session = createSession(store, {
        connect: connectWorker,
        onBegin: () => pauseOthers(store),
      });
      const handle: ExperimentHandle = { id: nameOf(run), store, session: guarded(session, sweep) };
      enrol(handle);
      return handle;
    },
  });
  return sweep;
}

/** The session of a sweep, which would be lost with the page as soon as it has a result. */
function guarded(session: Session, sweep: SweepRuns): Session {
  const isLost = () => [...sweep.store.getState().results.values()].some(hasLog);
  return Object.create(session, {
    atRisk: { get: () => session.atRisk },
    lostWithPage: { get: () => session.lostWithPage || isLost() },
  }) as Session;
}
