/** Titles of methods. */
import { resolveAlgorithm } from "../spec/algorithms.ts";
import { iterativeRow } from "../spec/iterative.ts";
import { preferenceRows } from "../spec/preference.ts";

/** Titles found so far: every figure asks for them at every redraw. */
const found = new Map<string, string>();

/** An algorithm's title; a name from a foreign file is its own title. */
export function titleOf(algorithm: string): string {
  const title = found.get(algorithm) ?? findTitle(algorithm);
  found.set(algorithm, title);
  return title;
}

function findTitle(algorithm: string): string {
  const method = [...preferenceRows, iterativeRow].find(({ name }) => name === algorithm);
  if (method) return method.title;
  try {
    return resolveAlgorithm(algorithm).title;
  } catch {
    return algorithm;
  }
}
