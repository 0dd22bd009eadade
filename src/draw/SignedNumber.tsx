/** A number with its sign as a bar: from the middle to the right above 0, to the left and hatched below it. */
import type { CSSProperties } from "react";
import { formatSignedBrief } from "../numeric/format.ts";
import { signedScale } from "../charts/signedScale.ts";
import { largestSize } from "../numeric/lists.ts";
import "./signedNumber.css";

interface SignedNumberProps {
  /** Null, or not finite: unknown. */
  value: number | null;
  /** All numbers shown with it, so that bars share one scale. */
  among: readonly number[];
  /** The largest number in its unit, if it is not among them. */
  size?: number;
}

export function SignedNumber({ value, among, size = largestSize(among) }: SignedNumberProps) {
  if (value === null || !Number.isFinite(value)) return "–";
  const { sign, strength } = signedScale(among, size)(value);
  const style = { "--strength": strength.toFixed(3) } as CSSProperties;
  return (
    <span className="signed-number" data-sign={sign} data-value={value}>
      <i style={style} aria-hidden="true" />
      {formatSignedBrief(value, size)}
    </span>
  );
}
