/** JSON as Python's own module writes it: also with NaN and Infinity, which are no JSON. */
import { jsonOrNothing, withNull } from "../../spec/jsonText.ts";

export interface Parsed {
  /** Undefined for what is no JSON, or nested too deep. */
  value: unknown;
  /** Numbers that were NaN or infinite; null stands in their places. */
  notFinite: number;
}

export function parsePythonJson(text: string): Parsed {
  const value = jsonOrNothing(text);
  if (value !== undefined) return { value, notFinite: 0 };
  const { text: finite, count } = withNull(text);
  return count === 0 ? NOTHING : { value: jsonOrNothing(finite), notFinite: count };
}

const NOTHING: Parsed = { value: undefined, notFinite: 0 };
