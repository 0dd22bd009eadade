/** One experiment's charts of curves, tied to its store: reading, zooming and the cursor go through there. */
import { wholeStretch, type ChartSync } from "../../charts/chartSync.ts";
import { setCurves } from "../../store/curvesView.ts";
import type { ExperimentStore } from "../../store/experimentState.ts";
import { cursorTo, cursorX } from "../../figures/curves/moves.ts";

export function chartSync(store: ExperimentStore): ChartSync {
  return {
    subscribe: store.subscribe,
    reading: () => store.getState().curves.reading,
    mark: () => cursorX(store.getState()),
    brush: () => store.getState().curves.brush,
    select: (stretch) => {
      const { axis } = store.getState().curves;
      const brush = axis === "iteration" ? wholeStretch(stretch) : stretch && usable([...stretch]);
      setCurves(store, { brush });
    },
    read: (x) => {
      // Between two iterations there is nothing to read.
      const whole = store.getState().curves.axis === "iteration" && x !== null;
      const reading = whole ? Math.round(x) : x;
      if (reading !== store.getState().curves.reading) setCurves(store, { reading });
    },
    zoom: (domain) => {
      const { axis } = store.getState().curves;
      const whole = domain && axis === "iteration" ? wholeNumbers(domain) : domain;
      setCurves(store, { domain: whole && usable(whole) });
    },
    choose: (curve, iteration) => store.setState((state) => cursorTo(state, curve, iteration)),
  };
}

/** Iterations are whole; less than one is widened to it. */
function wholeNumbers([low, high]: [number, number]): [number, number] {
  const [from, to] = [Math.round(low), Math.round(high)];
  return from < to ? [from, to] : [Math.floor(low), Math.ceil(high)];
}

/** A stretch too short to hold anything shows all instead. */
function usable([low, high]: [number, number]): [number, number] | null {
  return high - low > Math.abs(high) * 1e-6 ? [low, high] : null;
}
