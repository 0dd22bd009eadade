/** Digests by digest are found again, however many there are. */
import { expect, it } from "vitest";
import { Digests } from "../../src/interchange/import/digests.ts";
import { shortDigest } from "../../src/interchange/import/values.ts";

it("is what a Map is, of numbers up to 53 bits", () => {
  const [digests, map] = [new Digests(), new Map<number, number>()];
  const edges = [0, 1, 2 ** 53 - 1, 2 ** 32, 2 ** 31 - 1, 2 ** 52];
  const keys = Array.from({ length: 20_000 }, (_, i) => shortDigest(`row ${i}`));
  for (const [i, key] of [...edges, ...keys, ...keys.slice(0, 99)].entries()) {
    expect(digests.get(key)).toBe(map.get(key));
    digests.set(key, i);
    map.set(key, i);
  }
  for (const [key, value] of map) expect(digests.get(key)).toBe(value);
  for (const key of [3, 2 ** 40 + 1, shortDigest("none")]) expect(digests.get(key)).toBe(undefined);
});
