/** Converts a text to the terms that a search compares. */
import { stemmer } from "stemmer";

/** Terms in order, with repeats. */
export type Analyser = (text: string) => string[];

/** The words that Lucene's English analysis drops. */
const STOP_WORDS = new Set(
  (
    "a an and are as at be but by for if in into is it no not of on or such that the their then " +
    "there these they this to was will with"
  ).split(" "),
);

/** Lower-case runs of a-z and 0-9, without stop words. */
export const plainTerms: Analyser = (text) =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !STOP_WORDS.has(word));

/**
 * Words of any script, without possessive 's and stop words, then Porter stems: what Lucene's
 * English analysis does, except for its rarer word-boundary rules (commas in numbers, scripts
 * without spaces).
 */
export const stemmedTerms: Analyser = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]+(?:['’.][\p{L}\p{N}_]+)*/gu) ?? [])
    .map((word) => word.replace(/['’]s$/, ""))
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemmer);

export const ANALYSERS = { plain: plainTerms, stemmed: stemmedTerms } as const;
