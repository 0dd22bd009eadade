/** Checks one field of a config.json at a time. Each throws an InputError that names the field, its value and the rule. */
import { InputError, show } from "../numeric/inputError.ts";
import type { JsonObject } from "../spec/jsonText.ts";

/** @throws InputError, always. */
export function refuse(field: string, value: unknown, rule: string): never {
  throw new InputError(`config.json: ${field} is ${show(value)}; ${rule}`);
}

/** A field that must have one of these values; null means absent. */
export function onlyField(field: string, value: unknown, allowed: readonly unknown[]): void {
  if (allowed.includes(value ?? null)) return;
  refuse(field, value, `only ${allowed.map(show).join(" or ")} is supported`);
}

/** An integer of at least 1. */
export function wholeField(json: JsonObject, field: string, absent?: number): number {
  const value = json[field] ?? absent;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  return refuse(field, value, "it must be a whole number of at least 1");
}

export function positive(field: string, value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  return refuse(field, value, "it must be a number above 0");
}

export function flagField(json: JsonObject, field: string, absent: boolean): boolean {
  const value = json[field] ?? absent;
  return typeof value === "boolean" ? value : refuse(field, value, "it must be true or false");
}
