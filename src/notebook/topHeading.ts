/** The heading that is a text's title. */
import { codeLines } from "./fences.ts";

const TITLE = /^#\s+(.+)$/;

/** The first top-level heading, without its mark; null if there is none. A remark in a block of code does not count. */
export function topHeading(markdown: string): string | null {
  const lines = markdown.split("\n");
  return TITLE.exec(lines[titleAt(lines)] ?? "")?.[1]!.trim() ?? null;
}

/** The text without that heading. */
export function withoutTopHeading(markdown: string): string {
  const lines = markdown.split("\n");
  const at = titleAt(lines);
  return lines.filter((_, i) => i !== at).join("\n");
}

function titleAt(lines: readonly string[]): number {
  const { isCode } = codeLines(lines);
  return lines.findIndex((line, i) => !isCode[i] && TITLE.test(line));
}
