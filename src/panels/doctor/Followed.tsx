/** What panels over iterations share, on a plot of evidence: the selected range, and the hovered position. */
import type { PointerEvent } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { setCurves } from "../../store/curvesView.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";

const selectFollowed = ({ curves: { axis, brush, reading } }: ExperimentState) => ({
  brush: axis === "iteration" ? brush : null,
  reading: axis === "iteration" ? reading : null,
  axis,
});

interface FollowedProps {
  /** In the drawing, for an iteration. */
  x: (iteration: number) => number;
  /** First and last iteration. */
  ends: readonly [number, number];
  height: number;
}

export function Followed({ x, ends: [first, last], height }: FollowedProps) {
  const { store } = useExperiment();
  const { brush, reading, axis } = useStore(store, useShallow(selectFollowed));
  const [from, to] = [Math.max(first, brush?.[0] ?? last), Math.min(last, brush?.[1] ?? first)];
  const isRead = reading !== null && reading >= first && reading <= last;
  const read = (next: number | null) => {
    if (axis === "iteration" && next !== reading) setCurves(store, { reading: next });
  };
  const at = ({ currentTarget, clientX }: PointerEvent<SVGRectElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.round(first + ((clientX - left) / (width || 1)) * (last - first));
  };
  return (
    <g>
      {from < to && (
        <rect
          className="doctor-brush"
          data-testid="doctor-brush"
          x={x(from)}
          width={x(to) - x(from)}
          height={height}
        />
      )}
      {isRead && (
        <path className="doctor-read" data-testid="doctor-read" d={`M${x(reading)},0V${height}`} />
      )}
      <rect
        data-testid="doctor-area"
        x={x(first)}
        width={x(last) - x(first)}
        height={height}
        fill="transparent"
        onPointerMove={(event) => read(at(event))}
        onPointerLeave={() => read(null)}
      />
    </g>
  );
}
