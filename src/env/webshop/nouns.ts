/** The nouns of a title: two products must share some to be of one type. */

/** Lower-case nouns in order, with repeats. */
export type NounTagger = (title: string) => string[];

/** Words of titles and of short descriptions that are not nouns. */
const NO_NOUNS = new Set(
  (
    "a an and are as at be but by find for from i if im in into is it its looking me my need no " +
    "not of on or such that the their then there these they this to ul want was will with " +
    "without you your"
  ).split(" "),
);

/**
 * Every word made of letters only that is not in a list of function words. WebShop asks spaCy for
 * NOUN and PROPN, which a page cannot run; in titles, where nearly every word is capitalised and
 * tagged as a name, this comes close, but adjectives count here too. Words next to digits, as in
 * "6ft", never count.
 */
export const titleNouns: NounTagger = (title) =>
  (title.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter(
    (word) => /^\p{L}+$/u.test(word) && !NO_NOUNS.has(word),
  );

/** The same tagger with a cache. */
export function rememberNouns(tagger: NounTagger): NounTagger {
  const known = new Map<string, string[]>();
  return (title) => {
    let nouns = known.get(title);
    if (!nouns) known.set(title, (nouns = tagger(title)));
    return nouns;
  };
}
