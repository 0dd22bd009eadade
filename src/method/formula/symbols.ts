/** How the terms of formulas are written: as symbols, and settings as their values. */
import type { Writing } from "./tex.ts";
import { termOf } from "./vocabulary.ts";

/** Whether settings are written in formulas as their values or as their symbols. */
export type SettingStyle = "values" | "symbols";

/** Writes symbols, and these settings in this style; null means none and is never written. */
export function symbols(settings: object, style: SettingStyle): Writing {
  const values = settings as Record<string, unknown>;
  return {
    dot: style === "values" ? "\\cdot " : "\\,",
    term: (binding) => {
      const [level, key] = binding.split(".") as [string, string];
      const isNumber = style === "values" && level === "settings" && values[key] !== undefined;
      return isNumber ? numberTex(Number(values[key])) : termOf(binding).symbol;
    },
  };
}

/** 0.2, or 3 times a power of ten if that is shorter. */
export function numberTex(x: number): string {
  const [mantissa, exponent] = x.toExponential().split("e") as [string, string];
  const plain = String(x);
  const short = plain.length <= 5 && !plain.includes("e");
  if (short || x === 0) return plain;
  if (Math.abs(Number(exponent)) < 3 && !plain.includes("e")) return plain;
  const power = `10^{${Number(exponent)}}`;
  return mantissa === "1" ? power : `${mantissa}\\cdot ${power}`;
}
