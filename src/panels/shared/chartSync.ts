/** One experiment's charts of curves, tied to its store: reading, zooming and the cursor go through there. */
import { syncOf, type ChartSync } from "../../charts/chartSync.ts";
import { cursorTo, cursorX } from "../../figures/curves/moves.ts";
import { setCurves } from "../../store/curvesView.ts";
import type { ExperimentStore } from "../../store/experimentState.ts";

export function chartSync(store: ExperimentStore): ChartSync {
  return syncOf({
    subscribe: store.subscribe,
    place: () => store.getState().curves,
    change: (to) => setCurves(store, to),
    isWhole: () => store.getState().curves.axis === "iteration",
    mark: () => cursorX(store.getState()),
    choose: (curve, iteration) => store.setState((state) => cursorTo(state, curve, iteration)),
  });
}
