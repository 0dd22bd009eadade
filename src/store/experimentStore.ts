/**
 * The screen's state for one experiment cell: its form, its run, and the choices in its panels. One
 * store per cell; curves and turn cells that depend on the cell read the same store.
 */
import { createStore } from "zustand/vanilla";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { recordedTruths } from "../reading/log/columnar.ts";
import { START_VIEW } from "./curvesView.ts";
import type { ExperimentState, ExperimentStore, RunSlice, SpecSlice } from "./experimentState.ts";
import { leaveFork, NO_FORKS } from "./forks.ts";
import { startLens, type PanelFacts } from "./lens.ts";
import { onEstimate } from "../reading/credit/estimates.ts";
import { noRun, viewOf } from "../reading/log/runLog.ts";
import { NO_SEEDS } from "./seeds.ts";
import { openDraft } from "./specDraft.ts";
import { NO_TRUTHS } from "./truths.ts";
import { LATEST } from "./turnChoice.ts";

/** `close`: unsubscribes it from everything, so that it can be collected. */
type OpenExperimentStore = ExperimentStore & { close(): void };

/** `panels`: those of the lens, in order. */
export function createExperimentStore(
  spec: ExperimentSpec,
  warnings: string[] = [],
  panels: readonly PanelFacts[] = [],
): OpenExperimentStore {
  const store = createStore<ExperimentState>(() => ({
    ...initialSpec(spec, warnings),
    ...initialRun(),
    choice: LATEST,
    screen: "notebook",
    truths: NO_TRUTHS,
    ...NO_FORKS,
    curves: START_VIEW,
    ...NO_SEEDS,
    lens: startLens(panels),
  }));
  // Results of user code arrive after the batch: then panels are redrawn.
  const close = onEstimate(() =>
    store.setState(({ view: { log, origin } }) => ({ view: viewOf(log, origin) })),
  );
  // True values and forks of one run do not apply to another.
  store.subscribe((now, before) => {
    if (now.view.log !== before.view.log) {
      store.setState({ truths: recordedTruths(now.view.log), ...NO_FORKS });
      followReading(store);
    }
    leaveFork(store);
  });
  return Object.assign(store, { close });
}

/** Long lines are read while panels wait: afterwards there is new data, and possibly true values. */
function followReading(store: ExperimentStore): void {
  const { log, origin } = store.getState().view;
  log.onRead = () => {
    if (store.getState().view.log !== log) return;
    store.setState(({ truths }) => ({
      view: viewOf(log, origin),
      truths: { ...recordedTruths(log), ...truths },
    }));
  };
}

function initialSpec(spec: ExperimentSpec, warnings: string[]): SpecSlice {
  return {
    home: null,
    place: null,
    own: spec,
    draft: openDraft(spec),
    expected: null,
    warnings,
    waitingLink: null,
  };
}

function initialRun(): RunSlice {
  return {
    view: noRun(),
    recorded: null,
    state: "idle",
    stopping: false,
    runSpec: null,
    engine: null,
    outlook: null,
    progress: null,
    problem: null,
    fingerprint: null,
    recording: { state: "none" },
    pace: 0,
    recovered: null,
    unprotected: null,
    notKept: null,
    resumable: null,
    silence: null,
    leaving: null,
  };
}

/** Whether a run is in progress (paused counts). */
export function isBusy({ state }: Pick<RunSlice, "state">): boolean {
  return state === "loading" || state === "running" || state === "paused";
}
