/** The first difference of two specs, in words. */
import { canonicalJson } from "../spec/canonical.ts";

export function isSameSpec(a: object, b: object): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** The first field in which a saved spec differs from the requested one. */
export function firstSpecDifference(saved: object, asked: object, path = ""): string {
  for (const key of Object.keys(asked)) {
    const [a, b] = [saved, asked].map((spec) => (spec as Record<string, unknown>)[key]);
    if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) continue;
    const here = path === "" ? key : `${path}.${key}`;
    const nested = [a, b].every(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    );
    return nested
      ? firstSpecDifference(a as object, b as object, here)
      : `${here} is ${JSON.stringify(a)} there`;
  }
  return "its fields differ";
}
