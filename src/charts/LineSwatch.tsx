/** A short line in its colour, dash and marker, as in a legend. */
import { MarkerShape } from "./MarkerShape.tsx";
import type { LineStyle } from "./palette.ts";

type LineSwatchProps = Pick<LineStyle, "colour" | "dash"> & {
  marker?: LineStyle["marker"] | undefined;
};

export function LineSwatch({ colour, dash, marker }: LineSwatchProps) {
  return (
    <svg className="line-swatch" width="28" height="10" aria-hidden="true">
      <line x1="0" x2="28" y1="5" y2="5" stroke={colour} strokeWidth="2.5" strokeDasharray={dash} />
      {marker && <MarkerShape marker={marker} cx={14} cy={5} colour={colour} />}
    </svg>
  );
}
