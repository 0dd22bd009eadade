import { describe, expect, it } from "vitest";
import fc from "fast-check";
import type { WeightMap } from "../../src/engine/engine.ts";
import { readSafetensors, writeSafetensors } from "../../src/model/safetensors.ts";
import { InputError } from "../../src/numeric/inputError.ts";

/** A file with the given header and number of data bytes. */
function file(header: unknown, dataBytes: number, length?: number): Uint8Array {
  const text = new TextEncoder().encode(
    typeof header === "string" ? header : JSON.stringify(header),
  );
  const bytes = new Uint8Array(8 + text.length + dataBytes);
  new DataView(bytes.buffer).setUint32(0, length ?? text.length, true);
  bytes.set(text, 8);
  return bytes;
}

const entry = (dtype: string, shape: unknown, data_offsets: unknown) => ({
  dtype,
  shape,
  data_offsets,
});

/** A file of one tensor "w" with the given 16-bit patterns. */
function half(dtype: string, patterns: number[]): Uint8Array {
  const bytes = file(
    { w: entry(dtype, [patterns.length], [0, patterns.length * 2]) },
    patterns.length * 2,
  );
  const at = bytes.length - patterns.length * 2;
  patterns.forEach((p, i) => new DataView(bytes.buffer).setUint16(at + 2 * i, p, true));
  return bytes;
}

const numbers = (bytes: Uint8Array) => [...readSafetensors(bytes, "f").get("w")!.data];

describe("reading", () => {
  it("widens BF16 and F16 exactly", () => {
    expect(numbers(half("BF16", [0x3f80, 0xc049, 0x0001]))).toEqual([
      1, -3.140625, 9.183549615799121e-41,
    ]);
    expect(numbers(half("F16", [0x3c00, 0xc248, 0x0001, 0x7bff, 0x8000]))).toEqual([
      1,
      -3.140625,
      2 ** -24,
      65504,
      -0,
    ]);
  });

  it("reads tensors in any order and skips the metadata", () => {
    const header = {
      __metadata__: { format: "pt" },
      b: entry("F32", [1], [4, 8]),
      a: entry("F32", [], [0, 4]),
    };
    const bytes = file(header, 8);
    new DataView(bytes.buffer).setFloat32(bytes.length - 8, 1.5, true);
    new DataView(bytes.buffer).setFloat32(bytes.length - 4, 2.5, true);
    const tensors = readSafetensors(bytes, "f");
    expect(tensors.get("a")).toEqual({ shape: [], data: Float32Array.of(1.5) });
    expect(tensors.get("b")).toEqual({ shape: [1], data: Float32Array.of(2.5) });
    expect(tensors.size).toBe(2);
  });

  it("does not share memory with a Node Buffer", () => {
    const buffer = Buffer.from(
      writeSafetensors(new Map([["w", { shape: [2], data: Float32Array.of(1, 2) }]])),
    );
    const { data } = readSafetensors(buffer, "f").get("w")!;
    expect([...data]).toEqual([1, 2]);
    buffer.fill(0);
    expect([...data]).toEqual([1, 2]);
  });

  it.each<[string, Uint8Array, string]>([
    ["an empty file", new Uint8Array(0), "has 0 bytes"],
    ["a header length beyond the file", file({}, 0, 1000), "the header length is 1000"],
    [
      "a huge header length",
      new Uint8Array(8).fill(255),
      "the header length is 18446744073709552000",
    ],
    ["a header that is not JSON", file("{", 0), "must be a JSON object"],
    ["a header that is a list", file([], 0), "must be a JSON object"],
    ["an entry that is null", file({ w: null }, 0), 'dtype of tensor "w" is nothing'],
    [
      "an unknown dtype",
      file({ w: entry("I64", [1], [0, 8]) }, 8),
      'dtype of tensor "w" is "I64"; it must be one of F32, F16, BF16',
    ],
    [
      "a dtype from Object.prototype",
      file({ w: entry("toString", [1], [0, 8]) }, 8),
      "it must be one of",
    ],
    [
      "a negative dimension",
      file({ w: entry("F32", [-1], [0, 4]) }, 4),
      'shape of tensor "w" is [-1]',
    ],
    [
      "a shape that is not a list",
      file({ w: entry("F32", 4, [0, 4]) }, 4),
      'shape of tensor "w" is 4',
    ],
    [
      "offsets beyond the file",
      file({ w: entry("F32", [2], [0, 8]) }, 4),
      "within the 4 data bytes",
    ],
    ["offsets in reverse", file({ w: entry("F32", [1], [4, 0]) }, 4), "data_offsets"],
    [
      "a range that does not fit the shape",
      file({ w: entry("F32", [2], [0, 4]) }, 4),
      "takes 8 bytes",
    ],
    [
      "overlapping tensors",
      file({ a: entry("F32", [1], [0, 4]), b: entry("F16", [2], [2, 6]) }, 6),
      "must not overlap",
    ],
    ["a hole", file({ a: entry("F32", [1], [4, 8]) }, 8), "holes are not allowed"],
    ["bytes after the last tensor", file({ a: entry("F32", [1], [0, 4]) }, 8), "the last 4 bytes"],
    ["NaN", half("BF16", [0x3f80, 0x7fc0]), 'tensor "w" holds NaN at index 1'],
    ["infinity", half("F16", [0xfc00]), 'tensor "w" holds -Infinity at index 0'],
  ])("refuses %s", (_what, bytes, words) => {
    expect(() => readSafetensors(bytes, "f")).toThrow(InputError);
    expect(() => readSafetensors(bytes, "f")).toThrow(words);
  });

  it("answers any damage to a good file with numbers or an InputError", () => {
    const good = writeSafetensors(
      new Map([["w", { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) }]]),
    );
    const damage = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 });
    fc.assert(
      fc.property(damage, fc.nat(good.length), (changes, cut) => {
        const bytes = good.slice(0, cut % 3 === 0 ? cut : good.length);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        try {
          for (const { data } of readSafetensors(bytes, "f").values()) {
            expect(data.every(Number.isFinite)).toBe(true);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("writing", () => {
  const weights: WeightMap = new Map([
    ["z", { shape: [2, 3], data: Float32Array.of(1, -2, 3.25, 0, 1e-20, 7) }],
    ["a", { shape: [], data: Float32Array.of(0.1) }],
  ]);

  it("round-trips float32 bit for bit", () => {
    const back = readSafetensors(writeSafetensors(weights), "f");
    expect([...back.keys()].sort()).toEqual(["a", "z"]);
    for (const [name, tensor] of weights) expect(back.get(name)).toEqual(tensor);
  });

  it("rounds to BF16 to the nearest, ties to even", () => {
    const bits = new Float32Array(Uint32Array.of(0x3f808000, 0x3f818000, 0x3f80ffff).buffer);
    const bytes = writeSafetensors(new Map([["w", { shape: [3], data: bits }]]), "BF16");
    const read = Float32Array.from(numbers(bytes));
    expect([...new Uint32Array(read.buffer)]).toEqual([0x3f800000, 0x3f820000, 0x3f810000]);
  });
});
