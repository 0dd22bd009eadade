/**
 * Finds entries by typed words: each word must occur, and its position determines how well it fits.
 */

export interface Searched {
  title: string;
  /** Other words it may be found by. */
  words: string;
}

/** Maximum results drawn at once; "actor" and "mean" find 90 metrics. */
export const MOST_RESULTS = 120;

/** Points for a word of the query by where it is found; later rows are worth less. */
const POINTS = { titleStart: 8, wordStart: 5, inTitle: 2, besideStart: 2, beside: 1 } as const;

/** The entries with all words of the query, best first; ties by shorter title, then in the original order. */
export function search<E extends Searched>(
  entries: readonly E[],
  query: string,
  most: number,
): E[] {
  const wanted = plain(query)
    .split(/[\s-]+/)
    .filter(Boolean);
  return entries
    .map((entry) => ({ entry, points: pointsOf(entry, wanted) }))
    .filter(({ points }) => points !== null)
    .sort((a, b) => b.points! - a.points! || shorter(query, a.entry, b.entry))
    .slice(0, most)
    .map(({ entry }) => entry);
}

/** Without a query all keep their order. */
function shorter(query: string, a: Searched, b: Searched): number {
  return query.trim() === "" ? 0 : a.title.length - b.title.length;
}

/** Null if a word does not occur in it. */
function pointsOf({ title, words }: Searched, wanted: readonly string[]): number | null {
  const [first, second] = [plain(title), plain(words)];
  let sum = 0;
  for (const [i, word] of wanted.entries()) {
    const points = pointsOfWord(first, second, word, i === 0);
    if (points === 0) return null;
    sum += points;
  }
  return sum;
}

function pointsOfWord(title: string, beside: string, word: string, leads: boolean): number {
  const one = word.replace(/(?<=..)s$/, "");
  if (one !== word && !title.includes(word) && !beside.includes(word))
    // One of several.
    return pointsOfWord(title, beside, one, leads);
  if (leads && title.startsWith(word)) return POINTS.titleStart;
  if (startsWord(title, word)) return POINTS.wordStart;
  if (title.includes(word)) return POINTS.inTitle;
  if (startsWord(beside, word)) return POINTS.besideStart;
  return beside.includes(word) ? POINTS.beside : 0;
}

const startsWord = (text: string, word: string) =>
  text.startsWith(word) || text.split(/[^\p{L}\p{N}]+/u).some((one) => one.startsWith(word));

/** Lower case without accents. */
const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
