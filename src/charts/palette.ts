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
const OTHER_DASHES = ["10 3 2 3", "5 2 1 2 1 2", "12 4", "4 4", "1 3"];

/** The style of an algorithm; `place` among the algorithms without a colour of their own picks the dash. */
export function lineStyle(algorithm: string, place = 0): LineStyle {
  return Object.hasOwn(KNOWN, algorithm)
    ? KNOWN[algorithm]!
    : { colour: OTHER, dash: OTHER_DASHES[place % OTHER_DASHES.length]! };
}

/** Styles for algorithms shown together. */
export function lineStyles(algorithms: readonly string[]): Map<string, LineStyle> {
  const others = algorithms.filter((name) => !Object.hasOwn(KNOWN, name));
  return new Map(
    algorithms.map((name) => [name, lineStyle(name, Math.max(0, others.indexOf(name)))]),
  );
}
