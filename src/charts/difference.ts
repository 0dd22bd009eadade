/** How far one line is above another: at the same iteration, or at the same place on another axis. */
import type { Curve } from "./curveTypes.ts";
import { firstAtLeast } from "../numeric/downsample.ts";

type ComparedLine = Pick<Curve, "x" | "y" | "iteration">;

interface CurveDifference {
  value: number;
  /** Where it was taken, on the axis. */
  x: number;
}

/** A line's height at x, straight between its points; null beyond its ends and beside a gap. */
export function heightAt({ x, y }: Pick<ComparedLine, "x" | "y">, at: number): number | null {
  const i = firstAtLeast(x, at);
  if (i === x.length) return null;
  if (x[i] === at) return y[i] ?? null;
  const [before, after] = [y[i - 1] ?? null, y[i] ?? null];
  if (before === null || after === null) return null;
  return before + ((after - before) * (at - x[i - 1]!)) / (x[i]! - x[i - 1]!);
}

/** The baseline's height beside a curve's i-th point; null where it has none. */
export function heightBeside(
  curve: ComparedLine,
  baseline: ComparedLine,
  byIteration: boolean,
): (i: number) => number | null {
  if (!byIteration) return (i) => heightAt(baseline, curve.x[i]!);
  const heights = new Map(baseline.iteration.map((n, i) => [n, baseline.y[i] ?? null]));
  return (i) => heights.get(curve.iteration[i]!) ?? null;
}

/** At the curve's last point that has the baseline beside it; undefined where none has. */
export function differenceTo(
  curve: ComparedLine,
  baseline: ComparedLine,
  byIteration: boolean,
): CurveDifference | undefined {
  const base = heightBeside(curve, baseline, byIteration);
  for (let i = curve.y.length - 1; i >= 0; i--) {
    const own = curve.y[i] ?? null;
    const other = own === null ? null : base(i);
    if (own !== null && other !== null) return { value: own - other, x: curve.x[i]! };
  }
  return undefined;
}
