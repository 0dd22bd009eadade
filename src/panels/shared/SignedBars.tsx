/** Credits of one turn as bars from one zero line: up for plus, down and hatched for minus; none is too low to be seen. */
import type { CSSProperties } from "react";
import { isZeroBeside } from "../../numeric/format.ts";
import { largestSize } from "../../charts/signedScale.ts";
import { greatest } from "../../numeric/lists.ts";
import "./signedBars.css";

interface SignedBarsProps {
  /** One bar each, beside each other. */
  values: readonly number[];
  /** All of their row: bars compare within it, from one zero line. */
  among: readonly number[];
}

/** The numbers beside it say the same. */
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

/** Of those above 0; 0 where none is. */
const highest = (values: readonly number[]) => Math.max(0, greatest(values));
