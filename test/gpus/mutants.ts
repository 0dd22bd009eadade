/** Kernels with one barrier or one bound taken out, as texts. */

export interface Mutant {
  /** The function around it and what is removed, without numbers: the same in kernels of other sizes. */
  site: string;
  code: string;
}

/** A range of a text, and its replacement. */
interface Change {
  rule: string;
  from: number;
  to: number;
  instead: string;
}

type Rule = (code: string) => Change[];

/** All that a pattern finds. */
const found =
  (rule: string, pattern: RegExp, instead: (match: RegExpMatchArray) => string): Rule =>
  (code) =>
    [...code.matchAll(pattern)].map((match) => ({
      ...{ rule, from: match.index, to: match.index + match[0].length },
      instead: instead(match),
    }));

/** All calls of a function with arguments that say what is left, or null: it is no bound. */
const calls =
  (rule: string, name: string, left: (args: string[], before: string) => string | null): Rule =>
  (code) =>
    [...code.matchAll(new RegExp(`\\b${name}\\(`, "g"))].flatMap((match): Change[] => {
      const { args, end } = argumentsAt(code, match.index + match[0].length);
      const instead = left(args, statementBefore(code, match.index));
      return instead === null ? [] : [{ rule, from: match.index, to: end, instead }];
    });

/** The arguments of a call, from behind its parenthesis to behind the one that closes it. */
function argumentsAt(code: string, start: number): { args: string[]; end: number } {
  const args: string[] = [];
  let [depth, from] = [0, start];
  for (let at = start; ; at++) {
    const letter = code[at]!;
    const ends = depth === 0 && (letter === "," || letter === ")");
    if (ends) args.push(code.slice(from, at).trim());
    if (ends && letter === ")") return { args, end: at + 1 };
    if (ends) from = at + 1;
    if (letter === "(" || letter === "[") depth++;
    if (letter === ")" || letter === "]") depth--;
  }
}

const RULES: readonly Rule[] = [
  found("barrier", /workgroupBarrier\(\);/g, () => ""),
  found("uniform load", /workgroupUniformLoad\(&(\w+)\)/g, ([, name]) => name!),
  found("guard", /if \([^{};]*\) \{ return[^{};]*;? \}/g, () => ""),
  found("live", /asked < d\.\w+/g, () => "true"),
  found("condition", /if \([^{};]*[<>][^{};]*\) \{(?! return)/g, () => "if (true) {"),
  calls("bound", "min", ([kept]) => `(${kept})`),
  // Others than these are maxima of numbers.
  calls("bound", "max", ([kept, least], before) =>
    before.startsWith("for ") || /^\d/.test(least!) ? `(${kept})` : null,
  ),
  calls("choice", "select", ([, yes, condition]) => (/[<>]/.test(condition!) ? `(${yes})` : null)),
];

/** Every text with one place changed, but for places that nothing calls. */
export function mutantsOf(code: string): Mutant[] {
  return RULES.flatMap((rule) => rule(code)).flatMap(({ rule, from, to, instead }) => {
    const name = functionAt(code, from);
    if (name !== "main" && code.split(new RegExp(`\\b${name}\\(`)).length < 3) return [];
    const what = rule === "barrier" ? `after ${statementBefore(code, from)}` : code.slice(from, to);
    const words = what.slice(0, 90).replace(/\d+/g, "#").replace(/\s+/g, " ");
    return [
      {
        site: `${name === "main" ? "" : `${name}, `}${rule}: ${words}`,
        code: code.slice(0, from) + instead + code.slice(to),
      },
    ];
  });
}

const functionAt = (code: string, at: number) =>
  [...code.slice(0, at).matchAll(/\bfn (\w+)\(/g)].at(-1)![1]!;

/** The text before a place: its own statement so far, or the whole one before it. */
const statementBefore = (code: string, at: number) =>
  code
    .slice(0, at)
    .split(/[{}]|;(?! [^{};]*; [^{};]*\))/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .at(-1)!
    .slice(0, 70);
