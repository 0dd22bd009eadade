import { readdirSync, readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { DataTable, TextTable, type TableColumn } from "../../src/ui/DataTable.tsx";

interface Turn {
  name: string;
  reward: number;
}

const columns: TableColumn<Turn>[] = [
  { id: "turn", head: "Turn", kind: "name", cell: ({ name }) => name },
  {
    id: "reward",
    head: "Reward",
    headProps: { title: "unscaled" },
    kind: "number",
    cell: ({ reward }, place) => `${place}: ${reward}`,
    cellProps: ({ reward }) => (reward < 0 ? { className: "bad" } : undefined),
  },
];
const rows = [
  { name: "first", reward: 1 },
  { name: "second", reward: -1 },
];
const given = { columns, rows, keyOf: ({ name }: Turn) => name };
const markup = (props: object) =>
  renderToStaticMarkup(createElement(DataTable<Turn>, { ...given, ...props }));

describe("the table", () => {
  it("has headings by column, names by row, and numbers set as numbers", () => {
    expect(markup({ testId: "turns" })).toBe(
      '<table data-testid="turns"><thead><tr><th scope="col">Turn</th>' +
        '<th scope="col" title="unscaled">Reward</th></tr></thead><tbody>' +
        '<tr><th scope="row">first</th><td class="number">0: 1</td></tr>' +
        '<tr><th scope="row">second</th><td class="bad">1: -1</td></tr></tbody></table>',
    );
  });

  it("scrolls in a box with a name, to which Tab comes", () => {
    expect(markup({ label: "Turns" })).toMatch(
      /^<div class="table-scroll" tabindex="0" role="group" aria-label="Turns"><table>/i,
    );
  });

  it("can do without headings", () => {
    expect(markup({ headless: true })).not.toContain("<thead");
  });

  it("takes texts as they are", () => {
    const table = createElement(TextTable, { head: ["x", "GRPO"], rows: [["1", "0.5"]] });
    expect(renderToStaticMarkup(table)).toContain(
      '<tr><th scope="row">1</th><td class="number">0.5</td></tr>',
    );
  });

  it("is the page's only one, but for those of its prose", () => {
    const src = new URL("../../src/", import.meta.url);
    const files = readdirSync(src, { recursive: true }).map(String);
    const own = files.filter(
      (name) => name.endsWith(".tsx") && /<table\b/.test(readFileSync(new URL(name, src), "utf8")),
    );
    expect(own.toSorted()).toEqual(["app/ProseText.tsx", "ui/DataTable.tsx"]);
  });
});
