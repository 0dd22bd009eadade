/** Checks of a generation request that every engine needs. */
import { randomWords } from "../numeric/rng.ts";
import { isToken } from "./checkRows.ts";
import type { GenerateRequest } from "./engine.ts";
import { legalBits } from "./sample.ts";

/** Maximum stop tokens of a request: the compiled engines store them in a rule of fixed size. */
export const MAX_STOPS = 16;

/** Tokens of each row at the end, 0 for idle rows. Throws RangeError if they do not fit. [B] */
export function neededTokens(
  { prompts, maxNewTokens, continues }: GenerateRequest,
  lengths: readonly number[],
  capacity: number,
): number[] {
  if (prompts.length !== lengths.length) {
    throw new RangeError(`${prompts.length} prompts for a session of ${lengths.length} rows`);
  }
  return prompts.map((prompt, row) => {
    if (prompt.length === 0 && !(continues && lengths[row]! > 0)) return 0;
    const needed = lengths[row]! + prompt.length + maxNewTokens;
    if (needed <= capacity) return needed;
    throw new RangeError(`row ${row} needs ${needed} tokens; the session holds ${capacity}`);
  });
}

/** An empty list per row. */
export function rowsOf(batch: number): number[][] {
  return Array.from({ length: batch }, () => []);
}

/** What a request is checked against. */
export interface RequestModel {
  vocabSize: number;
  hasValue: boolean;
}

/**
 * @throws RangeError if a token, key or number is out of range, there are too many stop tokens, or
 * legal tokens are for other rows; the message names the field, its row and position, the value and
 * what is allowed.
 */
export function checkRequest(
  request: GenerateRequest,
  { vocabSize, hasValue }: RequestModel,
): void {
  const { stopIds, prompts, value, legal, maxNewTokens } = request;
  if (value && !hasValue) throw new Error("the model has no value head");
  if (!(Number.isInteger(maxNewTokens) && maxNewTokens >= 0))
    throw new RangeError(`maxNewTokens is ${maxNewTokens}; allowed: whole numbers of 0 or more`);
  if (stopIds.length > MAX_STOPS)
    throw new RangeError(`${stopIds.length} stop tokens; at most ${MAX_STOPS} are possible`);
  if (legal && legal.length !== prompts.length)
    throw new RangeError(`legal has ${legal.length} rows for ${prompts.length} prompts`);
  for (const ids of legal ?? []) if (ids) legalBits(ids, vocabSize);
  prompts.forEach((prompt, row) => checkPrompt(prompt, row, vocabSize));
  checkKeys(request);
}

function checkPrompt(prompt: readonly number[], row: number, vocabSize: number): void {
  const place = prompt.findIndex((id) => !isToken(id, vocabSize));
  if (place < 0) return;
  const found = `prompts, row ${row}, place ${place}: ${prompt[place]}`;
  throw new RangeError(`${found}; allowed: 0 to ${vocabSize - 1}`);
}

function checkKeys({ key, prompts, continues }: GenerateRequest): void {
  const { seed, iteration, stream } = key;
  prompts.forEach((prompt, row) => {
    const [trajectory, step] = [key.trajectory[row]!, key.step[row]!];
    if (prompt.length > 0 || continues) randomWords({ seed, iteration, stream, trajectory, step });
  });
}
