import { ESLint } from "eslint";
import { expect, test } from "vitest";
import { append, greatest, least, textOfCodes } from "../../src/numeric/lists.ts";

const LONG = 300_000;
const long = Array.from({ length: LONG }, (_, i) => i % 60_000);

test("lists that overflow the stack as arguments have a largest, a smallest and a text", () => {
  expect(() => Math.max(...long)).toThrow(RangeError);
  expect([greatest(long), least(long)]).toEqual([59_999, 0]);
  const list = [1];
  append(list, long);
  expect(list).toHaveLength(LONG + 1);
  const text = textOfCodes(long);
  expect([text.length, text.charCodeAt(4095), text.charCodeAt(4096)]).toEqual([LONG, 4095, 4096]);
});

test("of nothing, and of what is no number, they are what Math.max and Math.min are", () => {
  for (const list of [[], [NaN, 1], [1, NaN], [-0, 0], [0, -0], [-Infinity], [3]]) {
    expect(greatest(list)).toBe(Math.max(...list));
    expect(least(list)).toBe(Math.min(...list));
  }
  expect(greatest(Float32Array.of(1, 5, 2))).toBe(5);
});

/** Without types: where CI is set, the typed parser would read the file of that name, not the text. */
const UNTYPED = {
  files: ["**/*.ts"],
  languageOptions: { parserOptions: { project: false } },
  rules: { "@typescript-eslint/no-floating-promises": "off" as const },
};

const complaints = async (code: string, filePath: string) => {
  const linter = new ESLint({ overrideConfig: UNTYPED });
  const [result] = await linter.lintText(`${code}\n`, { filePath });
  return result!.messages.map(({ message }) => message);
};

test("the linter refuses a list that is spread into a call of src, and only there", async () => {
  const spreads = [
    "export const a = (x: number[]) => Math.max(0, ...x);",
    "export const b = (x: number[]) => Math.min(...x);",
    "export const c = (x: number[], y: number[]) => y.push(...x);",
    "export const d = (x: number[]) => String.fromCharCode(...x);",
    "export const e = (x: number[]) => Float64Array.of(...x);",
  ];
  for (const code of spreads) {
    expect(await complaints(code, "src/numeric/lists.ts")).toEqual([
      expect.stringContaining("overflows the stack"),
    ]);
    expect(await complaints(code, "test/numeric/lists.test.ts")).toEqual([]);
  }
});
