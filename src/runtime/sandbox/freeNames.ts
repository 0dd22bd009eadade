/** Which names a cell reads from elsewhere, and where its value stands; by a real parser, so that a text which mentions a name is no use of it. */
import type { Node, Program } from "acorn";
import { CodeError } from "./codeError.ts";
import { stripTypes } from "./strip.ts";

/** A node as the parser gives it: fields by name. */
type Syntax = Node & Record<string, unknown>;

/** What every sandbox has: using it needs no other cell. */
const BUILT_IN = new Set(
  (
    "undefined NaN Infinity globalThis Object Function Array String Number Boolean Symbol BigInt Math JSON Reflect Proxy RegExp " +
    "Map Set WeakMap WeakSet WeakRef Promise Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError " +
    "ArrayBuffer DataView Float64Array Float32Array Int8Array Int16Array Int32Array Uint8Array Uint8ClampedArray Uint16Array " +
    "Uint32Array BigInt64Array BigUint64Array parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI " +
    "decodeURI eval arguments console Plot table"
  ).split(" "),
);

/** A cell's text as JavaScript, with what was found in it. */
interface ReadCell {
  script: string;
  /** Names that it reads and does not declare, without the language's own; sorted. */
  free: string[];
  /** Where the last statement begins whose expression is its value; null where it ends in another kind. */
  value: number | null;
}

/** @throws CodeError with name and line, where the text cannot be read. */
export async function readCell(source: string, name = "cell"): Promise<ReadCell> {
  const script = await stripTypes(source, name);
  const program = await parsed(script, name);
  const free = new Set<string>();
  walk(program as unknown as Syntax, [], free);
  const last = program.body.at(-1);
  const value = last?.type === "ExpressionStatement" ? last.start : null;
  return {
    script,
    free: [...free].filter((one) => !BUILT_IN.has(one)).sort(),
    value,
  };
}

/** Names that a cell reads from elsewhere. @throws CodeError where the text cannot be read. */
export async function freeNames(source: string, name = "cell"): Promise<string[]> {
  return (await readCell(source, name)).free;
}

async function parsed(script: string, name: string): Promise<Program> {
  const { parse } = await import("acorn");
  try {
    return parse(script, {
      ecmaVersion: 2023,
      sourceType: "script",
      allowReturnOutsideFunction: true,
    });
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number } };
    const what = /'import' and 'export'/.test(message)
      ? "import and export are not available in a cell"
      : `SyntaxError: ${message.replace(/ \(\d+:\d+\)$/, "")}`;
    throw new CodeError(name, loc?.line ?? null, what);
  }
}

type Scope = Set<string>;

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

/** The nodes right below one; names of fields and of labels are none. */
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

function walk(node: Syntax, scopes: readonly Scope[], free: Set<string>): void {
  if (node.type === "Identifier") {
    const name = node["name"] as string;
    if (!scopes.some((scope) => scope.has(name))) free.add(name);
    return;
  }
  const own = scopeOf(node);
  const inside = own ? [...scopes, own] : scopes;
  for (const child of childrenOf(node)) walk(child, inside, free);
}

/** What a node declares for all that is in it; null where it is no scope. */
function scopeOf(node: Syntax): Scope | null {
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

/** Adds every `var` of a function, wherever in it it stands. */
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
