/** A chart of curves over the iterations that is read, and zoomed into, by itself. */
import { useMemo, useState } from "react";
import type { CurveFigure } from "../figures/curves/chart.ts";
import type { Window } from "../numeric/scale.ts";
import { useSingleSync } from "./chartSync.ts";
import { CurveChart } from "./CurveChart.tsx";

interface IterationChartProps {
  /** What is drawn of a stretch of iterations; null: of all. */
  figure: (domain: Window | null) => CurveFigure;
  /** The same of all of them with every point, for its files; absent where `figure` has every point. */
  whole?: (domain: Window | null) => Promise<CurveFigure>;
  testId: string;
  /** An iteration that stands out, under the cursor's yellow. */
  mark?: number | undefined;
}

export function IterationChart({ figure, whole, testId, mark }: IterationChartProps) {
  const [zoomed, setZoomed] = useState<Window | null>(null);
  const single = useSingleSync(setZoomed);
  const sync = useMemo(() => ({ ...single, mark: () => mark ?? null }), [single, mark]);
  const drawn = useMemo(() => figure(zoomed), [figure, zoomed]);
  return (
    <CurveChart
      figure={drawn}
      whole={() => whole?.(zoomed) ?? Promise.resolve(drawn)}
      testId={testId}
      sync={sync}
    />
  );
}
