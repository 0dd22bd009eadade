/** Bodies that YAML would work on for long are not read: a remark names what there is too much of, and the limit. */
import { expect, test } from "vitest";
import { changeBody, readBody } from "../../src/notebook/body.ts";
import { readExperiment } from "../../src/notebook/cells/experiment/experiment.ts";

const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: 1`).join("\n");
const LONG = 99_000;
const full = (piece: string) => piece.repeat(Math.floor(LONG / piece.length));

test.each([
  ["9,000 keys", keys(9000), "The body has 9000 lines; at most 1000 are read."],
  ["as many of the older kind", keys(9000).replaceAll(":", " ="), "lines; at most 1000"],
  ["keys on one line", `a: {${full("b: 1,")}}`, "punctuation marks; at most 2000 are read."],
  ["a list", `a: [${full("1,")}]`, "punctuation marks"],
  ["quotes", full('"'), "punctuation marks"],
  ["closing brackets", full("}"), "punctuation marks"],
  ["anchors", full("&a "), "punctuation marks"],
  ["remarks", `a: 1\n${full("# b\n")}`, "lines; at most 1000"],
  ["escapes", `a: "${full("\\x")}"`, "punctuation marks"],
  ["letters", "a".repeat(100_001), "The body has 100001 characters; at most 100000 are read."],
  ["levels", `a: ${"[".repeat(201)}${"]".repeat(201)}`, "nested deeper than 200 levels."],
])("%s", (_, text, says) => {
  const { fields, remarks } = readBody(text);
  expect(fields).toEqual({});
  expect(remarks).toEqual([{ line: 1, message: expect.stringContaining(says) as string }]);
  expect(changeBody(text, [{ path: ["seed"], value: 2 }])).toBe(text);
});

test("a body at the limits is read", () => {
  expect(Object.keys(readBody(keys(1000)).fields)).toHaveLength(1000);
  expect(readBody(`a: [${"1,".repeat(1990)}]`).remarks).toEqual([]);
});

test("packed code in a body is read as before", () => {
  const word = "a-_9".repeat(20_000);
  expect(readBody(`definitions: ${word}\nseed: 3`).fields).toEqual({ definitions: word, seed: 3 });
  expect(readExperiment(`definitions: ${word}`).remarks).toHaveLength(1);
});

test("keeps spaces and empty lines at the end of the last text", () => {
  for (const text of ["a\nb ", "a\n\n", "a\nb\n", "a", "a b  ", "a\n\n\nb\n\n"]) {
    const body = changeBody("kind: number", [{ path: ["explanation"], value: text }]);
    expect(readBody(body).fields["explanation"], JSON.stringify(body)).toBe(text);
    // As a cell has it between its fences.
    const again = changeBody(body, [{ path: ["kind"], value: "choice" }]);
    expect(readBody(again).fields).toEqual({ kind: "choice", explanation: text });
  }
});
