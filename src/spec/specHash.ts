import { sha256OfText } from "../numeric/sha256.ts";
import { canonicalJson } from "./canonical.ts";
import type { ExperimentSpec } from "./experiment.ts";

/** Identifies a run in stored results: SHA-256 of its spec without the engine, because a log names the one that ran. */
export function specHash({ engine: _, ...rest }: ExperimentSpec): string {
  return sha256OfText(canonicalJson(rest));
}
