/** Writing formulas in KaTeX whose terms can be found again in the page. */
import { termOf, type Binding } from "./vocabulary.ts";

/** A piece of a formula, and the terms in it in the order of their first appearance. */
export interface TexPiece {
  tex: string;
  terms: readonly Binding[];
}

/** Whether settings stand in formulas as their values or as their symbols. */
export type SettingStyle = "values" | "symbols";

/**
 * Tag of a template that makes a piece of a formula: bindings become their symbols, marked with
 * `\htmlData{term=...}`, and other pieces are put in as they are. "·" between factors becomes a thin space between
 * symbols, and a dot where settings are numbers.
 */
export type Writer = (strings: TemplateStringsArray, ...parts: (Binding | TexPiece)[]) => TexPiece;

/** A writer for these settings; null stands for none and is never written. */
export function writer(settings: object, style: SettingStyle): Writer {
  const values = settings as Record<string, unknown>;
  const dot = style === "values" ? "\\cdot " : "\\,";
  const symbolOf = (binding: Binding) => {
    const [level, key] = binding.split(".") as [string, string];
    const isNumber = style === "values" && level === "settings" && values[key] !== undefined;
    return isNumber ? numberTex(Number(values[key])) : termOf(binding).symbol;
  };
  return ({ raw }, ...parts) => {
    const pieces = parts.map((part): TexPiece => {
      if (typeof part !== "string") return part;
      return { tex: `\\htmlData{term=${part}}{${symbolOf(part)}}`, terms: [part] };
    });
    const text = (i: number) => raw[i]!.replaceAll("·", dot);
    return {
      tex: pieces.reduce((tex, piece, i) => tex + piece.tex + text(i + 1), text(0)),
      terms: [...new Set(pieces.flatMap(({ terms }) => terms))],
    };
  };
}

/** Lines under each other, aligned at their "&". */
export function lines(...parts: readonly TexPiece[]): TexPiece {
  if (parts.length === 1) return { ...parts[0]!, tex: parts[0]!.tex.replace("&", "") };
  return {
    tex: `\\begin{aligned}${parts.map(({ tex }) => tex).join("\\\\[0.6em]")}\\end{aligned}`,
    terms: [...new Set(parts.flatMap(({ terms }) => terms))],
  };
}

/** 0.2, or 3 times a power of ten where that is shorter. */
export function numberTex(x: number): string {
  const [mantissa, exponent] = x.toExponential().split("e") as [string, string];
  const plain = String(x);
  const short = plain.length <= 5 && !plain.includes("e");
  if (short || x === 0) return plain;
  if (Math.abs(Number(exponent)) < 3 && !plain.includes("e")) return plain;
  const power = `10^{${Number(exponent)}}`;
  return mantissa === "1" ? power : `${mantissa}\\cdot ${power}`;
}
