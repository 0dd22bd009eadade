/** In which order code cells run. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runOrder } from "../../src/notebook/graph.ts";

const reads = (table: Record<string, string[]>) => new Map(Object.entries(table));

describe("the order of code cells", () => {
  it("has what a cell reads before it, and nothing that it does not need", () => {
    const table = reads({ plot: ["rows", "first"], rows: ["first"], other: ["rows"] });
    expect(runOrder(["plot"], table)).toEqual({ order: ["rows", "plot"], circles: new Map() });
    expect(runOrder(["first", "nowhere"], table).order).toEqual([]);
  });

  it("names the way round of every cell in a circle, and of no other", () => {
    const table = reads({ a: ["b"], b: ["c"], c: ["a"], own: ["own"], d: ["a"] });
    const { order, circles } = runOrder(["d", "own"], table);
    expect(order).toHaveLength(5);
    expect(circles.get("b")).toEqual(["b", "c", "a", "b"]);
    expect(circles.get("own")).toEqual(["own", "own"]);
    expect(circles.has("d")).toBe(false);
  });

  it("is an order whatever the cells read", () => {
    const name = fc.constantFrom(..."abcdefgh");
    const table = fc.dictionary(name, fc.uniqueArray(name, { maxLength: 4 }));
    fc.assert(
      fc.property(table, (all) => {
        const { order, circles } = runOrder(Object.keys(all), reads(all));
        expect([...order].sort()).toEqual(Object.keys(all).sort());
        for (const [i, id] of order.entries())
          for (const read of all[id]!)
            if (Object.hasOwn(all, read) && !(circles.has(id) && circles.has(read)))
              expect(order.indexOf(read)).toBeLessThan(i);
      }),
    );
  });
});
