/** Curves over the iterations that are read, and zoomed into, by themselves. */
import { useMemo, useState } from "react";
import { useSingleSync, wholeStretch } from "./chartSync.ts";
import { heightsOf } from "./curve.ts";
import { CurveChart } from "./CurveChart.tsx";
import type { Curve, Window } from "./curveTypes.ts";
import { chartPicture } from "./picture.tsx";
import { fitAxis } from "./scale.ts";

interface IterationChartProps {
  title: string;
  /** What it is called in a log. */
  code?: string | undefined;
  hint?: string | undefined;
  testId: string;
  curves: readonly Curve[];
  /** An earlier run's, pale behind them. */
  behind?: readonly Curve[] | undefined;
  /** What one step on x is, e.g. "iteration". */
  xName: string;
  xDomain: Window;
  /** Ends of what the numbers can be; absent fits the data. */
  yDomain?: Window | undefined;
  format: (value: number) => string;
  /** An iteration that stands out, under the cursor's yellow. */
  mark?: number | undefined;
  /** Sentences on what the picture cannot show. */
  notes?: readonly string[] | undefined;
}

export function IterationChart({
  yDomain,
  mark = undefined,
  notes = [],
  ...props
}: IterationChartProps) {
  const [zoomed, setZoomed] = useState<Window | null>(null);
  // Iterations are whole.
  const single = useSingleSync((to) => setZoomed(wholeStretch(to)));
  const sync = useMemo(() => ({ ...single, mark: () => mark ?? null }), [single, mark]);
  const xDomain = zoomed ?? props.xDomain;
  const { title, code, curves, behind = [], xName } = props;
  const plot = {
    ...props,
    xDomain,
    y: fitAxis(heightsOf([...curves, ...behind], xDomain).values, false, yDomain),
    xTitle: xName,
    formatX: String,
    byIteration: true,
  };
  return (
    <CurveChart
      {...plot}
      notes={notes}
      sync={sync}
      file={{
        name: code ?? title,
        xName,
        curves: () => Promise.resolve(curves),
        picture: () => chartPicture({ ...plot, title }),
      }}
    />
  );
}
