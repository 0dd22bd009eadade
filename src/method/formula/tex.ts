/** Formulas as data: text in KaTeX, and terms that a page can find again or replace by numbers. */
import type { Binding } from "./vocabulary.ts";

type TexPart =
  | string
  | { term: Binding }
  /** A term's square, if that is what a line defines. */
  | { square: Binding }
  /** The smaller of two sides. */
  | { min: readonly [free: TexPiece, held: TexPiece] }
  /** The sum of a token's term over its turn; with a factor before it the sum needs brackets. */
  | { turnSum: Binding; hasFactor: boolean };

/** A line of a formula, or a piece of one. A line's "&" is in front of its relation. */
export interface TexPiece {
  parts: readonly TexPart[];
  /** Whether one place's numbers cannot fill it: it sums over others, distinguishes cases or has words. */
  isOpen: boolean;
}

/** A formula: lines under each other. */
export type TexLines = readonly TexPiece[];

export const NOTHING: TexPiece = { parts: [], isOpen: false };

/**
 * Template tag that makes a piece of a formula: bindings become terms, and other pieces are
 * inserted. "·" between factors becomes a thin space between symbols, and a dot between numbers.
 */
export function f(
  { raw }: TemplateStringsArray,
  ...values: readonly (Binding | TexPiece)[]
): TexPiece {
  const pieces = values.map((value): TexPiece =>
    typeof value === "string" ? { parts: [{ term: value }], isOpen: false } : value,
  );
  const parts = pieces.flatMap((piece, i) => [...piece.parts, raw[i + 1]!]);
  return {
    parts: [raw[0]!, ...parts].filter((part) => part !== ""),
    isOpen: pieces.some(({ isOpen }) => isOpen),
  };
}

/** The same for a piece that numbers cannot fill. */
export function open(
  strings: TemplateStringsArray,
  ...values: readonly (Binding | TexPiece)[]
): TexPiece {
  return { ...f(strings, ...values), isOpen: true };
}

/** Words, in KaTeX, from elsewhere. */
export const wording = (tex: string): TexPiece => ({ parts: [tex], isOpen: true });

const piece = (part: TexPart): TexPiece => ({ parts: [part], isOpen: false });

export const minOf = (free: TexPiece, held: TexPiece) => piece({ min: [free, held] });
export const squareOf = (square: Binding) => piece({ square });
export const turnSum = (term: Binding, hasFactor = false) => piece({ turnSum: term, hasFactor });

/** How terms are written. */
export interface Writing {
  /** Between factors. */
  dot: string;
  /** A term's symbol or number. */
  term(binding: Binding): string;
  min?(free: string, held: string): string;
  turnSum?(binding: Binding, hasFactor: boolean): string;
}

/** Parts in KaTeX; terms are in `\htmlData{term=ID}{...}`. */
export function written(parts: readonly TexPart[], how: Writing): string {
  return parts.map((part) => partTex(part, how)).join("");
}

function partTex(part: TexPart, how: Writing): string {
  if (typeof part === "string") return part.replaceAll("·", how.dot);
  if ("term" in part) return marked(part.term, how.term(part.term));
  if ("square" in part) return `${marked(part.square, how.term(part.square))}^2`;
  if ("min" in part) {
    const [free, held] = part.min.map(({ parts }) => written(parts, how)) as [string, string];
    return how.min?.(free, held) ?? `\\min\\big(${free},\\; ${held}\\big)`;
  }
  const { turnSum: term, hasFactor } = part;
  return how.turnSum?.(term, hasFactor) ?? `\\sum_{t\\in h} ${marked(term, how.term(term))}`;
}

export function marked(id: Binding, tex: string): string {
  return `\\htmlData{term=${id}}{${tex}}`;
}

/** A whole formula, its lines aligned if there are several. */
export function formulaTex(lines: TexLines, how: Writing): string {
  const texts = lines.map(({ parts }) => written(parts, how));
  if (texts.length === 1) return texts[0]!.replace("&", "");
  return `\\begin{aligned}${texts.join("\\\\[0.6em]")}\\end{aligned}`;
}

/** Terms in the order of their first appearance. */
export function termsIn(lines: TexLines): Binding[] {
  return [...new Set(lines.flatMap(({ parts }) => parts.flatMap(termsOfPart)))];
}

function termsOfPart(part: TexPart): Binding[] {
  if (typeof part === "string") return [];
  if ("min" in part) return termsIn(part.min);
  if ("square" in part) return [part.square];
  return ["term" in part ? part.term : part.turnSum];
}

const RELATIONS = [":=", "=", "\\leftarrow", "\\iff"] as const;

/** The two sides of a line. */
export interface Sides {
  /** The term that the line defines; null if it defines none. */
  defines: Binding | null;
  /** Whether it defines the term's square. */
  isSquare: boolean;
  left: readonly TexPart[];
  /** Null for a remark without one. */
  relation: (typeof RELATIONS)[number] | null;
  right: readonly TexPart[];
  isOpen: boolean;
}

export function sidesOf({ parts, isOpen }: TexPiece): Sides {
  const at = parts.findIndex((part) => typeof part === "string" && part.includes("&"));
  const [before, after] = splitAt(parts[at] as string);
  const left = [...parts.slice(0, at), ...(before === "" ? [] : [before])];
  const relation = RELATIONS.find((one) => after.startsWith(one)) ?? null;
  const right = [after.slice(relation?.length ?? 0), ...parts.slice(at + 1)];
  const [first] = left;
  const isTerm = typeof first === "object" && "term" in first;
  const isSquare = typeof first === "object" && "square" in first;
  const defines = isTerm ? first.term : isSquare ? first.square : null;
  return { defines, isSquare, left, relation, right, isOpen };
}

function splitAt(text: string): [before: string, after: string] {
  const at = text.indexOf("&");
  return [text.slice(0, at).trim(), text.slice(at + 1).trimStart()];
}
