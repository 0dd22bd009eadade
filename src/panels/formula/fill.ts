/** Formulas of the algorithms' pages with the numbers of one place inserted, line by line. */
import { marked, written, type Sides, type Writing } from "../../method/formula/tex.ts";
import type { Binding } from "../../method/formula/vocabulary.ts";

/** A number for each term; null if there is none. */
export type Value = (binding: Binding) => number | null;

/** The numbers for a line. */
export interface LineFilling {
  value: Value;
  /** The tokens' values whose sum over the turn a term is; null if they are not known. */
  addends?(binding: Binding): readonly number[] | null;
  winner?: Winner;
}

/** Three or four digits, for a formula; negative numbers in brackets if they follow something. */
export function texNumber(x: number, bracketed = false): string {
  if (!Number.isFinite(x)) return "\\text{not a number}";
  const text = isSmall(x) ? powerOfTen(x) : everyday(x);
  return bracketed && x < 0 ? `(${text})` : text;
}

/** Too small or too large for plain notation. */
function isSmall(x: number): boolean {
  const size = Math.abs(x);
  return size !== 0 && (size < 1e-3 || size >= 1e6);
}

function powerOfTen(x: number): string {
  const [mantissa, exponent] = x.toExponential(DIGITS).split("e") as [string, string];
  return `${mantissa}\\cdot 10^{${Number(exponent)}}`;
}

/** Decimals of a power of ten. */
const DIGITS = 2;
/** Smaller differences are rounding errors of the computer, not of the notation. */
const SAME = 1e-9;

/** Whether the number is written with fewer digits than it has. */
export function isRounded(x: number): boolean {
  const written = Number(isSmall(x) ? x.toExponential(DIGITS) : everyday(x));
  return Math.abs(written - x) > SAME * Math.abs(x);
}

/** An equality; approximate if a number in it is rounded. */
export const relation = (isNearly: boolean) => (isNearly ? "\\approx" : "=");

/** A number after its relation. */
export function equals(x: number, term: Binding | null = null): string {
  const number = texNumber(x);
  return `&${relation(isRounded(x))} ${term === null ? number : marked(term, number)}`;
}

function everyday(x: number): string {
  if (Number.isInteger(x)) return String(x === 0 ? 0 : x);
  const size = Math.abs(x);
  return x.toFixed(size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.01 ? 3 : 5);
}

interface LineNumbers {
  tex: string;
  /** Whether one of its numbers is rounded. */
  isNearly: boolean;
}

/** The right side with numbers for its terms, each still marked; null if one is missing or it sums over others. */
export function rightNumbers(
  { isOpen, right }: Sides,
  settings: Writing,
  { value, addends, winner }: LineFilling,
): LineNumbers | null {
  if (isOpen) return null;
  let complete = true;
  let isNearly = false;
  const known = (x: number | null) => {
    if (x === null) complete = false;
    else isNearly ||= isRounded(x);
  };
  const term = (id: Binding) => {
    if (id.startsWith("settings.")) return settings.term(id);
    const x = value(id);
    known(x);
    return x === null ? "" : texNumber(x, true);
  };
  const turnSum = (id: Binding, hasFactor: boolean) => {
    const all = addends?.(id) ?? null;
    for (const x of all ?? [null]) known(x);
    const sum = marked(id, sumOf(all ?? []));
    return hasFactor ? `\\big(${sum}\\big)` : sum;
  };
  const tex = written(right, { ...settings, term, turnSum, min: minIn(winner ?? null) });
  return complete ? { tex, isNearly } : null;
}

/** Longer sums are not written out. */
const ADDENDS = 8;

function sumOf(addends: readonly number[]): string {
  const numbers = addends.map((x, i) => texNumber(x, i > 0));
  const parts =
    numbers.length <= ADDENDS
      ? numbers
      : [...numbers.slice(0, ADDENDS - 2), "\\cdots", numbers.at(-1)!];
  return parts.join(" + ");
}

/** Between the two lines of a min: in one line it is wider than a pane. */
const BREAK = "\n";

/** A min with a box around the deciding side. */
function minIn(winner: Winner) {
  return (free: string, held: string) => {
    const boxed = (side: Winner, tex: string) => (winner === side ? `\\boxed{${tex}}` : tex);
    return `\\min\\big(${boxed("free", free)},${BREAK}${boxed("held", held)}\\big)`;
  };
}

function broken(line: string): string[] {
  const [first, ...rest] = line.split(BREAK);
  return [first!, ...rest.map((next) => `&\\quad ${next}`)];
}

/** A line with its symbols, a min in two lines. */
export function symbolLine(line: Sides, symbols: Writing, winner: Winner = null): string[] {
  const { left, relation: sign, right } = line;
  const how = { ...symbols, min: minIn(winner) };
  return broken(`${written(left, how)} &${sign ?? ""}${written(right, how)}`);
}

/** A line in up to three, a min in two each: with symbols, with these numbers, and the result. */
export function filledLine(
  line: Sides,
  symbols: Writing,
  filling: LineFilling,
  numbers: LineNumbers | null,
): string[] {
  const head = symbolLine(line, symbols, filling.winner);
  const { defines, relation: sign } = line;
  if (defines === null || sign === null || sign === "\\iff") return head;
  const isNearly = numbers?.isNearly ?? false;
  const middle = numbers === null ? [] : broken(`&${relation(isNearly)}${numbers.tex}`);
  const result = filling.value(defines);
  const left = line.isSquare ? marked(defines, symbols.term(defines)) : null;
  return [...head, ...middle, ...(result === null ? [] : outcome(left, defines, result, isNearly))];
}

/** The result; for a line that defines a square, the square and its root. */
function outcome(
  root: string | null,
  defines: Binding,
  result: number,
  isNearly: boolean,
): string[] {
  const number = `&${relation(isNearly || isRounded(result))} ${marked(defines, texNumber(result))}`;
  return root === null ? [number] : [equals(result * result), `${root} ${number}`];
}

export type Winner = "free" | "held" | null;

export function aligned(lines: readonly string[]): string {
  return `\\begin{aligned}${lines.join("\\\\[0.5em]")}\\end{aligned}`;
}
