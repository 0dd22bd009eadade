import { trimLetter } from "../numeric/trimmed.ts";

/** Downloads a file. */
export function download(content: string | Blob, name: string, type: string): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A metric's name in a form for file names. */
export function fileName(metric: string): string {
  return trimLetter(metric.replace(/[^\w.-]+/g, "-"), "-") || "curves";
}
