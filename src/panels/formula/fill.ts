/** Formulas of the algorithms' pages with the numbers of one place put in, line by line. */
import type { Binding } from "../../method/formula/vocabulary.ts";

/** A number for each term; null where there is none. */
export type Value = (binding: Binding) => number | null;

/** One line of a formula. */
export interface FormulaLine {
  /** What it defines; null where it is no definition of a term. */
  defines: Binding | null;
  /** KaTeX, without alignment. */
  left: string;
  /** The relation and what follows it. */
  right: string;
}

const BEGIN = "\\begin{aligned}";
const END = "\\end{aligned}";

/** Lines of a formula as `lines` of the docs joins them. */
export function splitLines(tex: string): FormulaLine[] {
  const isAligned = tex.startsWith(BEGIN) && tex.endsWith(END);
  const body = isAligned ? tex.slice(BEGIN.length, -END.length) : tex;
  return (isAligned ? body.split(/\\\\\[[\d.]+em\]/) : [body]).map(toLine);
}

/** At its first "&", or, where a formula has only one line, at its first relation. */
function toLine(text: string): FormulaLine {
  const at = text.includes("&") && !text.startsWith("\\begin{cases}") ? text.indexOf("&") : -1;
  const relation = at >= 0 ? at : text.search(/:?= |\\leftarrow|\\iff/);
  const cut = relation < 0 ? 0 : relation;
  const left = text.slice(0, cut).trim();
  const right = text.slice(cut).replace(/^&/, "").trim();
  const defines = /^\\htmlData\{term=([\w.]+)\}/.exec(left)?.[1] as Binding | undefined;
  return { defines: defines ?? null, left, right };
}

/** Replaces every marked term; braces in symbols may be nested. */
export function mapTerms(tex: string, change: (id: Binding, symbol: string) => string): string {
  const mark = /\\htmlData\{term=([\w.]+)\}\{/g;
  let out = "";
  let from = 0;
  for (let found = mark.exec(tex); found; found = mark.exec(tex)) {
    const end = closing(tex, mark.lastIndex);
    out += tex.slice(from, found.index);
    out += change(found[1] as Binding, tex.slice(mark.lastIndex, end));
    from = end + 1;
    mark.lastIndex = from;
  }
  return out + tex.slice(from);
}

/** Where the brace that is open at `from` is closed. */
function closing(tex: string, from: number): number {
  let depth = 1;
  for (let i = from; i < tex.length; i++) {
    if (tex[i] === "{") depth++;
    if (tex[i] === "}" && --depth === 0) return i;
  }
  return tex.length;
}

/** Three digits or four, for a formula; negative numbers in brackets where they follow something. */
export function texNumber(x: number, bracketed = false): string {
  if (!Number.isFinite(x)) return "\\text{not a number}";
  const text = isSmall(x) ? powerOfTen(x) : everyday(x);
  return bracketed && x < 0 ? `(${text})` : text;
}

/** Too small or too large for everyday writing. */
function isSmall(x: number): boolean {
  const size = Math.abs(x);
  return size !== 0 && (size < 1e-3 || size >= 1e6);
}

function powerOfTen(x: number): string {
  const [mantissa, exponent] = x.toExponential(DIGITS).split("e") as [string, string];
  return `${mantissa}\\cdot 10^{${Number(exponent)}}`;
}

/** After the point, of a power of ten. */
const DIGITS = 2;
/** Less is the rounding of computers, not of what is written. */
const SAME = 1e-9;

/** Whether the number is written with fewer digits than it has. */
export function isRounded(x: number): boolean {
  const written = Number(isSmall(x) ? x.toExponential(DIGITS) : everyday(x));
  return Math.abs(written - x) > SAME * Math.abs(x);
}

/** An equality; where a number in it is written in part, it holds but nearly. */
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

/** The right side with numbers for its terms, each still marked; null where one is missing or it sums over others. */
export function substituted(right: string, value: Value): string | null {
  const made = filledIn(right, value);
  return made && related(made.tex, made.isNearly);
}

interface FilledIn {
  tex: string;
  /** Whether a number of it is written in part. */
  isNearly: boolean;
}

function filledIn(right: string, value: Value): FilledIn | null {
  // Symbols may have words in them.
  if (/\\sum|\\begin\{cases\}|\\text/.test(mapTerms(right, () => ""))) return null;
  let complete = true;
  let isNearly = false;
  const tex = mapTerms(right, (id, symbol) => {
    if (id.startsWith("settings.")) return marked(id, symbol);
    const x = value(id);
    if (x === null) complete = false;
    else isNearly ||= isRounded(x);
    return marked(id, x === null ? symbol : texNumber(x, true));
  });
  return complete ? { tex, isNearly } : null;
}

/** Relation of a line, which its numbers repeat as an equality. */
const RELATION = /^(:=|=|\\leftarrow)/;

function related(tex: string, isNearly: boolean): string {
  return tex.replace(RELATION, relation(isNearly));
}

const TURN_SUM = /\\sum_\{t\\in h\} \\htmlData\{term=token\.logRatio\}\{/;

/** A right side that adds up a turn's log-ratios, with all of them for the sum; null where it does not. */
export function withSum(right: string, value: Value, addends: readonly number[]): string | null {
  const found = TURN_SUM.exec(right);
  if (!found) return null;
  const end = closing(right, found.index + found[0].length) + 1;
  const before = filledIn(right.slice(0, found.index), value);
  const after = filledIn(right.slice(end), value);
  if (before === null || after === null) return null;
  const sum = marked("token.logRatio", sumOf(addends));
  const whole = before.tex.includes("\\frac") ? `\\big(${sum}\\big)` : sum;
  const isNearly = before.isNearly || after.isNearly || addends.some(isRounded);
  return related(before.tex + whole + after.tex, isNearly);
}

/** More than these are not written out. */
const ADDENDS = 8;

function sumOf(addends: readonly number[]): string {
  const written = addends.map((x, i) => texNumber(x, i > 0));
  const parts =
    written.length <= ADDENDS
      ? written
      : [...written.slice(0, ADDENDS - 2), "\\cdots", written.at(-1)!];
  return parts.join(" + ");
}

export function marked(id: Binding, tex: string): string {
  return `\\htmlData{term=${id}}{${tex}}`;
}

/** Puts a box around the side of a min that decides. */
export function markBranch(right: string, winner: "free" | "held"): string {
  const parts = /^(.*?\\min\\big\()(.*?)(,\\; ?)(.*)(\\big\).*?)$/s.exec(right);
  if (!parts) return right;
  const [, open, free, comma, held, close] = parts as unknown as [string, ...string[]];
  return winner === "free"
    ? `${open}\\boxed{${free}}${comma}${held}${close}`
    : `${open}${free}${comma}\\boxed{${held}}${close}`;
}

/**
 * A line in up to three, a min in two each: with symbols, with numbers, and what comes out. `filled` is the same line with settings
 * as their values.
 */
export function filledLine(
  line: FormulaLine,
  filled: FormulaLine,
  value: Value,
  winner: Winner,
  numbers: string | null = substituted(filled.right, value),
): string[] {
  const mark = (right: string) => (winner === null ? right : markBranch(right, winner));
  const head = broken(`${line.left} &${mark(line.right)}`);
  if (line.defines === null || !RELATION.test(line.right)) return head;
  const result = value(line.defines);
  const middle = numbers === null ? [] : broken(`&${mark(numbers)}`);
  const isNearly = numbers?.startsWith(relation(true)) ?? false;
  const last = result === null ? [] : outcome(line.left, line.defines, result, isNearly);
  return [...head, ...middle, ...last];
}

/** A min in two lines, one for each of its sides: in one it is wider than a pane. */
function broken(line: string): string[] {
  const [, first, second] = /^(.*\\min\\big\(.*?,)\\; ?(.*)$/s.exec(line) ?? [];
  return first === undefined || second === undefined ? [line] : [first, `&\\quad ${second}`];
}

/** What comes out; of a line that defines a square, the square and its root. */
function outcome(left: string, defines: Binding, result: number, isNearly: boolean): string[] {
  const number = `&${relation(isNearly || isRounded(result))} ${marked(defines, texNumber(result))}`;
  if (!left.endsWith(SQUARED)) return [number];
  return [equals(result * result), `${left.slice(0, -SQUARED.length)} ${number}`];
}

const SQUARED = "^2";

export type Winner = "free" | "held" | null;

export function aligned(lines: readonly string[]): string {
  return `${BEGIN}${lines.join("\\\\[0.5em]")}${END}`;
}
