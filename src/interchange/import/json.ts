/** JSON as Python's own module writes it: also with NaN and Infinity, which are no JSON. */

export interface Parsed {
  /** Undefined for what is no JSON. */
  value: unknown;
  /** Numbers that were NaN or infinite; null stands in their places. */
  notFinite: number;
}

export function parseJson(text: string): Parsed {
  const value = parsed(text);
  if (value !== undefined) return { value, notFinite: 0 };
  const { text: finite, count } = withNull(text);
  return count === 0 ? NOTHING : { value: parsed(finite), notFinite: count };
}

const NOTHING: Parsed = { value: undefined, notFinite: 0 };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The text with null for each NaN and Infinity outside its strings. */
function withNull(text: string): { text: string; count: number } {
  const next = /"|-?\bInfinity\b|\bNaN\b/g;
  const pieces: string[] = [];
  let from = 0;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    if (found[0] === '"') {
      next.lastIndex = afterString(text, next.lastIndex);
      continue;
    }
    pieces.push(text.slice(from, found.index), "null");
    from = next.lastIndex;
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(""), count: (pieces.length - 1) / 2 };
}

/** Where a string ends that begins before `from`; the end of the text if it does not. */
function afterString(text: string, from: number): number {
  const stop = /["\\]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    if (found[0] === '"') return stop.lastIndex;
    stop.lastIndex++;
  }
  return text.length;
}
