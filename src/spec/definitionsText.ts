/** Definitions as one short word of a link. Read as text; nothing is run. */
import { LONGEST_DEFINITIONS, type Definition } from "./definitions.ts";
import { InputError } from "../numeric/inputError.ts";
import { packText, unpackText } from "./packedText.ts";

/**
 * Maximum bytes of the JSON: the longest definitions, with every character escaped, and their
 * names.
 */
const MOST_BYTES = 8 * LONGEST_DEFINITIONS;

export function definitionsToText(definitions: readonly Definition[]): string {
  return packText(JSON.stringify(definitions));
}

/**
 * The content of the word, unchecked except for its size. @throws InputError if it cannot be read.
 */
export function definitionsFromText(text: string): unknown {
  const json = unpackText(text, MOST_BYTES, "definitions");
  try {
    return JSON.parse(json);
  } catch {
    throw new InputError("definitions is not code that a link can carry");
  }
}
