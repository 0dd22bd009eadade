/** From a place in what a text looks like to the place in its Markdown. */

/** Characters beside the place that are looked for: enough to know most places by. */
const ENOUGH = 24;

/** The place in `markdown` of what is drawn at a point of the window; behind its last character where that is not known. */
export function sourceAt(markdown: string, x: number, y: number): number {
  const { before, after } = textAround(x, y);
  for (let n = Math.min(ENOUGH, before.length); n > 0; n--) {
    const at = markdown.indexOf(before.slice(-n));
    if (at >= 0) return at + n;
  }
  // At the beginning of a paragraph only what follows says where it is.
  for (let n = Math.min(ENOUGH, after.length); n > 0; n--) {
    const at = markdown.indexOf(after.slice(0, n));
    if (at >= 0) return at;
  }
  return markdown.length;
}

/** What stands before and after the point in its paragraph. */
function textAround(x: number, y: number): { before: string; after: string } {
  const [node, offset] = placeAt(x, y);
  const block = node?.parentElement?.closest("p, h1, h2, h3, h4, li, td, th, pre, blockquote");
  if (!node || !block) return { before: "", after: "" };
  const range = document.createRange();
  range.selectNodeContents(block);
  const all = range.toString();
  range.setEnd(node, offset);
  const before = range.toString();
  return { before, after: all.slice(before.length) };
}

/** Browsers have it under two names. */
function placeAt(x: number, y: number): [Node | null, number] {
  const place = document.caretPositionFromPoint?.(x, y);
  if (place) return [place.offsetNode, place.offset];
  const range = document.caretRangeFromPoint?.(x, y);
  return [range?.startContainer ?? null, range?.startOffset ?? 0];
}
