/** The numbers of a part of the page as tables: from its tables and definition lists, exact if a cell has the exact number. */
import { flushSync } from "react-dom";
import { greatest } from "../numeric/lists.ts";
import type { CsvCell } from "./csv.ts";

/** Names of columns, and rows. */
export interface NumberTable {
  head: readonly string[];
  rows: readonly (readonly CsvCell[])[];
}

interface NamedTable extends NumberTable {
  /** "" if it has none. */
  name: string;
}

/** Asks collapsed parts to render their content for reading; `detail` says whether it is wanted. */
const WANTED = "numbers-wanted";

/** Full data of tables that draw only some of their rows. */
const whole = new WeakMap<Element, () => NumberTable>();

/** For a table that draws only some of its rows: the function that computes all of them, for saving. */
export function setWhole(table: Element, make: () => NumberTable): void {
  whole.set(table, make);
}

/** For `data-value` of a cell: undefined without a number. */
export function inFull(value: number | null | undefined): number | undefined {
  return Number.isFinite(value) ? value! : undefined;
}

/** All tables in an element as one: if there are several, a first column names the table, and missing cells are empty. */
export function numbersIn(root: Element): NumberTable {
  const tables = withFolded(root, () => [...tablesOf(root), ...listsOf(root)]);
  const named = tables.filter(({ rows }) => rows.length > 0);
  return named.length === 1 ? named[0]! : joined(named);
}

/** Called before collapsed content is read, and afterwards. Returns the unsubscribe function. */
export function onNumbersWanted(element: Element, heard: (wanted: boolean) => void): () => void {
  const listener = (event: Event) => heard((event as CustomEvent<boolean>).detail);
  element.addEventListener(WANTED, listener);
  return () => element.removeEventListener(WANTED, listener);
}

function withFolded<T>(root: Element, read: () => T): T {
  const ask = (detail: boolean) => {
    const folded = root.querySelectorAll("details.chart-data:not([open])");
    flushSync(() =>
      folded.forEach((one) => one.dispatchEvent(new CustomEvent(WANTED, { detail }))),
    );
  };
  ask(true);
  try {
    return read();
  } finally {
    ask(false);
  }
}

function joined(tables: readonly NamedTable[]): NumberTable {
  const columns = [...new Set(tables.flatMap(({ head }) => head))];
  const rows = tables.flatMap(({ name, head, rows: own }, i) =>
    own.map((row) => [
      name || String(i + 1),
      ...columns.map((column) => row[head.indexOf(column)] ?? null),
    ]),
  );
  return { head: tables.length === 0 ? [] : ["table", ...columns], rows };
}

function tablesOf(root: Element): NamedTable[] {
  const all = [...root.querySelectorAll("table")];
  return all.flatMap((table) => {
    // A table inside a cell is part of the outer table.
    if (table.parentElement?.closest("table")) return [];
    const all = whole.get(table)?.();
    if (all) return [{ name: nameOf(table), ...all }];
    const heads = [...table.querySelectorAll(":scope > thead > tr:first-child > *")].map(textOf);
    const rows = [...table.querySelectorAll(":scope > tbody > tr")];
    const cells = rows.map((row) => [...row.children].flatMap(cellsOf));
    const width = greatest([heads.length, ...cells.map(({ length }) => length)]);
    const head = Array.from({ length: width }, (_, i) => heads[i] || `column ${i + 1}`);
    return [{ name: nameOf(table), head: distinct(head), rows: cells }];
  });
}

/** Lists whose items each have terms and numbers: the items are rows. */
function listsOf(root: Element): NamedTable[] {
  return [...root.querySelectorAll("ol, ul")].flatMap((list) => {
    const items = [...list.children].filter((item) => item.querySelector("dl"));
    if (items.length === 0) return [];
    const pairs = items.map((item) => [
      ["item", textOf(item.querySelector("h3, h4, h5") ?? item.querySelector("dt")!)] as const,
      ...[...item.querySelectorAll("dt")].map((term) => {
        const said = term.nextElementSibling;
        return [textOf(term), said ? valueOf(said) : null] as const;
      }),
    ]);
    const head = [...new Set(pairs.flat().map(([name]) => name))];
    const rows = pairs.map((own) =>
      head.map((name) => new Map<string, CsvCell>(own).get(name) ?? null),
    );
    return [{ name: nameOf(list), head, rows }];
  });
}

function nameOf(element: Element): string {
  const caption = element.querySelector(":scope > caption");
  const box = element.closest("[role=group][aria-label], figure[aria-label]");
  return caption ? textOf(caption) : (box?.getAttribute("aria-label") ?? "");
}

function distinct(names: readonly string[]): string[] {
  return names.map((name, i) => (names.indexOf(name) === i ? name : `${name} (${i + 1})`));
}

/** A cell that spans several columns leaves the others empty. */
function cellsOf(cell: Element): CsvCell[] {
  const span = Number(cell.getAttribute("colspan") ?? 1);
  return [valueOf(cell), ...Array<null>(Math.max(0, span - 1)).fill(null)];
}

/** The exact number if the cell has only that; else its visible text. */
function valueOf(cell: Element): CsvCell {
  const full = cell.hasAttribute("data-value")
    ? [cell]
    : [...cell.querySelectorAll("[data-value]")];
  const [only] = full;
  if (only && full.length === 1) return finiteOrNull(Number(only.getAttribute("data-value")));
  const text = textOf(cell);
  const plain = text.replaceAll("−", "-").replace(/^\+(?=\d)/, "");
  if (text === "–" || text === "") return null;
  return /^-?\d+(\.\d+)?(e[-+]?\d+)?$/.test(plain) ? Number(plain) : text;
}

const finiteOrNull = (value: number) => (Number.isFinite(value) ? value : null);

/** Its visible text, with spaces between its parts; for a picture its label. */
function textOf(element: Element): string {
  const parts: string[] = [];
  const visit = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) parts.push(node.textContent ?? "");
    if (!(node instanceof Element) || node.matches("[aria-hidden=true], .katex-html")) return;
    if (node.matches("[role=img][aria-label]")) parts.push(node.getAttribute("aria-label")!);
    else node.childNodes.forEach(visit);
  };
  visit(element);
  return parts.join(" ").replaceAll(/\s+/g, " ").trim();
}
