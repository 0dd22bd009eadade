/** What every engine asks of a request to generate before it begins. */
import { randomWords } from "../numeric/rng.ts";
import type { GenerateRequest } from "./engine.ts";

/** Stop tokens a request may have: the compiled engines hold them in a rule of fixed size. */
export const MAX_STOPS = 16;

/** Tokens each row will hold at the end, 0 for idle rows. Throws RangeError when they do not fit. [B] */
export function neededTokens(
  { prompts, maxNewTokens }: GenerateRequest,
  lengths: readonly number[],
  capacity: number,
): number[] {
  if (prompts.length !== lengths.length) {
    throw new RangeError(`${prompts.length} prompts for a session of ${lengths.length} rows`);
  }
  return prompts.map((prompt, row) => {
    if (prompt.length === 0) return 0;
    const needed = lengths[row]! + prompt.length + maxNewTokens;
    if (needed <= capacity) return needed;
    throw new RangeError(`row ${row} needs ${needed} tokens; the session holds ${capacity}`);
  });
}

/** An empty list per row. */
export function rowsOf(batch: number): number[][] {
  return Array.from({ length: batch }, () => []);
}

/** @throws RangeError when a key is out of range, there are too many stop tokens, or legal tokens for other rows. */
export function checkRequest(
  { key, stopIds, prompts, value, legal }: GenerateRequest,
  hasValue: boolean,
): void {
  if (value && !hasValue) throw new Error("the model has no value head");
  if (stopIds.length > MAX_STOPS)
    throw new RangeError(`${stopIds.length} stop tokens; at most ${MAX_STOPS} are possible`);
  if (legal && legal.length !== prompts.length)
    throw new RangeError(`legal has ${legal.length} rows for ${prompts.length} prompts`);
  const { seed, iteration, stream } = key;
  prompts.forEach((prompt, row) => {
    const [trajectory, step] = [key.trajectory[row]!, key.step[row]!];
    if (prompt.length > 0) randomWords({ seed, iteration, stream, trajectory, step });
  });
}
