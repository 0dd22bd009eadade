/** What has happened to a run's worker: replaced, silent, or without a checkpoint to continue from. */
import { useState } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import type { Silence } from "../store/pulse.ts";
import { strings } from "./strings.ts";

const words = strings.worker;

const selectNotices = ({ recovered, unprotected, silence }: ExperimentState) => ({
  ...{ recovered, unprotected, silence },
});

export function RunNotices() {
  const { store } = useExperiment();
  const { recovered, unprotected, silence } = useStore(store, useShallow(selectNotices));
  return (
    <>
      {silence && <SilentWorker silence={silence} />}
      {recovered !== null && (
        <div className="notice notice-stale" data-testid="recovered">
          <p role="status">{recovered}</p>
          <div className="buttons">
            <button type="button" onClick={() => store.setState({ recovered: null })}>
              {words.dismiss}
            </button>
          </div>
        </div>
      )}
      {unprotected !== null && (
        <p className="note" data-testid="unprotected">
          {unprotected}
        </p>
      )}
    </>
  );
}

/** Said once: a number that grows would be read out every second. */
function SilentWorker({ silence: { answers, seconds } }: { silence: Silence }) {
  const { session } = useExperiment();
  const [first] = useState(seconds);
  return (
    <div className="notice notice-problem" role="alert" data-testid="silent">
      <p>
        {answers ? words.stuck(first) : words.silent(first)} {words.fromCheckpoint}
      </p>
      <div className="buttons">
        <button type="button" data-testid="replace-worker" onClick={session.replaceWorker}>
          {words.replace}
        </button>
        <button type="button" onClick={session.wait}>
          {words.wait}
        </button>
      </div>
    </div>
  );
}
