/**
 * States that look alike as one: GiGPO's grouping by the similarity of texts instead of equality.
 * Similarity is that of Ratcliff and Obershelp, 2 M / T: M characters in common blocks of T in all,
 * the longest block first and then what is left and right of it.
 *
 * Source: verl-agent gigpo/core_gigpo.py, build_step_group and are_similar
 * (difflib.SequenceMatcher). difflib treats characters that fill more than 1 % of a text of 200 or
 * more as noise when it looks for blocks; here no character is noise, so that long texts may be
 * rated more similar.
 */

/** From 0, nothing in common, to 1, equal. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  return (2 * commonBlocks(a, b)) / (a.length + b.length);
}

/** Characters of the longest common block, and of those to its left and to its right. */
function commonBlocks(a: string, b: string): number {
  const { length, inA, inB } = longestBlock(a, b);
  if (length === 0) return 0;
  const left = commonBlocks(a.slice(0, inA), b.slice(0, inB));
  return length + left + commonBlocks(a.slice(inA + length), b.slice(inB + length));
}

/** The first of the longest: earliest in a, then earliest in b. */
function longestBlock(a: string, b: string): { length: number; inA: number; inB: number } {
  let best = { length: 0, inA: 0, inB: 0 };
  // [m + 1], length of the block that ends at a[i] and b[j - 1]
  let before = new Uint32Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    const now = new Uint32Array(b.length + 1);
    for (let j = 1; j <= b.length; j++) {
      if (a[i] !== b[j - 1]) continue;
      const length = (now[j] = before[j - 1]! + 1);
      if (length > best.length) best = { length, inA: i - length + 1, inB: j - length };
    }
    before = now;
  }
  return best;
}

/**
 * Each name's representative: the first earlier name of its group (equal `group` entries) whose
 * similarity is at least `threshold`, else itself. names and group [K] -> [K]
 */
export function representatives(
  names: readonly string[],
  group: readonly string[],
  threshold: number,
): string[] {
  if (threshold >= 1) return [...names];
  const known = new Map<string, string[]>();
  return names.map((name, k) => {
    const of = known.get(group[k]!) ?? [];
    known.set(group[k]!, of);
    const like = of.find((other) => similarity(name, other) >= threshold);
    if (like === undefined) of.push(name);
    return like ?? name;
  });
}
