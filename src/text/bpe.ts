/**
 * Byte-pair encoding of UTF-8 bytes: Sennrich, Haddow and Birch (arXiv 1508.07909) on GPT-2's byte
 * letters, with Qwen2's rule for words. The order of merges is that of the BpeTrainer of Hugging
 * Face's tokenizers.
 */

/** A merge: the ids of the two tokens that become one. */
export type Merge = readonly [left: number, right: number];

/**
 * Qwen2's rule: contractions, letters with the sign before them, single digits, signs with the
 * space before and the line ends after them, white space.
 */
export const QWEN2_WORDS =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/** The same for engines without `(?i:`. */
const WORDS = new RegExp(
  QWEN2_WORDS.replace(/\(\?i:([^)]*)\)/, (_, endings: string) => {
    const eitherCase = endings.replace(/[a-z]/g, (x) => `[${x}${x.toUpperCase()}]`);
    return `(?:${eitherCase})`;
  }),
  "gu",
);

const isPrinted = (byte: number) =>
  (byte > 32 && byte < 127) || (byte > 160 && byte !== 173 && byte < 256);

/** The bytes by their id: those that print in Latin-1, then the others. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte).sort(
  (a, b) => Number(isPrinted(b)) - Number(isPrinted(a)) || a - b,
);

/** GPT-2's letter of each byte, in the order of the ids: a byte that does not print has one from U+0100 on. */
export const BYTE_LETTERS: readonly string[] = BYTES.map((byte, id) =>
  String.fromCharCode(isPrinted(byte) ? byte : 256 + id - BYTES.filter(isPrinted).length),
);

/** The bytes' letters, then the token of each merge; the index is the id. */
export function mergedTokens(merges: readonly Merge[]): string[] {
  const tokens = [...BYTE_LETTERS];
  for (const [left, right] of merges) tokens.push(tokens[left]! + tokens[right]!);
  return tokens;
}

/**
 * Learns merges from texts until there are `size` tokens, or nothing is left to merge. Each merges
 * the most frequent pair; of equally frequent ones that of the smallest left id, then right id.
 */
export function learnMerges(texts: Iterable<string>, size: number): Merge[] {
  const words = countedWords(texts);
  const pairs = new PairCounts();
  words.forEach((word) => pairs.add(word, 1));
  const merges: Merge[] = [];
  for (let id = BYTE_LETTERS.length; id < size; id++) {
    const merge = pairs.mostFrequent();
    if (!merge) break;
    merges.push(merge);
    for (const word of pairs.wordsWith(merge)) {
      pairs.add(word, -1);
      word.ids = merged(word.ids, merge, id);
      pairs.add(word, 1);
    }
  }
  return merges;
}

/** A distinct word of the texts, as ids, and how often it occurs. */
interface Word {
  ids: number[];
  count: number;
}

function countedWords(texts: Iterable<string>): Word[] {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [word] of text.normalize("NFC").matchAll(WORDS))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const idOf = new Map(BYTES.map((byte, id) => [byte, id]));
  const utf8 = new TextEncoder();
  return [...counts].map(([word, count]) => ({
    ids: [...utf8.encode(word)].map((byte) => idOf.get(byte)!),
    count,
  }));
}

function merged(ids: readonly number[], [left, right]: Merge, id: number): number[] {
  const result: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    const isPair = ids[i] === left && ids[i + 1] === right;
    result.push(isPair ? id : ids[i]!);
    if (isPair) i++;
  }
  return result;
}

/** How often each pair occurs, and in which words it ever did. */
class PairCounts {
  #pairs = new Map<number, { merge: Merge; count: number; words: Set<Word> }>();

  #at(merge: Merge) {
    const key = merge[0] * 2 ** 26 + merge[1];
    const found = this.#pairs.get(key) ?? { merge, count: 0, words: new Set() };
    this.#pairs.set(key, found);
    return found;
  }

  /** Adds a word's pairs, or takes them off. */
  add(word: Word, sign: 1 | -1): void {
    for (let i = 1; i < word.ids.length; i++) {
      const pair = this.#at([word.ids[i - 1]!, word.ids[i]!]);
      pair.count += sign * word.count;
      pair.words.add(word);
    }
  }

  wordsWith(merge: Merge): Word[] {
    return [...this.#at(merge).words];
  }

  mostFrequent(): Merge | undefined {
    let best: { merge: Merge; count: number } = { merge: [Infinity, Infinity], count: 0 };
    for (const pair of this.#pairs.values()) {
      const [left, right] = pair.merge;
      const before = left - best.merge[0] || right - best.merge[1];
      if (pair.count > best.count || (pair.count === best.count && before < 0)) best = pair;
    }
    return best.count > 0 ? best.merge : undefined;
  }
}
