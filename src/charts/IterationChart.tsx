/** A chart of curves over the iterations that is read, and zoomed into, by itself. */
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { CurveFigure } from "../figures/curves/chart.ts";
import type { Window } from "../numeric/scale.ts";
import { syncOf, type ChartPlace, type ChartSync } from "./chartSync.ts";
import { CurveChart } from "./CurveChart.tsx";

interface IterationChartProps {
  /** What is drawn of a stretch of iterations; null: of all. */
  figure: (domain: Window | null) => CurveFigure;
  /** The same with every point, for its files; absent where `figure` has them all. */
  whole?: (domain: Window | null) => Promise<CurveFigure>;
  testId: string;
  /** A highlighted iteration, in the cursor's yellow. */
  mark?: number | undefined;
  /** Moves the cursor to a point of a curve; absent: a click moves nothing. */
  choose?: ChartSync["choose"] | undefined;
}

const NOWHERE: ChartPlace = { reading: null, brush: null, domain: null };

export function IterationChart({ figure, whole, testId, mark, choose }: IterationChartProps) {
  const [store] = useState(() => createStore(() => NOWHERE));
  const zoomed = useStore(store, ({ domain }) => domain);
  const drawn = useMemo(() => figure(zoomed), [figure, zoomed]);
  const sync = useMemo(() => {
    const { subscribe, getState: place, setState: change } = store;
    const cursor = { mark: () => mark ?? null, choose: choose ?? (() => undefined) };
    return syncOf({ subscribe, place, change, isWhole: () => true, ...cursor });
  }, [store, mark, choose]);
  return (
    <CurveChart
      figure={drawn}
      whole={() => whole?.(zoomed) ?? Promise.resolve(drawn)}
      testId={testId}
      sync={sync}
    />
  );
}
