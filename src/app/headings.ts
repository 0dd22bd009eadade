/** Headings of a notebook's text. */
import type { Cell } from "../notebook/document.ts";

const HEADING = /^ {0,3}## +(.+?)(?: +#+)? *$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Those of the second rank, in order and without their marks; what stands in a block of code is none. */
export function headingsOf(cells: readonly Cell[]): string[] {
  return cells.flatMap((cell) => (cell.type === "prose" ? headingsIn(cell.markdown) : []));
}

function headingsIn(markdown: string): string[] {
  let fence: string | null = null;
  return markdown.split("\n").flatMap((line) => {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence)) fence = null;
    const title = fence === null ? HEADING.exec(line)?.[1] : undefined;
    return title === undefined ? [] : [plain(title)];
  });
}

/** Without emphasis, code, links and notes. */
function plain(title: string): string {
  return title
    .replaceAll(/\[\^[\w-]+\]/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]|(?<!\w)_|_(?!\w)/g, "")
    .trim();
}
