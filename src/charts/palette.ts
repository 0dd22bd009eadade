/** One colour, one dash and one marker per algorithm: never colour alone. The colours are tokens of `app/styles/theme.css`. */
import type { CurveFigure } from "../figures/curves/chart.ts";
import type { Curve } from "../figures/curves/curve.ts";

/** What a method's points are drawn as; a diamond is the truth's. */
export type Marker =
  | "diamond"
  | "square"
  | "triangle"
  | "circle"
  | "down"
  | "cross"
  | "ring"
  | "frame"
  | "hexagon"
  | "bar";

export interface LineStyle {
  /** A CSS colour. */
  colour: string;
  /** SVG dash pattern; "" is a solid line. */
  dash: string;
  marker: Marker;
}

const KNOWN: Record<string, LineStyle> = {
  "turn-ppo": { colour: "var(--turn-ppo)", dash: "", marker: "square" },
  grpo: { colour: "var(--grpo)", dash: "7 3", marker: "triangle" },
  "token-ppo": { colour: "var(--token-ppo)", dash: "2 3", marker: "circle" },
  // Ceilings have the ink colour, like truth everywhere.
  "true-advantage": { colour: "var(--ink)", dash: "", marker: "diamond" },
  "true-v-1": { colour: "var(--ink)", dash: "6 3", marker: "diamond" },
  "true-v-lambda": { colour: "var(--ink)", dash: "2 3", marker: "diamond" },
  "turn-ppo-true-v": { colour: "var(--ink)", dash: "10 3 2 3", marker: "diamond" },
};

/** Of the other methods, in the order in which they appear; more than six share colours, never dashes. */
const SLOT_MARKERS: readonly Marker[] = ["down", "cross", "ring", "frame", "hexagon", "bar"];

/** Drawn parts of a pattern: a point, a stroke, a long stroke. */
const STROKES: Record<string, number> = { ".": 1.5, "-": 6, "=": 14 };

/**
 * Patterns as they repeat, the simplest first; none is another one shifted, and none is a known algorithm's. Two
 * known ones have single strokes, so that here only the long one stands alone.
 */
const OTHER_PATTERNS = [
  "=",
  ...["=.", "-.", "=-"],
  ...["=..", "-..", "=--", "--.", "==.", "==-", "=-.", "=.-"],
  ...["=...", "-...", "=---", "---.", "===.", "===-", "==..", "--..", "==--"],
  ...["=.-.", "=-.-", "==.-", "==-.", "=..-", "=-..", "=--.", "=.--", "=.=-"],
];

const dashOf = (pattern: string) => [...pattern].map((part) => `${STROKES[part]!} 3`).join(" ");

/** The style of an algorithm; `place` among the algorithms without a colour of their own picks colour, dash and marker. */
export function lineStyle(algorithm: string, place = 0): LineStyle {
  if (Object.hasOwn(KNOWN, algorithm)) return KNOWN[algorithm]!;
  const slot = place % SLOT_MARKERS.length;
  return {
    colour: `var(--slot-${slot + 1})`,
    dash: dashOf(OTHER_PATTERNS[place % OTHER_PATTERNS.length]!),
    marker: SLOT_MARKERS[slot]!,
  };
}

/** Styles for algorithms shown together: all different, as long as there are enough patterns. */
export function lineStyles(algorithms: readonly string[]): Map<string, LineStyle> {
  const others = algorithms.filter((name) => !Object.hasOwn(KNOWN, name));
  return new Map(
    algorithms.map((name) => [name, lineStyle(name, Math.max(0, others.indexOf(name)))]),
  );
}

/** A curve with its style; without a marker if its points have none. */
export type DrawnCurve = Curve & Omit<LineStyle, "marker"> & Partial<LineStyle>;

export interface DrawnFigure extends CurveFigure {
  curves: readonly DrawnCurve[];
  behind: readonly DrawnCurve[];
}

/** The same with the looks of each curve's method. */
export function withStyles(figure: CurveFigure): DrawnFigure {
  const styles = lineStyles(figure.methods);
  const drawn = (curve: Curve): DrawnCurve => {
    const name = curve.look ?? curve.method;
    const style = styles.get(name) ?? lineStyle(name);
    // A broad line needs no dashes, and would hide those of a line on top of it.
    return { ...curve, ...style, dash: curve.weight === "sender" ? "" : style.dash };
  };
  return { ...figure, curves: figure.curves.map(drawn), behind: figure.behind.map(drawn) };
}
