/**
 * The body of a cell as fields: YAML, of which JSON is a part, or the older lines `key = value`. A
 * body is changed as a text, so that remarks, order and spelling of everything else are kept.
 */
import { isMap, isPair, isScalar, LineCounter, parseDocument, visit, type Document } from "yaml";
import { jsonOrNothing, MAX_DEPTH } from "../spec/jsonText.ts";

/** Larger bodies are not read: no hand-written cell is that long, and YAML takes a second or more for such a text. */
const MAX_BODY = 100_000;
const MAX_LINES = 1000;
/** Limit of characters that have a meaning in YAML. */
const MAX_SIGNS = 2000;

/** What is odd about a text, and where. */
export interface Remark {
  /** From 1. */
  line: number;
  message: string;
}

interface Body {
  /** By name; nested fields are plain objects and lists. */
  fields: Readonly<Record<string, unknown>>;
  /** Unusable parts, and their lines in the body. */
  remarks: Remark[];
}

/** Reads any text as fields. Never throws. */
export function readBody(text: string): Body {
  if (text.trim() === "") return { fields: {}, remarks: [] };
  const refused = refusal(text);
  if (refused !== null) return { fields: {}, remarks: [{ line: 1, message: refused }] };
  return isOldStyle(text) ? readLines(text) : readYaml(text);
}

function refusal(text: string): string | null {
  if (text.length > MAX_BODY)
    return `The body has ${text.length} characters; at most ${MAX_BODY} are read.`;
  const { lines, signs } = countsOf(text);
  if (lines > MAX_LINES) return `The body has ${lines} lines; at most ${MAX_LINES} are read.`;
  if (signs > MAX_SIGNS)
    return `The body has ${signs} punctuation marks; at most ${MAX_SIGNS} are read.`;
  return depthOf(text) > MAX_DEPTH ? `The body is nested deeper than ${MAX_DEPTH} levels.` : null;
}

function countsOf(text: string): { lines: number; signs: number } {
  let lines = 1;
  let signs = 0;
  for (const sign of text)
    if (sign === "\n") lines++;
    else if (SIGNS.has(sign)) signs++;
  return { lines, signs };
}

/** A dash is not among them: packed code has many. */
const SIGNS = new Set("\t,:?[]{}#&*!|>'\"%@`\\=");

/** An upper bound of the nesting depth of lists and objects, whatever is quoted. */
function depthOf(text: string): number {
  let open = 0;
  let most = 0;
  for (const [mark] of text.matchAll(/[[\]{}]|^[ -]+|(?:[-?:] )+/gm)) {
    // A level of a block is at least one column further in.
    if (mark === "[" || mark === "{") most = Math.max(most, ++open);
    else if (mark === "]" || mark === "}") open = Math.max(0, open - 1);
    else most = Math.max(most, mark.length);
  }
  return most;
}

/** `key = value` on its first line with content; a YAML key has no such sign after its first word. */
export function isOldStyle(text: string): boolean {
  const line = text.split("\n").find((one) => one.trim() !== "" && !one.trim().startsWith("#"));
  return line !== undefined && /^\s*[\w-][\w.-]*\s*=/.test(line);
}

function readLines(text: string): Body {
  const fields: Record<string, unknown> = {};
  const remarks: Remark[] = [];
  text.split("\n").forEach((line, i) => {
    if (line.trim() === "" || line.trim().startsWith("#")) return;
    const eq = line.indexOf("=");
    const key = line.slice(0, Math.max(eq, 0)).trim();
    if (isPlainKey(key)) {
      if (Object.hasOwn(fields, key))
        remarks.push({
          line: i + 1,
          message: `${key} stands here a second time; this line is used.`,
        });
      setOwn(fields, key, unquote(line.slice(eq + 1).trim()));
    } else
      remarks.push({
        line: i + 1,
        message: `"${line.trim().slice(0, 60)}" does not have the form key = value.`,
      });
  });
  return { fields, remarks };
}

function unquote(value: string): string {
  if (!/^".*"$/.test(value)) return value;
  const text = jsonOrNothing(value);
  return text === undefined ? value : String(text);
}

function isPlainKey(key: string): boolean {
  return /^[\w-][\w.-]*$/.test(key);
}

/** As an own property, whatever its name. */
function setOwn(fields: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(fields, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function readYaml(text: string): Body {
  const counter = new LineCounter();
  try {
    const document = parse(text, counter);
    const remarks = [...document.errors, ...document.warnings].map(({ message, pos }) => ({
      line: counter.linePos(pos[0]).line,
      message: `${message.split("\n")[0]!.replace(/ at line \d+.*$/, "")}.`,
    }));
    if (document.contents !== null && !isMap(document.contents))
      return { fields: {}, remarks: [...remarks, { line: 1, message: NO_FIELDS }] };
    // No aliases: a short text could expand to a huge value.
    const fields = (document.toJS({ maxAliasCount: 0 }) ?? {}) as Body["fields"];
    return { fields, remarks };
  } catch (error) {
    const why = error instanceof RangeError ? "it is nested too deeply" : (error as Error).message;
    return { fields: {}, remarks: [{ line: 1, message: `The body cannot be read: ${why}.` }] };
  }
}

const NO_FIELDS = "The body must be fields, a line each: name: value.";

/** A cell's body lacks the end of its last line, which a long text may need. */
function parse(text: string, lineCounter?: LineCounter): Document {
  return parseDocument(`${text}\n`, {
    version: "1.2",
    schema: "core",
    stringKeys: true,
    prettyErrors: false,
    logLevel: "silent",
    ...(lineCounter && { lineCounter }),
  });
}

/** A field's path: the names from the outside in. */
type Path = readonly string[];

export interface FieldChange {
  path: Path;
  /** undefined removes the field. */
  value: unknown;
}

/** The body with fields changed; everything else stays as written. */
export function changeBody(text: string, changes: readonly FieldChange[]): string {
  // What is not read is not changed either.
  if (refusal(text) !== null) return text;
  let document = parse(isOldStyle(text) ? asYaml(text) : text);
  if (document.errors.length > 0) document = parse(asRemarks(text));
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  for (const { path, value } of changes)
    if (value === undefined) remove(document, path);
    else setIn(document, path, value);
  const empty = isMap(document.contents) && document.contents.items.length === 0;
  return empty && !document.commentBefore ? "" : document.toString(STYLE).replace(/\n$/, "");
}

/**
 * The body with its names and values rewritten, each as it is written there, quotes included;
 * everything else stays to the letter.
 * @param rewrite `path`: names of the fields around it.
 */
export function renameScalars(
  text: string,
  rewrite: (scalar: string, path: Path) => string,
): string {
  if (refusal(text) !== null) return text;
  if (isOldStyle(text))
    return text.replace(
      /^(\s*)([\w-][^\s=]*)(\s*=\s*)(.*)$/gm,
      (_, indent: string, key: string, sign: string, value: string) =>
        indent + rewrite(key, []) + sign + rewrite(value, [key]),
    );
  const places: { from: number; to: number; path: Path }[] = [];
  visit(parse(text), {
    Scalar: (place, { range }, above) => {
      const names = above.flatMap((node) =>
        isPair(node) && isScalar(node.key) ? [String(node.key.value)] : [],
      );
      const path = place === "key" ? names.slice(0, -1) : names;
      if (range) places.push({ from: range[0], to: range[1], path });
    },
  });
  // From the end, so that earlier positions stay valid.
  return places
    .sort((a, b) => b.from - a.from)
    .reduce((now, { from, to, path }) => {
      return now.slice(0, from) + rewrite(now.slice(from, to), path) + now.slice(to);
    }, text);
}

const STYLE = { lineWidth: 0, flowCollectionPadding: false } as const;

/** Older lines as YAML, remarks included; dotted keys stay as they are. */
function asYaml(text: string): string {
  const { fields } = readLines(text);
  const remarks = text.split("\n").filter((line) => line.trim().startsWith("#"));
  const document = parse("");
  document.contents = document.createNode(fields) as never;
  return [...remarks.map((line) => line.trim()), document.toString(STYLE)].join("\n");
}

/** Unreadable text is not lost: it stays as remarks, above the readable fields. */
function asRemarks(text: string): string {
  const { fields } = readBody(text);
  const remarks = text.split("\n").map((line) => `# ${line}`.trimEnd());
  const document = parse("");
  document.contents = document.createNode(fields) as never;
  return [...remarks, document.toString(STYLE)].join("\n");
}

/** If a body has the field under its dotted name, it is changed there. */
function setIn(document: Document, path: Path, value: unknown): void {
  const dotted = [path.join(".")];
  const place = path.length > 1 && document.hasIn(dotted) ? dotted : path;
  const old = document.hasIn(place) ? document.getIn(place, true) : undefined;
  // A remark after it stays.
  if (isScalar(old) && typeof value !== "object") return void (old.value = value);
  const node = document.createNode(value, { flow: true });
  if (place === dotted) return document.setIn(dotted, node);
  // A value where a group belongs is replaced by the group.
  for (let i = 1; i < path.length; i++)
    if (document.hasIn(path.slice(0, i)) && !isMap(document.getIn(path.slice(0, i))))
      document.deleteIn(path.slice(0, i));
  document.setIn(path, node);
}

/** Also removes groups that become empty. */
function remove(document: Document, path: Path): void {
  if (path.length > 1 && document.hasIn([path.join(".")])) document.deleteIn([path.join(".")]);
  else if (document.hasIn(path)) document.deleteIn(path);
  const above = path.slice(0, -1);
  if (above.length === 0) return;
  const group = document.getIn(above);
  if (isMap(group) && group.items.length === 0) remove(document, above);
}

/** The fields as dotted names and texts, as in links; lists are joined with commas. */
export function flatFields(fields: Body["fields"]): [name: string, text: string][] {
  return Object.entries(fields).flatMap(([name, value]) => flatten(value, name, 0));
}

function flatten(value: unknown, path: string, depth: number): [string, string][] {
  if (Array.isArray(value)) return [[path, value.map(textOf).join(",")]];
  if (typeof value !== "object" || value === null || depth > 8) return [[path, textOf(value)]];
  return Object.entries(value).flatMap(([name, item]) =>
    flatten(item, `${path}.${name}`, depth + 1),
  );
}

function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
