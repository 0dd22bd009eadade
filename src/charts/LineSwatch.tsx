/** A piece of a line in its colour and dash, as in a legend. */
import type { LineStyle } from "./palette.ts";

export function LineSwatch({ colour, dash }: LineStyle) {
  return (
    <svg className="line-swatch" width="28" height="10" aria-hidden="true">
      <line x1="0" x2="28" y1="5" y2="5" stroke={colour} strokeWidth="2.5" strokeDasharray={dash} />
    </svg>
  );
}
