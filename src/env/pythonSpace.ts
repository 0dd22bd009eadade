/** White space as Python defines it, which differs slightly from JavaScript. */
export const SPACE =
  "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";

const IS_SPACE = new RegExp(SPACE);

/**
 * `text.strip()`. From both ends, so that a long run of white space inside a text costs nothing.
 */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text, start)) start++;
  while (end > start && isSpace(text, end - 1)) end--;
  return text.slice(start, end);
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Nearly all texts start and end with a printable ASCII character.
  return code <= 0x20 || code >= 0x7f ? IS_SPACE.test(text[at]!) : false;
}
