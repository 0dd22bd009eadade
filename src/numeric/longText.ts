/** A long text in parts, so that the page never has too much to lay out at once. */

/** Characters of the first part, which is always drawn. */
export const FIRST_LETTERS = 2000;
/** Characters of each further part. */
export const MORE_LETTERS = 10_000;

interface Stretches {
  parts: string[];
  /** Characters after them. */
  left: number;
}

/** The first parts of a text; each ends at a line end if there is one in its second half. */
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
  // Not in the middle of a surrogate pair.
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}
