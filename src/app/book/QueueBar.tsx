/** An experiment's own buttons, if a notebook has several, and the queue: experiments share one engine, in turn. */
import { hasFact, trains, type Cell } from "../../notebook/cell.ts";
import { useStore } from "zustand";
import { useExperiment, useExperimentState, type ExperimentHandle } from "../../store/hooks.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { leaveQueue, moveUp, runInTurn, runQueue } from "../../store/runQueue.ts";
import { bookCells, type BookState } from "../../store/bookStore.ts";
import { Button } from "../../ui/Button.tsx";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import type { Experiments } from "../experiments.ts";
import { appWords } from "../strings.ts";
import { useBook } from "./useBook.ts";
import { words } from "./words.ts";

const selectState = ({ state }: ExperimentState) => state;

export function QueueBar() {
  const experiment = useExperiment();
  const state = useExperimentState(selectState);
  const hasRun = useExperimentState(({ runSpec }) => runSpec !== null);
  const place = useStore(runQueue, ({ waiting }) =>
    waiting.findIndex(({ store }) => store === experiment.store),
  );
  return (
    <div className="code-head" data-testid="queue-bar" data-place={place < 0 ? undefined : place}>
      <code>{experiment.id}</code>
      {place >= 0 && <span className="badge">{words.queue.place(place + 1)}</span>}
      {place >= 0 ? (
        <Button onClick={() => leaveQueue(experiment)}>{words.queue.leave}</Button>
      ) : state === "running" || state === "loading" ? (
        <Button onClick={experiment.session.toggleRun}>{words.queue.pause}</Button>
      ) : (
        <Button data-testid="run-in-turn" onClick={() => runInTurn(experiment)}>
          {state === "paused" ? words.queue.resume : hasRun ? words.runAgain : words.queue.run}
        </Button>
      )}
    </div>
  );
}

const RunBook = lazyPart("RunBook", () => import("./RunBook.tsx"), appWords.loading);

const isCode = (cell: Cell) => hasFact(cell, "isCode");

/** Whether a notebook has more to run than the run bar covers. */
const hasMore = (state: BookState) => {
  const cells = bookCells(state);
  const isOwn = state.id !== null && !state.isForeign;
  return cells.filter(trains).length > 1 || (isOwn && cells.some(isCode));
};

/** What trains and what waits, in order, and the button for the whole notebook. */
export function QueueList({ experiments }: { experiments: Experiments }) {
  const { store: book } = useBook();
  const more = useStore(book, hasMore);
  const { current, waiting } = useStore(runQueue);
  const ahead = current ? [current] : [];
  const all = [...experiments.values()];
  // For a single experiment the run bar is enough.
  if (!more && [...ahead, ...waiting].every(({ store }) => isOf(all, store))) return null;
  return (
    <section className="queue" aria-label={words.queue.title} data-testid="queue">
      <RunBook />
      <ol>
        {[...ahead, ...waiting].map((one, i) => (
          // Two notebooks may use the same name.
          <li key={i}>
            <code>{one.id}</code>{" "}
            {i < ahead.length ? (
              <>
                <span className="badge">{words.queue.trains}</span>
                <Button look="quiet" data-testid="queue-pause" onClick={() => pause(one)}>
                  {words.queue.pauseOf(one.id)}
                </Button>
              </>
            ) : (
              <Waiting one={one} isFirst={i === ahead.length} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function pause(one: ExperimentHandle): void {
  if (one.store.getState().state === "running") one.session.toggleRun();
}

function isOf(all: readonly ExperimentHandle[], store: ExperimentHandle["store"]): boolean {
  return all.some((one) => one.store === store);
}

function Waiting({ one, isFirst }: { one: ExperimentHandle; isFirst: boolean }) {
  return (
    <>
      {!isFirst && (
        <Button look="quiet" onClick={() => moveUp(one)}>
          {words.queue.sooner(one.id)}
        </Button>
      )}
      <Button look="quiet" onClick={() => leaveQueue(one)}>
        {words.queue.remove(one.id)}
      </Button>
    </>
  );
}
