/** Where in a cell's body the cursor stands: among the names of which fields, or in the value of which. Text in, no parser: half of it is not written yet. */

export interface BodyPlace {
  /** Names of the fields around the cursor, outermost first; in a value the field's own comes last. */
  path: readonly string[];
  slot: "name" | "value";
  /** What is written of the name or value, up to the cursor. */
  word: string;
  /** Before the line's first word: what goes into a group stands deeper. */
  indent: string;
  /** Whether it stands in braces or brackets, where a line cannot end. */
  isInline: boolean;
}

const NAME = "[\\w.@-]+";
const WORD = /[\w.@-]*$/;

/** Null where nothing could be completed: in a remark, a text in quotes, or behind a finished value. @param at characters before the cursor. */
export function bodyPlaceAt(body: string, at: number): BodyPlace | null {
  const lines = body.slice(0, at).split("\n");
  const [, indent = "", dashes = "", rest = ""] = /^(\s*)((?:-\s+)*)(.*)$/s.exec(lines.pop()!)!;
  if (/^#|\s#|["']/.test(rest)) return null;
  const around = namesAround(lines, indent.length, dashes !== "");
  if (!around) return null;
  const key = new RegExp(`^(${NAME})(?::\\s+|\\s*=\\s*)(.*)$`).exec(rest);
  const place = { indent, isInline: false };
  if (dashes === "" && !key)
    return WORD.exec(rest)![0] === rest
      ? { ...place, path: around, slot: "name", word: rest }
      : null;
  const path = key ? [...around, ...key[1]!.split(".")] : around;
  const inValue = valuePlace(key ? key[2]! : rest, path);
  return inValue && { ...place, ...inValue };
}

/** Names of the groups that a line with so many spaces before it stands in; null where it stands in none that is one. */
function namesAround(above: readonly string[], indent: number, isItem: boolean): string[] | null {
  let names: string[] = [];
  let inside = isItem ? indent + 1 : indent;
  for (const line of above.toReversed()) {
    if (inside === 0) break;
    const [, spaces = "", rest = ""] = /^(\s*)(.*)$/.exec(line)!;
    if (rest === "" || rest.startsWith("#") || spaces.length >= inside) continue;
    const head = new RegExp(`^(${NAME}):\\s*(?:#.*)?$`).exec(rest);
    // An item of the same list.
    if (!head && isItem && rest.startsWith("-")) continue;
    if (!head) return null;
    names = [...head[1]!.split("."), ...names];
    inside = spaces.length;
  }
  return names;
}

type InValue = Pick<BodyPlace, "path" | "slot" | "word" | "isInline">;

/** In what stands behind a field's name: a word, words with commas, or lists and fields in brackets. */
function valuePlace(tail: string, path: readonly string[]): InValue | null {
  const opened: { isMap: boolean; path: readonly string[] }[] = [];
  let here: Omit<InValue, "word" | "isInline"> | null = { path, slot: "value" };
  let end = 0;
  for (const match of tail.matchAll(new RegExp(`[{}[\\],]|(${NAME}):\\s+`, "g"))) {
    const [mark, name] = match;
    const frame = opened.at(-1);
    end = match.index + mark.length;
    if (mark === "{" || mark === "[") {
      const inner: readonly string[] = here?.path ?? path;
      opened.push({ isMap: mark === "{", path: inner });
      here = { path: inner, slot: mark === "{" ? "name" : "value" };
    } else if (mark === "}" || mark === "]") {
      opened.pop();
      here = null;
    } else if (mark === ",")
      here = { path: frame?.path ?? path, slot: frame?.isMap ? "name" : "value" };
    else here = { path: [...(frame?.path ?? path), ...name!.split(".")], slot: "value" };
  }
  const written = tail.slice(end).trimStart();
  if (!here || WORD.exec(written)![0] !== written) return null;
  return { ...here, word: written, isInline: opened.length > 0 };
}
