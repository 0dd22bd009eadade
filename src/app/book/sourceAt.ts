/** From a place in what a text looks like to the place in its Markdown. */

/** Characters before the place that are looked for: enough to know most places by. */
const ENOUGH = 24;

/** The place in `markdown` of what is drawn at a point of the window; behind its last character where that is not known. */
export function sourceAt(markdown: string, x: number, y: number): number {
  const before = textBefore(x, y);
  for (let n = Math.min(ENOUGH, before.length); n > 0; n--) {
    const at = markdown.indexOf(before.slice(-n));
    if (at >= 0) return at + n;
  }
  return markdown.length;
}

/** What stands before the point in its paragraph. */
function textBefore(x: number, y: number): string {
  const [node, offset] = placeAt(x, y);
  const block = node?.parentElement?.closest("p, h1, h2, h3, h4, li, td, th, pre, blockquote");
  if (!node || !block) return "";
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEnd(node, offset);
  return range.toString();
}

/** Browsers have it under two names. */
function placeAt(x: number, y: number): [Node | null, number] {
  const place = document.caretPositionFromPoint?.(x, y);
  if (place) return [place.offsetNode, place.offset];
  const range = document.caretRangeFromPoint?.(x, y);
  return [range?.startContainer ?? null, range?.startOffset ?? 0];
}
