/** Checks of environment options; each error names the option, its value and what is allowed. */
import { InputError, show } from "../numeric/inputError.ts";

/** @throws InputError unless the value is an integer from min to max. */
export function checkWhole(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new InputError(
    `${name} is ${shown(value)}; it must be a whole number from ${min} to ${max}`,
  );
}

/** @throws InputError unless the value is a number from min to max. */
export function checkNumber(name: string, value: number, min: number, max: number): void {
  if (typeof value === "number" && value >= min && value <= max) return;
  throw new InputError(`${name} is ${shown(value)}; it must be a number from ${min} to ${max}`);
}

/** @throws InputError unless the value is one of the words. */
export function checkWord(name: string, value: string, words: readonly string[]): void {
  if (words.includes(value)) return;
  throw new InputError(`${name} is ${show(value)}; allowed: ${words.join(", ")}`);
}

/** JSON cannot represent NaN and the infinities. */
function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : show(value);
}
