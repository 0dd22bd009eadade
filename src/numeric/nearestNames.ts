/** Known names that look most like a wrong one, for errors that offer them. */

/** At most three, the likest first: by Dice's coefficient over pairs of letters, and at least a third alike. */
export function nearestNames(wrong: string, known: Iterable<string>): string[] {
  const wanted = pairsOf(wrong);
  return [...new Set(known)]
    .map((name) => ({ name, alike: alike(wanted, pairsOf(name)) }))
    .filter(({ alike }) => alike >= LEAST)
    .sort((a, b) => b.alike - a.alike)
    .slice(0, MOST)
    .map(({ name }) => name);
}

const LEAST = 1 / 3;
const MOST = 3;

/** Pairs of neighbouring letters and digits. */
function pairsOf(name: string): Set<string> {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return new Set(
    Array.from({ length: Math.max(0, plain.length - 1) }, (_, i) => plain.slice(i, i + 2)),
  );
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((pair) => b.has(pair)).length;
  return (2 * common) / Math.max(1, a.size + b.size);
}
