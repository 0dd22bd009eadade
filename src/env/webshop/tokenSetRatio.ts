/**
 * Similarity of two texts as sets of words: thefuzz's `token_set_ratio`, reimplemented from its
 * rules.
 */
import { words } from "./pythonText.ts";

/**
 * Maximum length of outside texts that are compared, in UTF-16 units: the work grows with the
 * product of both lengths. WebShop's attributes and options have a few words.
 */
export const MAX_COMPARED = 1000;

/**
 * 0 to 100. The common words are compared with all words of each text, and these with each other;
 * the best counts, so a text whose words are all in the other scores 100.
 *
 * The similarity of two strings uses their longest common subsequence, as in rapidfuzz. The difflib
 * blocks of older versions give other scores for a third of real pairs; whether they pass 85, the
 * only thing the reward uses, differed in none of 32,346.
 */
export function tokenSetRatio(a: string, b: string): number {
  const [wordsA, wordsB] = [tokenSet(a), tokenSet(b)];
  if (wordsA.size === 0 || wordsB.size === 0) return 0;
  const shared = [...wordsA].filter((word) => wordsB.has(word)).sort();
  const both = shared.join(" ");
  const allA = [...shared, ...[...wordsA].filter((word) => !wordsB.has(word)).sort()].join(" ");
  const allB = [...shared, ...[...wordsB].filter((word) => !wordsA.has(word)).sort()].join(" ");
  return Math.max(ratio(both, allA), ratio(both, allB), ratio(allA, allB));
}

/** Latin-1 letters such as é are dropped, not transliterated: "café" is "caf". */
function tokenSet(text: string): Set<string> {
  const letters = text.replace(/[\u0080-\u00ff]/g, "").replace(/[^\p{L}\p{N}_]/gu, " ");
  return new Set(words(letters.toLowerCase()));
}

function ratio(a: string, b: string): number {
  if (a === b) return 100;
  if (a === "" || b === "") return 0;
  const [x, y] = [[...a], [...b]];
  return roundHalfEven(100 * ((2 * commonSubsequence(x, y)) / (x.length + y.length)));
}

/** Length of the longest common subsequence. [n], [m] -> at most min(n, m) */
function commonSubsequence(x: string[], y: string[]): number {
  const row = new Uint32Array(y.length + 1); // [m + 1], best of x[0..i) with y[0..j)
  for (const char of x) {
    let diagonal = 0;
    for (let j = 1; j <= y.length; j++) {
      const above = row[j]!;
      row[j] = char === y[j - 1] ? diagonal + 1 : Math.max(above, row[j - 1]!);
      diagonal = above;
    }
  }
  return row[y.length]!;
}

/** Python's rounding: 86.5 is 86. */
function roundHalfEven(x: number): number {
  const rounded = Math.round(x);
  return rounded - x === 0.5 && rounded % 2 === 1 ? rounded - 1 : rounded;
}
