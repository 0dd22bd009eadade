/** Tables as files for spreadsheets. */

export type CsvCell = string | number | null;

/** RFC 4180; a number that is not finite becomes an empty field. */
export function csvOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((row) => row.map(field).join(",") + "\r\n").join("");
}

function field(value: CsvCell): string {
  if (typeof value !== "string")
    return value === null || !Number.isFinite(value) ? "" : String(value);
  const text = noFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The same with tabs between cells, for pasting into spreadsheets; cells contain neither tabs nor line ends. */
export function tsvOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((row) => row.map(plainField).join("\t") + "\n").join("");
}

function plainField(value: CsvCell): string {
  return typeof value === "string" ? noFormula(value).replace(/[\t\r\n]+/g, " ") : field(value);
}

/** A spreadsheet would interpret these as formulas. */
function noFormula(text: string): string {
  return /^[=+\-@\t]/.test(text) ? `'${text}` : text;
}

/** One object per line; a number that is missing or not finite is null. A repeated name gets its index. */
export function jsonlOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  const names = head.map((name, i) => (head.indexOf(name) === i ? name : `${name} (${i})`));
  const objectOf = (row: readonly CsvCell[]) =>
    Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]));
  return rows.map((row) => `${JSON.stringify(objectOf(row))}\n`).join("");
}
