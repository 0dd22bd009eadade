/** One experiment's charts of curves, tied to its store: reading, zooming and the cursor go through there. */
import { wholeStretch, type ChartSync } from "../../charts/chartSync.ts";
import { nearestIndex } from "../../numeric/downsample.ts";
import { setCurves } from "../../store/curvesView.ts";
import type { ExperimentStore } from "../../store/experimentState.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { resolveChoice } from "../../store/turnChoice.ts";
import { xOf } from "./axes.ts";

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

/** Where the cursor stands on the axis; null where it stands nowhere. */
export function cursorX({ view, choice, curves }: ExperimentState): number | null {
  if (view.origin === "none") return null;
  const { algorithm, iteration, iterations } = resolveChoice(view.log, choice);
  return iterations.length === 0 ? null : xOf(view.log, algorithm, curves.axis, iteration);
}

/** The cursor at a curve's method, where the shown run has it, and at its closest iteration with episodes. */
export function cursorTo(
  { view: { log }, choice }: ExperimentState,
  curve: string,
  iteration: number,
): Partial<ExperimentState> {
  const named = curve.slice(curve.lastIndexOf("|") + 1);
  const algorithm = log.algorithms.includes(named) ? named : resolveChoice(log, choice).algorithm;
  const iterations = log.iterationsWithEpisodes(algorithm);
  const nearest = iterations[nearestIndex(iterations, iteration)];
  return nearest === undefined ? {} : { choice: { ...choice, algorithm, iteration: nearest } };
}
