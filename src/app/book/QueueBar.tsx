/** An experiment's own buttons, where a notebook has several: they share one engine, in turn. */
import { useStore } from "zustand";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { leaveQueue, runInTurn, runQueue } from "../../store/runQueue.ts";
import { opened } from "../experiments.ts";
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
  const isActive = state === "running" || state === "loading";
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
      ) : isActive ? (
        <button type="button" onClick={experiment.session.toggleRun}>
          {words.queue.pause}
        </button>
      ) : (
        <button
          type="button"
          data-testid="run-in-turn"
          onClick={() => runInTurn(experiment, opened)}
        >
          {state === "paused" ? words.queue.resume : words.queue.run}
        </button>
      )}
    </div>
  );
}
