/** Credits of one turn as bars from one zero line: up for plus, down and hatched for minus; even the smallest is visible. */
import type { CSSProperties } from "react";
import { isZeroBeside } from "../../numeric/format.ts";
import { greatest, largestSize } from "../../numeric/lists.ts";
import "./signedBars.css";

interface SignedBarsProps {
  /** One bar each, side by side. */
  values: readonly number[];
  /** All values of their row: bars share one scale, from one zero line. */
  among: readonly number[];
}

/** The numbers beside it have the same content. */
export function SignedBars({ values, among }: SignedBarsProps) {
  const [up, down] = [highest(among), highest(among.map((value) => -value))];
  const [all, size] = [up + down, largestSize(among)];
  const shareOf = (value: number) => (isZeroBeside(value, size) ? 0 : Math.abs(value) / all);
  return (
    <span
      className="signed-bars"
      style={{ "--up": shareOf(up).toFixed(3), "--bars": values.length } as CSSProperties}
      aria-hidden="true"
    >
      {values.map((value, i) => (
        <i
          key={i}
          data-sign={shareOf(value) === 0 ? "zero" : value < 0 ? "negative" : "positive"}
          style={{ "--share": shareOf(value).toFixed(3), gridColumn: i + 1 } as CSSProperties}
        />
      ))}
    </span>
  );
}

/** Of those above 0; 0 if there are none. */
const highest = (values: readonly number[]) => Math.max(0, greatest(values));
