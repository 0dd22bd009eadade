/**
 * Which names a cell reads from elsewhere, and the position of its value. It uses a real parser, so
 * that a string that mentions a name does not count as a use.
 */
import type { Node, Program } from "acorn";
import { CodeError } from "./codeError.ts";
import { stripTypes } from "./strip.ts";

/** A node as the parser returns it: fields by name. */
type Syntax = Node & Record<string, unknown>;

/** Globals of every sandbox: using one needs no other cell. */
const BUILT_IN = new Set(
  (
    "undefined NaN Infinity globalThis Object Function Array String Number Boolean Symbol BigInt Math JSON Reflect Proxy RegExp " +
    "Map Set WeakMap WeakSet WeakRef Promise Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError " +
    "ArrayBuffer DataView Float64Array Float32Array Int8Array Int16Array Int32Array Uint8Array Uint8ClampedArray Uint16Array " +
    "Uint32Array BigInt64Array BigUint64Array parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI " +
    "decodeURI eval arguments console Plot table"
  ).split(" "),
);

/** A cell's source as JavaScript, with what was found in it. */
interface ReadCell {
  script: string;
  /** Names that it reads and does not declare, without the language's globals; sorted. */
  free: string[];
  /** Start of the last statement if that is an expression, whose value is the cell's; otherwise null. */
  value: number | null;
}

/** @throws CodeError with name and line if the source cannot be parsed. */
export async function readCell(source: string, name = "cell"): Promise<ReadCell> {
  const script = await stripTypes(source, name);
  const program = await parsed(script, name);
  const free = new Set<string>();
  walk(program as unknown as Syntax, [], ({ node }) => free.add(node["name"] as string));
  const last = program.body.at(-1);
  const value = last?.type === "ExpressionStatement" ? last.start : null;
  return {
    script,
    free: [...free].filter((one) => !BUILT_IN.has(one)).sort(),
    value,
  };
}

/** Names that a cell reads from elsewhere. @throws CodeError if the source cannot be parsed. */
export async function freeNames(source: string, name = "cell"): Promise<string[]> {
  return (await readCell(source, name)).free;
}

/** Parses a definition's source, which is a module, without running it. @throws CodeError if it cannot be parsed. */
export async function checkDefinition(source: string, name: string): Promise<void> {
  await parsed(await stripTypes(source, name), name, "module");
}

/** A free name in the syntax tree: `above` is the node around it. */
interface FreeUse {
  node: Syntax;
  above: Syntax | null;
}

/** Name of the object that holds all runs by their experiments' ids. */
const ALL_RUNS = "runs";

/**
 * The cell's source after another cell, or an experiment, was renamed: replaces the name itself,
 * and `runs.NAME`. Other variables of the same name stay. A source that cannot be parsed is
 * returned unchanged.
 */
export async function renameFree(source: string, from: string, to: string): Promise<string> {
  if (!source.includes(from)) return source;
  try {
    const script = await stripTypes(source, "cell");
    const edits = editsOf(await parsed(script, "cell"), from, to);
    return spliced(script, source, edits, from);
  } catch (error) {
    if (error instanceof CodeError) return source;
    throw error;
  }
}

interface Edit {
  /** Offsets in the source without types. */
  start: number;
  end: number;
  text: string;
}

function editsOf(program: Program, from: string, to: string): Edit[] {
  const edits: Edit[] = [];
  const isWord = /^[A-Za-z_$][\w$]*$/.test(to);
  const alone = isWord ? to : `${ALL_RUNS}[${JSON.stringify(to)}]`;
  walk(program as unknown as Syntax, [], ({ node, above }) => {
    const { start, end } = node;
    if (node["name"] === from) {
      const isShort = above?.type === "Property" && above["shorthand"] === true;
      edits.push({ start, end, text: isShort ? `${from}: ${alone}` : alone });
    }
    if (node["name"] !== ALL_RUNS || above?.type !== "MemberExpression") return;
    const field = above["property"] as Syntax;
    if (above["object"] !== node || (field["name"] ?? field["value"]) !== from) return;
    if (above["computed"] === true && field.type !== "Literal") return;
    const text = isWord && above["computed"] !== true ? `.${to}` : `[${JSON.stringify(to)}]`;
    const optional = above["optional"] === true ? "?." : "";
    edits.push({
      start: end,
      end: above.end,
      text: optional + text.replace(optional && /^\./, ""),
    });
  });
  return edits.sort((a, b) => a.start - b.start);
}

/** Applies edits made in the source without types to the source with them: the library preserves lines, not columns. */
function spliced(script: string, source: string, edits: readonly Edit[], from: string): string {
  const places = wordsIn(script, from);
  const own = wordsIn(source, from);
  // Types contain the name too, and the matches are ambiguous.
  if (places.length !== own.length) return source;
  return [...edits].reverse().reduce((text, { start, end, text: now }) => {
    const at = places.findLastIndex((place) => place < end);
    const shift = own[at]! - places[at]!;
    return text.slice(0, start + shift) + now + text.slice(end + shift);
  }, source);
}

function wordsIn(text: string, word: string): number[] {
  return [...text.matchAll(new RegExp(`(?<![\\w$])${word}(?![\\w$])`, "g"))].map(
    ({ index }) => index,
  );
}

async function parsed(
  script: string,
  name: string,
  sourceType: "script" | "module" = "script",
): Promise<Program> {
  const { parse } = await import("acorn");
  const allowReturnOutsideFunction = sourceType === "script";
  try {
    return parse(script, { ecmaVersion: 2023, sourceType, allowReturnOutsideFunction });
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number } };
    const what = /'import' and 'export'/.test(message)
      ? "import and export are not available in a cell"
      : `SyntaxError: ${message.replace(/ \(\d+:\d+\)$/, "")}`;
    throw new CodeError(name, loc?.line ?? null, what);
  }
}

type NameScope = Set<string>;

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
const BLOCKS = new Set([
  "Program",
  "BlockStatement",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "SwitchStatement",
  "StaticBlock",
]);

function isNode(value: unknown): value is Syntax {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** The direct children of a node; names of fields and labels are left out. */
function childrenOf(node: Syntax): Syntax[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (isFieldName(node, key)) return [];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
}

function isFieldName({ type, computed }: Syntax, key: string): boolean {
  if (key === "label") return true;
  if (type === "MetaProperty") return true;
  if (computed === true) return false;
  if (type === "MemberExpression") return key === "property";
  return key === "key" && /^(Property|MethodDefinition|PropertyDefinition)$/.test(type);
}

function walk(
  node: Syntax,
  scopes: readonly NameScope[],
  visit: (use: FreeUse) => void,
  above: Syntax | null = null,
): void {
  if (node.type === "Identifier") {
    const name = node["name"] as string;
    if (!scopes.some((scope) => scope.has(name))) visit({ node, above });
    return;
  }
  const own = scopeOf(node);
  const inside = own ? [...scopes, own] : scopes;
  // The discriminant of a switch is evaluated outside of the scope of its cases.
  const scopesOf = (child: Syntax) => (child === node["discriminant"] ? scopes : inside);
  for (const child of childrenOf(node)) walk(child, scopesOf(child), visit, node);
}

/** What a node declares for everything inside it; null if it opens no scope. */
function scopeOf(node: Syntax): NameScope | null {
  const { type } = node;
  if (FUNCTIONS.has(type)) {
    const names = new Set((node["params"] as Syntax[]).flatMap(patternNames));
    if (isNode(node["id"])) names.add(node["id"]["name"] as string);
    hoisted(node["body"] as Syntax, names);
    if (type !== "ArrowFunctionExpression") names.add("arguments");
    return names;
  }
  if (type === "ClassExpression" && isNode(node["id"]))
    return new Set([node["id"]["name"] as string]);
  if (type === "CatchClause")
    return new Set(isNode(node["param"]) ? patternNames(node["param"]) : []);
  if (!BLOCKS.has(type)) return null;
  const names = new Set(childrenOf(node).flatMap(declaredBy));
  if (type === "SwitchStatement")
    for (const one of (node["cases"] as Syntax[]).flatMap(childrenOf))
      for (const name of declaredBy(one)) names.add(name);
  if (type === "Program") hoisted(node, names);
  return names;
}

/** Names that a statement declares in its block. */
function declaredBy(node: Syntax): string[] {
  if (node.type === "VariableDeclaration")
    return (node["declarations"] as Syntax[]).flatMap((one) => patternNames(one["id"] as Syntax));
  if (/^(Function|Class)Declaration$/.test(node.type) && isNode(node["id"]))
    return [node["id"]["name"] as string];
  return [];
}

/** Adds every `var` of a function, at any depth. */
function hoisted(node: Syntax, names: Set<string>): void {
  if (node.type === "VariableDeclaration" && node["kind"] === "var")
    for (const name of declaredBy(node)) names.add(name);
  for (const child of childrenOf(node)) if (!FUNCTIONS.has(child.type)) hoisted(child, names);
}

/** Names that a pattern binds. */
function patternNames(pattern: Syntax): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern["name"] as string];
    case "ObjectPattern":
      return (pattern["properties"] as Syntax[]).flatMap((one) =>
        patternNames((one["value"] ?? one["argument"]) as Syntax),
      );
    case "ArrayPattern":
      return (pattern["elements"] as (Syntax | null)[]).flatMap((one) =>
        one ? patternNames(one) : [],
      );
    case "AssignmentPattern":
      return patternNames(pattern["left"] as Syntax);
    case "RestElement":
      return patternNames(pattern["argument"] as Syntax);
    default:
      return [];
  }
}
