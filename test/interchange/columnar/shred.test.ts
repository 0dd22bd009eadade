import fc from "fast-check";
import { gzipSync, strToU8 } from "fflate";
import { describe, expect, it } from "vitest";
import { STEP_ERROR } from "../../../src/interchange/columnar/numbers.ts";
import { decodePart, encodePart } from "../../../src/interchange/columnar/part.ts";
import { quantile } from "../../../src/numeric/statistics.ts";
import { significant } from "../../../src/numeric/significant.ts";

const MOST = 10_000_000;
const exact = () => "exact" as const;
const coarse = () => "coarse" as const;
const fine = () => "fine" as const;

async function through(value: unknown, precision: typeof exact | typeof coarse | typeof fine) {
  return decodePart(encodePart(value, precision), MOST);
}

const json = fc.jsonValue({ maxDepth: 4 });

/** JSON writes minus zero as zero, where columns keep it. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

/** Largest relative error of numbers to 7 digits. */
const SEVENTH = 6e-7;

function relative(read: readonly number[], x: readonly number[]): number {
  return Math.max(
    ...read.map((one, i) => Math.abs(one - x[i]!) / Math.max(Math.abs(x[i]!), 1e-30)),
  );
}

describe("a part of a columnar recording", () => {
  it("gives back any JSON value", async () => {
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        expect(asJson(await through(value, exact))).toEqual(asJson(value));
      }),
      { numRuns: 300 },
    );
  });

  it("tells null, absent, empty and mixed apart", async () => {
    const rows = [
      { a: null, b: [], c: {}, d: 1, e: "x" },
      { b: [null], c: { f: true }, d: "1", e: "" },
      { a: 2, d: [false] },
    ];
    expect(await through(rows, exact)).toStrictEqual(rows);
  });

  it("keeps a field of any name to itself", async () => {
    const rows = JSON.parse('[{"__proto__":1,"constructor":2}]') as object[];
    const read = (await through(rows, exact)) as object[];
    expect(JSON.stringify(read)).toBe(JSON.stringify(rows));
    expect(Object.getPrototypeOf(read[0])).toBe(Object.prototype);
  });

  it("takes no field from what every object inherits", async () => {
    const rows = JSON.parse('[{"valueOf":false,"__proto__":1},{},{"toString":"x"}]') as object[];
    expect(JSON.stringify(await through(rows, exact))).toBe(JSON.stringify(rows));
  });

  it("keeps fields whose names are numbers apart from those before them", async () => {
    const rows = [{ b: false }, { 10: null, 2: "x" }];
    expect(await through(rows, exact)).toStrictEqual(rows);
  });

  it("writes the same bytes each time", () => {
    const rows = [{ a: 1.5 }, { a: 2 }];
    expect(encodePart(rows, exact)).toEqual(encodePart(rows, exact));
  });

  it("keeps numbers within the precision that is asked for", async () => {
    const x = Array.from({ length: 500 }, (_, i) => Math.sin(i * 1.7) * 3 + 1);
    const middleHalf = quantile(x, 0.75) - quantile(x, 0.25);
    const off = (y: number[]) => Math.max(...y.map((one, i) => Math.abs(one - x[i]!)));
    expect(await through(x, exact)).toEqual(x);
    expect(relative((await through(x, fine)) as number[], x)).toBeLessThan(SEVENTH);
    const told = x.map((one) => significant(one, 7));
    expect(await through(told, fine)).toEqual(told);
    const steps = off((await through(x, coarse)) as number[]);
    expect(steps).toBeGreaterThan(1e-6);
    // Half a step, and the rounding to 7 digits after it.
    expect(steps).toBeLessThan(STEP_ERROR * middleHalf + 1e-6);
    expect(encodePart(x, coarse).length).toBeLessThan(0.7 * encodePart(x, fine).length);
  });

  it("takes 32 bits where one number lies far from the others", async () => {
    const x = Array.from({ length: 500 }, (_, i) => Math.sin(i) / 100);
    x[7] = 1e6;
    const read = (await through(x, coarse)) as number[];
    expect(relative(read, x)).toBeLessThan(SEVENTH);
  });

  it("keeps seeds, numbers beyond 32 bits and minus zero", async () => {
    const x = [2 ** 40, -0, 3, 1e300, 5e-324, 2 ** 53];
    expect(await through(x, coarse)).toEqual(x);
  });
});

describe("a damaged part is refused in a sentence", () => {
  const whole = encodePart({ a: [1.5, 2.5, 1e9], b: ["x", "y"] }, exact);
  const plain = (text: string, rest = new Uint8Array()) => {
    const description = strToU8(text);
    const bytes = new Uint8Array(4 + description.length + rest.length);
    new DataView(bytes.buffer).setUint32(0, description.length, true);
    bytes.set(description, 4);
    bytes.set(rest, 4 + description.length);
    return gzipSync(bytes);
  };
  const same = (value: number) => `{"type":"number","how":{"kind":"same","value":${value}}}`;

  it.each([
    ["cut off", whole.subarray(0, -9), /not a complete gzip file/],
    ["no gzip", strToU8("hello"), /not a complete gzip file/],
    ["a description that is not JSON", plain("{"), /not a JSON object/],
    ["an unknown type", plain('{"type":"tree"}'), /unknown type/],
    ["too few bytes", plain('{"type":"number","how":{"kind":"f64"}}'), /end too early/],
    ["too many bytes", plain(same(1), new Uint8Array(3)), /follow the last/],
    [
      "lists that claim too much",
      plain(`{"type":"list","lengths":{"kind":"same","value":1e9},"items":${same(1)}}`),
      /more data than allowed/,
    ],
    [
      "a text that is not there",
      plain('{"type":"text","texts":[],"how":{"kind":"same","value":4}}'),
      /a missing text/,
    ],
    ["a description of another form", plain('{"type":"object"}'), /is invalid/],
  ])("%s", async (_, bytes, why) => {
    await expect(decodePart(bytes, MOST)).rejects.toThrow(why);
  });

  it("one that unpacks to more than it may", async () => {
    const zeros = gzipSync(new Uint8Array(1_000_000));
    await expect(decodePart(zeros, 1000)).rejects.toThrow(/more than 1000 bytes/);
  });
});
