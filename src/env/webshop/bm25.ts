/**
 * Ranking by BM25 over an inverted index:
 *
 *   score(d) = sum over query terms t of idf(t) * tf / (tf + k1 * (1 - b + b * length(d) / mean length))
 *   idf(t)   = ln(1 + (N - df + 0.5) / (df + 0.5))
 */
import { log } from "../../numeric/deterministic.ts";
import type { Analyser } from "./analyser.ts";

export interface Document {
  id: string;
  text: string;
}

/** Positions of the documents that contain a query term, best first, at most `limit`. */
export type Search = (query: string, limit: number) => number[];

/** Creates a search over documents; results are positions in the list. */
export type Ranker = (documents: readonly Document[], analyse: Analyser) => Search;

/** Documents that contain one term, and the term's contribution to the score of each. Both [df] */
interface Postings {
  documents: Uint32Array;
  weights: Float64Array;
}

const K1 = 0.9;
const B = 0.4;

/** k1 = 0.9 and b = 0.4, as in pyserini; ties in the order of ids. */
export const bm25: Ranker = (documents, analyse) => {
  const index = weigh(countTerms(documents, analyse), documents.length);
  const rank = idRanks(documents); // [N]
  const scores = new Float64Array(documents.length); // [N], all 0 between searches
  return (query, limit) => {
    const found = addScores(analyse(query), index, scores);
    const top = best(found, scores, rank, limit);
    for (const document of found) scores[document] = 0;
    return top;
  };
};

/** The first `limit` by score, then rank: cheaper than sorting all, since a common word has many. */
function best(found: number[], scores: Float64Array, rank: Uint32Array, limit: number): number[] {
  const before = (a: number, b: number) =>
    scores[a]! > scores[b]! || (scores[a] === scores[b] && rank[a]! < rank[b]!);
  const top: number[] = [];
  for (const document of found) {
    if (top.length === limit && !before(document, top[limit - 1]!)) continue;
    let at = Math.min(top.length, limit - 1);
    for (; at > 0 && before(document, top[at - 1]!); at--) top[at] = top[at - 1]!;
    top[at] = document;
  }
  return top;
}

/** Adds up the scores of a query, counting repeated terms; returns the documents hit. */
function addScores(terms: string[], index: Map<string, Postings>, scores: Float64Array): number[] {
  const found: number[] = [];
  for (const term of terms) {
    const postings = index.get(term);
    if (!postings) continue;
    const { documents, weights } = postings;
    for (let i = 0; i < documents.length; i++) {
      const document = documents[i]!;
      if (scores[document] === 0) found.push(document);
      scores[document]! += weights[i]!;
    }
  }
  return found;
}

interface TermCounts {
  /** Term to [document, count] pairs, by document. */
  counts: Map<string, [number, number][]>;
  /** Terms of each document. [N] */
  lengths: number[];
}

function countTerms(documents: readonly Document[], analyse: Analyser): TermCounts {
  const counts: TermCounts["counts"] = new Map();
  const lengths = documents.map(({ text }, document) => {
    const terms = analyse(text);
    for (const term of terms) {
      let pairs = counts.get(term);
      if (!pairs) counts.set(term, (pairs = []));
      const last = pairs.at(-1);
      if (last?.[0] === document) last[1]++;
      else pairs.push([document, 1]);
    }
    return terms.length;
  });
  return { counts, lengths };
}

function weigh({ counts, lengths }: TermCounts, n: number): Map<string, Postings> {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / n;
  const index = new Map<string, Postings>();
  for (const [term, pairs] of counts) {
    const idf = log(1 + (n - pairs.length + 0.5) / (pairs.length + 0.5));
    const weights = pairs.map(([document, tf]) => {
      const norm = K1 * (1 - B + (B * lengths[document]!) / mean);
      return (idf * tf) / (tf + norm);
    });
    const documents = Uint32Array.from(pairs, ([document]) => document);
    index.set(term, { documents, weights: Float64Array.from(weights) });
  }
  return index;
}

/** Rank of each document's id among all ids. [N] */
function idRanks(documents: readonly Document[]): Uint32Array {
  const order = documents.map((_, i) => i);
  const id = (i: number) => documents[i]!.id;
  order.sort((a, b) => (id(a) < id(b) ? -1 : id(a) > id(b) ? 1 : a - b));
  const ranks = new Uint32Array(documents.length);
  order.forEach((document, rank) => (ranks[document] = rank));
  return ranks;
}
