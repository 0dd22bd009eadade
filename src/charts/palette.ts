/** One colour and one dash per algorithm: never colour alone. Each is at least 3:1 on both page backgrounds. */

export interface LineStyle {
  colour: string;
  /** SVG dash pattern; "" is a solid line. */
  dash: string;
}

const KNOWN: Record<string, LineStyle> = {
  "turn-ppo": { colour: "#0072B2", dash: "" },
  grpo: { colour: "#D55E00", dash: "7 3" },
  "token-ppo": { colour: "#009E73", dash: "2 3" },
};

const OTHER = "#CC79A7";

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

/** The style of an algorithm; `place` among the algorithms without a colour of their own picks the dash. */
export function lineStyle(algorithm: string, place = 0): LineStyle {
  return Object.hasOwn(KNOWN, algorithm)
    ? KNOWN[algorithm]!
    : { colour: OTHER, dash: dashOf(OTHER_PATTERNS[place % OTHER_PATTERNS.length]!) };
}

/** Styles for algorithms shown together: no two alike up to as many as there are patterns. */
export function lineStyles(algorithms: readonly string[]): Map<string, LineStyle> {
  const others = algorithms.filter((name) => !Object.hasOwn(KNOWN, name));
  return new Map(
    algorithms.map((name) => [name, lineStyle(name, Math.max(0, others.indexOf(name)))]),
  );
}
