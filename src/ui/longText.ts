/** A long text in parts, so that the page never has much to lay out at once. */

/** Letters of the first part, which is always drawn. */
export const FIRST_LETTERS = 2000;
/** Letters of each further one. */
export const MORE_LETTERS = 10_000;

interface Stretches {
  parts: string[];
  /** Letters after them. */
  left: number;
}

/** The first parts of a text; each ends with a line where one ends in its second half. */
export function stretchesOf(text: string, count: number): Stretches {
  const parts: string[] = [];
  let from = 0;
  while (parts.length < count && from < text.length) {
    const to = endOf(text, from, parts.length === 0 ? FIRST_LETTERS : MORE_LETTERS);
    parts.push(text.slice(from, to));
    from = to;
  }
  return { parts, left: text.length - from };
}

function endOf(text: string, from: number, most: number): number {
  const end = from + most;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  if (line > from + most / 2) return line;
  // Not within a sign of two code units.
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}
