/** Notebooks for Jupyter: valid by nbformat 4.5, and read again without loss. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { MAX_LENGTH, parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import { fromJupyter, toJupyter } from "../../src/notebook/jupyter.ts";
import { oddLines } from "./oddLines.ts";

/** What jupyter/nbformat's nbformat/v4/nbformat.v4.5.schema.json asks of the parts that we write. */
const lines = z.union([z.string(), z.array(z.string())]);
const id = z
  .string()
  .regex(/^[a-zA-Z0-9-_]+$/)
  .min(1)
  .max(64);
const metadata = z.looseObject({});
const output = z.strictObject({
  output_type: z.literal("display_data"),
  data: z.record(z.string(), lines),
  metadata,
});
const markdown = z.strictObject({ id, cell_type: z.literal("markdown"), metadata, source: lines });
const code = z.strictObject({
  ...{ id, metadata, source: lines },
  cell_type: z.literal("code"),
  outputs: z.array(output),
  execution_count: z.int().min(0).nullable(),
});
const schema = z.strictObject({
  metadata: z.looseObject({
    kernelspec: z.looseObject({ name: z.string(), display_name: z.string() }),
    language_info: z.looseObject({ name: z.string() }),
    title: z.string(),
  }),
  nbformat: z.literal(4),
  nbformat_minor: z.int().min(5),
  cells: z.array(z.union([markdown, code])),
});

function valid(text: string) {
  const file = schema.parse(JSON.parse(text));
  const ids = file.cells.map((cell) => cell.id);
  expect(new Set(ids).size).toBe(ids.length);
  return file;
}

it("any notebook is valid there, and comes back the same", () => {
  fc.assert(
    fc.property(oddLines, (text) => {
      const { notebook } = parseNotebook(text.join("\n"));
      const file = toJupyter(notebook);
      valid(file);
      expect(parseNotebook(fromJupyter(file)).notebook).toEqual(notebook);
    }),
    { numRuns: 500 },
  );
});

const served = join(import.meta.dirname, "..", "..", "public", "notebooks");

it.each(readdirSync(served).filter((name) => name.endsWith(".md")))(
  "the lesson %s comes back to the letter",
  (name) => {
    const { notebook } = parseNotebook(readFileSync(join(served, name), "utf8"));
    expect(fromJupyter(toJupyter(notebook))).toBe(serialiseNotebook(notebook));
  },
);

it("shows prose, code, other cells as remarks, and pictures as outputs", () => {
  const text =
    "# A title\n\nProse.\n\n```experiment id=a\npreset: nano\n```\n\n```code id=k fold\nruns.a\n1 + 1\n```\n";
  const { cells } = valid(toJupyter(parseNotebook(text).notebook, new Map([["a", ["cGln"]]])));
  expect(cells).toMatchObject([
    { cell_type: "markdown", source: ["# A title\n", "\n", "Prose."] },
    {
      id: "a",
      source: ["// ```experiment id=a\n", "// preset: nano\n", "// ```"],
      outputs: [{ data: { "image/png": "cGln", "text/plain": "experiment a" } }],
    },
    { id: "k", source: ["runs.a\n", "1 + 1"], outputs: [] },
  ]);
});

const python = (cells: unknown[]) =>
  JSON.stringify({
    ...{ nbformat: 4, nbformat_minor: 2, cells },
    metadata: { language_info: { name: "python" } },
  });

it("reads another program's notebook: its code is text, and nothing of it is a cell", () => {
  const text = fromJupyter(
    python([
      { cell_type: "markdown", source: "Hello" },
      { cell_type: "code", source: ["print('```')\n", "x = 1"], outputs: [], metadata: {} },
      { cell_type: "raw", source: 3 },
      null,
    ]),
  );
  expect(text).toContain("````python\nprint('```')\nx = 1\n````");
  expect(parseNotebook(text).notebook.cells.every(({ type }) => type === "prose")).toBe(true);
});

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

it("keeps pictures pasted into prose, and says which it leaves out", () => {
  const text = fromJupyter(
    python([
      {
        cell_type: "markdown",
        source: ["![the board](attachment:my%20board.png)\n", "![x](attachment:a.svg) ![y](b.png)"],
        attachments: {
          "my board.png": { "image/png": PNG },
          "a.svg": { "image/svg+xml": "<svg/>" },
        },
      },
    ]),
  );
  expect(text).toContain(`![the board](data:image/png;base64,${PNG})`);
  expect(text).toContain("The picture a.svg is left out: no PNG, JPEG, GIF or WebP.");
  expect(text).toContain("![y](b.png)");
});

it("keeps what another program's code printed and drew", () => {
  const outputs = [
    { output_type: "stream", text: ["one\n", "two\n"] },
    { output_type: "display_data", data: { "image/png": `${PNG}\n`, "text/plain": "<Figure>" } },
    { output_type: "execute_result", data: { "text/plain": "3.5" } },
    { output_type: "error", ename: "KeyError", evalue: "'uid'", traceback: [] },
  ];
  const text = fromJupyter(python([{ cell_type: "code", source: "f()", outputs }]));
  expect(text).toBe(
    [
      "```python\nf()\n```",
      "```\none\ntwo\n```",
      `![output](data:image/png;base64,${PNG})`,
      "```\n3.5\n```",
      "```\nKeyError: 'uid'\n```\n",
    ].join("\n\n"),
  );
});

it("a picture that would push text out of the notebook is left out, with a sentence", () => {
  const large = "A".repeat(MAX_LENGTH);
  const cell = (source: string, more: object) => ({ cell_type: "markdown", source, ...more });
  const attachments = { "a.png": { "image/png": large } };
  const text = fromJupyter(
    python([cell("![a](attachment:a.png)", { attachments }), cell("end", {})]),
  );
  expect(text).toContain("The picture a.png is left out: too large for a notebook.");
  const { notebook, remarks } = parseNotebook(text);
  expect(remarks).toEqual([]);
  expect(notebook.cells.at(-1)).toMatchObject({ markdown: "end" });
});

it("a copy of a cell with the longest id keeps within 64 characters, and what shows it stays with it", () => {
  const long = "a".repeat(64);
  const cells = [1, 2, 3].map((seed) => `\`\`\`experiment id=${long}\nseed: ${seed}\n\`\`\`\n`);
  const text = [...cells, "```panel id=p\npanel: credits\n```\n"].join("\n");
  const { notebook } = parseNotebook(text);
  valid(toJupyter(notebook));
  expect(notebook.cells.map((cell) => "id" in cell && cell.id.length)).toEqual([64, 64, 64, 1]);
  expect(parseNotebook(serialiseNotebook(notebook)).notebook).toEqual(notebook);
});

it("a cell of ours that somebody rewrote is text", () => {
  const head = "```experiment id=a";
  const text = fromJupyter(
    python([{ cell_type: "code", source: "import os", metadata: { turnbook: { head } } }]),
  );
  expect(text).toBe("```python\nimport os\n```\n");
});

it.each([
  ["", "nothing"],
  ["[1]", "nothing"],
  [JSON.stringify({ nbformat: 3, worksheets: [] }), "3"],
  [JSON.stringify({ nbformat: 4, cells: {} }), "4"],
])("refuses %j and says what it has", (text, found) => {
  expect(() => fromJupyter(text)).toThrow(
    `the file is not a Jupyter notebook: its nbformat is ${found}; it must be 4, with a list of cells`,
  );
});

it("refuses a file that says one thing twice", () => {
  const text =
    '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "a", "source": "b"}]}';
  expect(() => fromJupyter(text)).toThrow('has the field "source" twice in one object');
});

it("never throws anything else, whatever the file says", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (cells, meta) => {
      const text = JSON.stringify({ nbformat: 4, cells, metadata: meta });
      expect(typeof fromJupyter(text)).toBe("string");
    }),
  );
});
