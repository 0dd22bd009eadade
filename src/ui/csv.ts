/** Tables as files for spreadsheets. */

export type CsvCell = string | number | null;

/** RFC 4180; a number that was not finite is an empty field. */
export function csvOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((row) => row.map(field).join(",") + "\r\n").join("");
}

function field(value: CsvCell): string {
  if (typeof value !== "string")
    return value === null || !Number.isFinite(value) ? "" : String(value);
  const text = noFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The same with tabs between cells, as spreadsheets take it from the clipboard; no cell holds one, nor an end of line. */
export function tsvOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((row) => row.map(plainField).join("\t") + "\n").join("");
}

function plainField(value: CsvCell): string {
  return typeof value === "string" ? noFormula(value).replace(/[\t\r\n]+/g, " ") : field(value);
}

/** A spreadsheet would take these for formulas. */
function noFormula(text: string): string {
  return /^[=+\-@\t]/.test(text) ? `'${text}` : text;
}

/** One object a line; a number that was not finite, or is not there, is null. A name that comes twice gets its place. */
export function jsonlOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  const names = head.map((name, i) => (head.indexOf(name) === i ? name : `${name} (${i})`));
  const objectOf = (row: readonly CsvCell[]) =>
    Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]));
  return rows.map((row) => `${JSON.stringify(objectOf(row))}\n`).join("");
}
