/** Input cells: what they allow, what they give to code, and which code runs again when a reader moves them. */
import { expect, it } from "vitest";
import { readFields } from "../../src/notebook/cellFields.ts";
import { kindOf } from "../../src/notebook/cells/kinds.ts";
import { parseNotebook } from "../../src/notebook/document.ts";
import { CodeCells } from "../../src/store/codeCells.ts";
import { readerInput } from "../../src/store/codeInputs.ts";

const problemsOf = (body: string) =>
  readFields("input", body).remarks.map(({ message }) => message);

const { blank, given } = kindOf("input");

it("has a new cell without problems", () => {
  expect(problemsOf(blank)).toEqual([]);
  expect(given!(blank)).toBe(1);
});

it.each([
  ["min: 2", "min is 2; it must be below max = 1"],
  ["max: -1", "max is -1; it must be above min = 0"],
  ["step: 0", "step is 0; it must be above 0"],
  ["value: 3", "value is 3; it must be a number from 0 to 1"],
  ["value: high", "value is high; it must be a number from 0 to 1"],
  ["kind: choice", "options is missing"],
  ["kind: choice\noptions: []", "options needs at least one"],
  ["kind: choice\noptions: [a, b]\nvalue: c", "value is c; it must be one of a, b"],
])("refuses %j", (body, message) => {
  expect(problemsOf(body).join()).toContain(message);
  expect(given!(body)).toBeNull();
});

it.each([
  ["", undefined, 0],
  ["value: 0.5", undefined, 0.5],
  ["value: 0.5", 0.8, 0.8],
  // What the cell no longer allows.
  ["value: 0.5", 8, 0.5],
  ["kind: choice\noptions: [a, b]", undefined, "a"],
  ["kind: choice\noptions: [a, b]", "b", "b"],
  ["kind: choice\noptions: [1, 2]\nvalue: '2'", undefined, 2],
  ["kind: text\nvalue: 5", undefined, "5"],
  ["kind: text", "left", "left"],
])("%j, moved to %j, gives %j", (body, moved, value) => {
  expect(given!(body, moved)).toBe(value);
});

it("makes the code that names it run again, and no other", async () => {
  const { cells } = parseNotebook(
    "```input id=rate\nmax: 10\nvalue: 2\n```\n\n```code id=double\nrate * 2\n```\n\n```code id=other\n1\n```\n",
  ).notebook;
  let moved = {};
  const ran: string[] = [];
  const code = new CodeCells({
    cells: () => [
      { name: "double", source: "rate * 2" },
      { name: "other", source: "1" },
    ],
    input: (name) => readerInput(cells, moved, name),
    readsOf: async ({ name }) => (name === "double" ? ["rate"] : []),
    run: async ({ name }, inputs) => {
      ran.push(`${name} ${JSON.stringify(inputs)}`);
      return { ok: true, lines: [], value: null, shown: { kind: "nothing" } };
    },
  });
  await code.run(["double", "other"]);
  moved = { rate: 7 };
  await code.refresh(true);
  await expect.poll(() => ran).toEqual(['double {"rate":2}', "other {}", 'double {"rate":7}']);
  expect(readerInput(cells, {}, "double")).toBeUndefined();
});
