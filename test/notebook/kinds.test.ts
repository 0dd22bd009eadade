/** Kinds of cells are known to their own files; all others look up what a kind says of itself. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cellTypes } from "../../src/notebook/cells/kinds.ts";

/** Where a kind is at home. */
const HOMES = /^(notebook|app\/book)\/cells\//;
/** Rooms that know cells. */
const ROOMS = /^(notebook|store|app|cli|panels)\/.*\.tsx?$/;
const src = join(import.meta.dirname, "../../src");

const kind = `"(?:${[...cellTypes, "prose"].join("|")})"`;
const COMPARES = [
  new RegExp(`\\btype\\)? [!=]== ${kind}`),
  new RegExp(`types?\\.includes\\(${kind}\\)`),
  new RegExp(`\\[${kind}, ${kind}.*\\]\\.includes\\(`),
];

/** It may only get shorter; once it was 53 files, 39 of them without `prose`. */
const LEFT = [
  "app/course/lessonFigure.ts",
  "app/first/markup.ts",
  "notebook/cell.ts",
  "notebook/edit.ts",
];

it("are compared nowhere but in their own files", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" });
  const others = files.filter((path) => ROOMS.test(path) && !HOMES.test(path));
  const found = others.filter((path) => {
    const text = readFileSync(join(src, path), "utf8");
    return COMPARES.some((one) => one.test(text));
  });
  expect(found.toSorted()).toEqual(LEFT);
});

it("are found wherever they are compared", () => {
  const forms = [
    'if (cell.type === "quiz") return',
    'one?.type !== "prose"',
    'types.includes("sweep")',
    '["panel", "curves"].includes(type)',
  ];
  for (const form of forms) expect(COMPARES.filter((one) => one.test(form))).toHaveLength(1);
});
