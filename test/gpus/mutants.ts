/** Kernels with one barrier or one bound taken out, as texts. */

export interface Mutant {
  /** What is taken out, numbers aside: the same in kernels of other sizes. */
  site: string;
  code: string;
}

interface Rule {
  name: string;
  pattern: RegExp;
  /** What stands there instead. */
  instead: string;
}

/** An operand without parentheses, or with one pair. */
const TERM = "[^(),;{}]*(?:\\([^()]*\\))?[^(),;{}]*";

const RULES: readonly Rule[] = [
  { name: "barrier", pattern: /workgroupBarrier\(\);/g, instead: "" },
  { name: "uniform load", pattern: /workgroupUniformLoad\(&(\w+)\)/g, instead: "$1" },
  { name: "guard", pattern: /if \([^{};]*\) \{ return[^{};]*;? \}/g, instead: "" },
  { name: "live", pattern: /asked < d\.\w+/g, instead: "true" },
  { name: "bound", pattern: new RegExp(`\\bmin\\((${TERM}),${TERM}\\)`, "g"), instead: "($1)" },
];

/** Every text with one place changed. */
export function mutantsOf(code: string): Mutant[] {
  return RULES.flatMap(({ name, pattern, instead }) =>
    [...code.matchAll(pattern)].map((match): Mutant => {
      const [text] = match;
      const changed = text.replace(new RegExp(pattern.source), instead);
      const end = match.index + text.length;
      const before = contextOf(code.slice(0, match.index));
      const words = name === "barrier" ? `after ${before}` : text;
      return {
        site: `${name}: ${words.replace(/\d+/g, "#").replace(/\s+/g, " ")}`,
        code: code.slice(0, match.index) + changed + code.slice(end),
      };
    }),
  );
}

/** The statement before a place. */
const contextOf = (code: string) =>
  code
    .split(/[;{}]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .at(-1)!
    .slice(0, 70);
