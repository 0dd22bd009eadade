/** An experiment's own buttons, where a notebook has several, and the queue: they share one engine, in turn. */
import { useStore } from "zustand";
import { useExperiment, useExperimentState, type ExperimentHandle } from "../../store/hooks.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import {
  leaveQueue,
  moveUp,
  runAllInTurn,
  runInTurn,
  runQueue,
  stopAll,
} from "../../store/runQueue.ts";
import type { Experiments } from "../experiments.ts";
import { words } from "./words.ts";

const selectState = ({ state }: ExperimentState) => state;
const selectHome = ({ home }: ExperimentState) => home;

export function QueueBar() {
  const experiment = useExperiment();
  const state = useExperimentState(selectState);
  const home = useExperimentState(selectHome);
  const place = useStore(runQueue, ({ waiting }) =>
    waiting.findIndex(({ store }) => store === experiment.store),
  );
  return (
    <div className="code-head" data-testid="queue-bar" data-place={place < 0 ? undefined : place}>
      <code>{experiment.id}</code>
      {place >= 0 && <span className="badge">{words.queue.place(place + 1)}</span>}
      {home !== null && (
        <a href={home} className="note">
          {words.queue.toBar}
        </a>
      )}
      {place >= 0 ? (
        <button type="button" onClick={() => leaveQueue(experiment)}>
          {words.queue.leave}
        </button>
      ) : state === "running" || state === "loading" ? (
        <button type="button" onClick={experiment.session.toggleRun}>
          {words.queue.pause}
        </button>
      ) : (
        <button type="button" data-testid="run-in-turn" onClick={() => runInTurn(experiment)}>
          {state === "paused" ? words.queue.resume : words.queue.run}
        </button>
      )}
    </div>
  );
}

/** What trains and what waits, in its order, and the notebook's experiments all at once. */
export function QueueList({ experiments }: { experiments: Experiments }) {
  const { current, waiting } = useStore(runQueue);
  const ahead = current ? [current] : [];
  const all = [...experiments.values()];
  // The run bar says all there is to say of one.
  const isAlone = all.length < 2 && [...ahead, ...waiting].every(({ store }) => isOf(all, store));
  if (isAlone) return null;
  return (
    <section className="queue" aria-label={words.queue.title} data-testid="queue">
      <div className="buttons">
        <button type="button" data-testid="run-all" onClick={() => runAllInTurn(all)}>
          {words.queue.runAll(all.length)}
        </button>
        {(current ?? waiting[0]) && (
          <button type="button" data-testid="stop-all" onClick={stopAll}>
            {words.queue.stopAll}
          </button>
        )}
      </div>
      <ol>
        {[...ahead, ...waiting].map((one, i) => (
          // Two notebooks may call theirs the same.
          <li key={i}>
            <code>{one.id}</code>{" "}
            {i < ahead.length ? (
              <span className="badge">{words.queue.trains}</span>
            ) : (
              <Waiting one={one} isFirst={i === ahead.length} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function isOf(all: readonly ExperimentHandle[], store: ExperimentHandle["store"]): boolean {
  return all.some((one) => one.store === store);
}

function Waiting({ one, isFirst }: { one: ExperimentHandle; isFirst: boolean }) {
  return (
    <>
      {!isFirst && (
        <button type="button" className="quiet" onClick={() => moveUp(one)}>
          {words.queue.sooner(one.id)}
        </button>
      )}
      <button type="button" className="quiet" onClick={() => leaveQueue(one)}>
        {words.queue.remove(one.id)}
      </button>
    </>
  );
}
