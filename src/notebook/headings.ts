/** Headings of a notebook's text. */
import { proseIn, type Cell } from "./cell.ts";
import { codeLines } from "./fences.ts";

const HEADING = /^ {0,3}## +(.+?)(?: +#+)? *$/;

/** Second-level headings, in order and without their marks; not those within a block of code. */
export function headingsOf(cells: readonly Cell[]): string[] {
  return proseIn(cells)
    .flatMap(cutAtHeadings)
    .flatMap(({ heading }) => (heading === null ? [] : [plainTitle(heading)]));
}

interface HeadedText {
  /** As written; null before the first. */
  heading: string | null;
  /** The text after the heading. */
  markdown: string;
}

/** A text in parts, each from one second-level heading to the next; the first part has none. */
export function cutAtHeadings(markdown: string): HeadedText[] {
  const stretches: { heading: string | null; lines: string[] }[] = [{ heading: null, lines: [] }];
  const lines = markdown.split("\n");
  const { isCode } = codeLines(lines);
  lines.forEach((line, i) => {
    const heading = isCode[i] ? undefined : HEADING.exec(line)?.[1];
    if (heading === undefined) stretches.at(-1)!.lines.push(line);
    else stretches.push({ heading, lines: [] });
  });
  return stretches.map(({ heading, lines }) => ({ heading, markdown: lines.join("\n") }));
}

/** Without emphasis, code, links and notes. */
export function plainTitle(title: string): string {
  return title
    .replaceAll(/\[\^[\w-]+\]/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]|(?<!\w)_|_(?!\w)/g, "")
    .trim();
}
