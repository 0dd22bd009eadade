import { expect, it, vi } from "vitest";
import { InputError, oneLine, show } from "../../src/numeric/inputError.ts";
import {
  isTooDeep,
  jsonOrNothing,
  MAX_DEPTH,
  parseJsonObject,
  parseJsonText,
  readJson,
  withNull,
} from "../../src/spec/jsonText.ts";

const nested = (depth: number) => `${"[".repeat(depth)}1${"]".repeat(depth)}`;

it("reads JSON of any depth that our formats have, and refuses deeper text before it is parsed", () => {
  expect(readJson('{"a":[1,{"b":null}]}')).toEqual({
    value: { a: [1, { b: null }] },
    problem: null,
  });
  expect(readJson(nested(MAX_DEPTH)).problem).toBeNull();
  expect(jsonOrNothing(nested(MAX_DEPTH))).toBeDefined();
  for (const depth of [MAX_DEPTH + 1, 200_000]) {
    expect(readJson(nested(depth)).problem).toBe("is nested deeper than 200 levels");
    expect(jsonOrNothing(nested(depth))).toBeUndefined();
    expect(() => parseJsonText(`{"a":${nested(depth)}}`, "spec file x")).toThrow(
      new InputError("spec file x is nested deeper than 200 levels"),
    );
  }
});

it("counts levels, not brackets: those in strings and beside each other do not nest", () => {
  expect(isTooDeep(JSON.stringify("[".repeat(500)))).toBe(false);
  expect(isTooDeep(JSON.stringify(`"\\"${"{".repeat(500)}`))).toBe(false);
  expect(isTooDeep(`[${Array.from({ length: 500 }, () => "[]").join(",")}]`)).toBe(false);
});

it("reads each character a few times at most, wherever strings and backslashes are", () => {
  const end = (text: string) => {
    let reads = 0;
    const count = vi.spyOn(String.prototype, "charCodeAt").mockImplementation(function (
      this: string,
      at,
    ) {
      reads++;
      return this.codePointAt(at) ?? NaN;
    });
    const deep = isTooDeep(text);
    count.mockRestore();
    expect(reads, text.slice(0, 20)).toBeLessThan(3 * text.length + 10);
    return deep;
  };
  expect(end(`"${"\\".repeat(20_000)}`)).toBe(false);
  expect(end(`["${'\\"'.repeat(20_000)}",${"[".repeat(500)}`)).toBe(true);
  expect(end(`${'"\\\\",'.repeat(5_000)}${"[".repeat(500)}`)).toBe(true);
  expect(end('""'.repeat(20_000))).toBe(false);
});

it("names the mistakes made most", () => {
  expect(readJson("").problem).toBe("is empty; it must be JSON");
  expect(readJson('{\r\n  "a": 1,\r\n}').problem).toContain("line 2 ends a list with a comma");
  expect(readJson("[1,]").problem).toContain("line 1 ends a list with a comma");
  expect(readJson('{"a": ",]"').problem).not.toContain("comma");
  expect(readJson('{"a":1}\r\n').value).toEqual({ a: 1 });
});

it("puts null for NaN and Infinity outside strings", () => {
  expect(withNull('[NaN,-Infinity,"NaN \\" Infinity",1]')).toEqual({
    text: '[null,null,"NaN \\" Infinity",1]',
    count: 2,
  });
  expect(withNull('{"a":NaN,"b":"\\')).toMatchObject({ count: 1 });
});

it("a message never grows beyond a line, and takes no longer for a long one", () => {
  const started = performance.now();
  expect(oneLine(`a${" ".repeat(2_000_000)}b`)).toHaveLength(4000);
  expect(oneLine(`a${"\n ".repeat(1_000_000)}b`)).toBe("a b");
  expect(performance.now() - started).toBeLessThan(3000);
  let deep: unknown = 1;
  for (let i = 0; i < 200_000; i++) deep = [deep];
  expect(show(deep)).toBe("a value that cannot be shown");
});

it("refuses a key that one object has twice, of which JSON.parse keeps the last", () => {
  for (const [text, key] of [
    ['{"a": 1, "b": {"a": 2}, "a": 3}', "a"],
    ['[{"x": [{"y": 1, "y" \n : 1}]}]', "y"],
    ['{"\\u0061": 1, "a": 2}', "a"],
    ['{"": 1, "": 2}', ""],
  ] as const) {
    const words = `has the field "${key}" twice; it must be given once`;
    expect(readJson(text)).toEqual({ value: undefined, problem: words });
    expect(() => parseJsonText(text, "spec file x")).toThrow(
      new InputError(`spec file x ${words}`),
    );
  }
  expect(() => parseJsonObject('{"a": 1, "a": 1}', "config.json")).toThrow(/^config.json has the/);
});

it("takes values and keys of other objects for what they are", () => {
  for (const text of [
    '{"a": "a", "b": "a"}',
    '[{"a": 1}, {"a": 1}]',
    '{"a": {"a": {"a": "{\\"a\\":"}}}',
    '["a", "a"]',
    '{"a": ["b", "b"], "b": ":"}',
  ])
    expect(readJson(text).problem, text).toBeNull();
});

it.each(["yes", "", " ", "[", "-1", " \n{}", "true", "nulL", '"a', "\u00a0{}", "+1", ".5", "{1}"])(
  "jsonOrNothing(%j) is what JSON.parse reads, or nothing",
  (text) => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    expect(jsonOrNothing(text)).toEqual(parsed);
  },
);
