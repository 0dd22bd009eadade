/** Numbers and rows as tables show them. */

/** Three significant digits, or whole where there are more; a dash for what is not there. */
export function number(x: number): string {
  if (!Number.isFinite(x)) return "-";
  if (Number.isInteger(x) || Math.abs(x) >= 100) return String(Math.round(x));
  return String(Number(x.toPrecision(3)));
}

export const percent = (share: number) =>
  Number.isFinite(share) ? `${number(100 * share)} %` : "-";

/** The smallest and the largest, in brackets; nothing of one. */
export const spread = (values: number[]) =>
  values.length > 1 ? ` (${number(Math.min(...values))}-${number(Math.max(...values))})` : "";

/** A row of a Markdown table. */
export const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
