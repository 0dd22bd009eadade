/** Tables as files for spreadsheets. */

export type CsvCell = string | number | null;

/** RFC 4180; a number that was not finite is an empty field. */
export function csvOf(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((row) => row.map(field).join(",") + "\r\n").join("");
}

function field(value: CsvCell): string {
  if (typeof value !== "string")
    return value === null || !Number.isFinite(value) ? "" : String(value);
  // A spreadsheet would take these for formulas.
  const text = /^[=+\-@\t]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
