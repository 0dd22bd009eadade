import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packRows, tokenRow } from "../../src/text/tokenRow.ts";

describe("tokenRow", () => {
  // Golden G0: 3 prompt tokens, turn 1 at 3,4,5, observation and next header at 6,7,8, turn 2 at
  // 9,10, padding at 11.
  const turns = [
    { queryIds: [50, 51, 52], responseIds: [53, 54, 55] },
    { queryIds: [56, 57, 58], responseIds: [59, 60] },
  ];

  it("has the mask and indices of golden G0", () => {
    const row = tokenRow(turns, "full");
    const packed = packRows([row], 12, 7);
    expect(row.responseMask).toEqual([0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1]);
    expect(row.turnId).toEqual([-1, -1, -1, 0, 0, 0, -1, -1, -1, 1, 1]);
    expect(row.stateEnd).toEqual([2, 8]);
    expect(row.turnEnd).toEqual([5, 10]);
    expect(row.tokenIndices).toEqual([3, 4, 5, 9, 10]);
    expect(row.finalStateEnd).toBe(-1);
    expect(packed).toMatchObject({ B: 1, L: 12 });
    expect([...packed.ids]).toEqual([50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 7]);
    expect([...packed.position]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0]);
    expect([...packed.segment]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1]);
  });

  it("starts a new segment and new positions with each turn in turn context", () => {
    const row = tokenRow(turns, "turn", [61, 62]);
    expect(row.position).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 0, 1]);
    expect(row.segment).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2]);
    expect(row.finalStateEnd).toBe(12);
  });

  it("keeps the final query out of the turns, and in the one segment of full context", () => {
    const row = tokenRow(turns, "full", [61, 62]);
    expect(row.ids.slice(11)).toEqual([61, 62]);
    expect(row.position.slice(9)).toEqual([9, 10, 11, 12]);
    expect(row.segment).toEqual(new Array(13).fill(0));
    expect(row.responseMask.slice(11)).toEqual([0, 0]);
    expect(row.finalStateEnd).toBe(12);
    expect([row.stateEnd.length, row.turnEnd.length]).toEqual([2, 2]);
  });

  it("refuses a turn without a query or without a response", () => {
    expect(() => tokenRow([{ queryIds: [1], responseIds: [] }], "full")).toThrow(
      "turn 0 has 1 query",
    );
    expect(() => tokenRow([{ queryIds: [], responseIds: [1] }], "turn")).toThrow("0 query");
  });
});

const ids = fc.array(fc.nat(59), { minLength: 1, maxLength: 9 });
const anyTurns = fc.array(fc.record({ queryIds: ids, responseIds: ids }), {
  minLength: 1,
  maxLength: 4,
});
const context = fc.constantFrom("full" as const, "turn" as const);

describe("any rows", () => {
  it("give back each turn's query and response from the indices alone", () => {
    fc.assert(
      fc.property(anyTurns, context, (turns, ctx) => {
        const row = tokenRow(turns, ctx);
        turns.forEach(({ queryIds, responseIds }, h) => {
          const [state, end] = [row.stateEnd[h]!, row.turnEnd[h]!];
          expect(row.ids.slice(state - queryIds.length + 1, state + 1)).toEqual(queryIds);
          expect(row.ids.slice(state + 1, end + 1)).toEqual(responseIds);
          expect(row.turnId.slice(state + 1, end + 1)).toEqual(responseIds.map(() => h));
        });
        expect(row.tokenIndices.map((t) => row.ids[t])).toEqual(
          turns.flatMap((t) => t.responseIds),
        );
        expect(row.tokenIndices.every((t) => row.segment[t] === row.segment[t - 1])).toBe(true);
      }),
    );
  });

  it("pack to a multiple of the bucket with nothing lost", () => {
    fc.assert(
      fc.property(fc.array(anyTurns, { minLength: 1, maxLength: 5 }), context, (batch, ctx) => {
        const rows = batch.map((turns) => tokenRow(turns, ctx));
        const { B, L, ids: packedIds, segment } = packRows(rows, 8);
        const longest = Math.max(...rows.map((row) => row.ids.length));
        expect([B, L % 8, L >= longest, L - longest < 8]).toEqual([rows.length, 0, true, true]);
        rows.forEach((row, b) => {
          expect([...packedIds.slice(b * L, b * L + row.ids.length)]).toEqual(row.ids);
          const padding = segment.slice(b * L + row.ids.length, (b + 1) * L);
          expect(padding.every((s) => s === -1)).toBe(true);
        });
      }),
    );
  });
});
