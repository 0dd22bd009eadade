/** Queries of a schema at a path: the field there, its optional fields, and why a value was refused. */
import { environment, environmentKinds } from "./environments.ts";
import { show } from "../numeric/inputError.ts";
import { z } from "./zod.ts";

/** In one sentence: the field of an issue, its value in the input, and what is allowed. */
export function describeIssue(schema: z.ZodType, issue: z.core.$ZodIssue, input: unknown): string {
  const path = pathText(issue.path);
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0]!;
    const place = path === "" ? "the spec" : path;
    return `${path === "" ? key : `${path}.${key}`} is not a field of ${place}; allowed: ${fieldsAt(schema, issue.path, input)}`;
  }
  return `${path === "" ? "the spec" : path} is ${show(valueAt(input, issue.path))}; it must be ${expectation(schema, issue, input)}`;
}

/** What the field accepts, both ends of a range included. */
function expectation(schema: z.ZodType, issue: z.core.$ZodIssue, input: unknown): string {
  const node = nodeIn(schema, issue.path, input);
  if (node instanceof z.ZodNumber) return range(node);
  switch (issue.code) {
    case "too_small":
      return `a list of at least ${issue.minimum}`;
    case "too_big":
      return `a list of at most ${issue.maximum}`;
    case "invalid_value":
      return issue.values.map(String).join(" or ");
    case "invalid_type":
      return KINDS[issue.expected] ?? `of type ${issue.expected}`;
    case "invalid_union":
      return issue.path.at(-1) === "kind"
        ? environmentKinds.join(" or ")
        : "a number, a word or null";
    default:
      return issue.message;
  }
}

function range(node: z.ZodNumber): string {
  const kind = node.isInt ? "a whole number" : "a number";
  return `${kind} from ${node.minValue} to ${node.maxValue}`;
}

const KINDS: Record<string, string> = {
  int: "a whole number",
  number: "a number",
  string: "a text",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

function pathText(path: PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === "number"
        ? `${text}[${key}]`
        : text === ""
          ? String(key)
          : `${text}.${String(key)}`,
    "",
  );
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
}

function fieldsAt(schema: z.ZodType, path: PropertyKey[], input: unknown): string {
  const node = nodeIn(schema, path, input);
  return node instanceof z.ZodObject ? Object.keys(node.shape).join(", ") : "none";
}

/** The part of a schema at a path, for this input if it depends on the kind. */
export function nodeIn(schema: z.ZodType, path: PropertyKey[], input: unknown): unknown {
  return path.reduce<unknown>((node, key, i) => {
    if (node instanceof z.ZodArray) return node.element;
    if (!(node instanceof z.ZodObject)) return undefined;
    const part = unwrapped((node.shape as Record<PropertyKey, unknown>)[key]);
    return part === environment ? kindOf(valueAt(input, path.slice(0, i + 1))) : part;
  }, schema);
}

/** The words that a part of a schema accepts; for a list those of its items. */
export function choicesIn(node: unknown): string[] {
  const part = unwrapped(node);
  if (part instanceof z.ZodArray) return choicesIn(part.element);
  if (part instanceof z.ZodBoolean) return ["true", "false"];
  if (part instanceof z.ZodEnum) return part.options.map(String);
  return part instanceof z.ZodLiteral ? [...part.values].map(String) : [];
}

/** Dotted paths of the optional single fields of a value. */
export function optionalIn(node: unknown, path: string): string[] {
  if (node instanceof z.ZodDiscriminatedUnion)
    return node.options.flatMap((option) => optionalIn(option, path));
  if (!(node instanceof z.ZodObject)) return [];
  return Object.entries(node.shape as Record<string, unknown>).flatMap(([key, part]) => {
    const inner = path === "" ? key : `${path}.${key}`;
    if (!(part instanceof z.ZodOptional)) return optionalIn(part, inner);
    return part.unwrap() instanceof z.ZodObject ? [] : [inner];
  });
}

/** The fields of the environment whose kind the input names. */
function kindOf(value: unknown): unknown {
  const kind = (value as { kind?: unknown } | null | undefined)?.kind;
  return environment.options.find(({ shape }) => shape.kind.value === kind);
}

function unwrapped(node: unknown): unknown {
  const wrapped =
    node instanceof z.ZodDefault || node instanceof z.ZodOptional || node instanceof z.ZodNullable;
  return wrapped ? unwrapped(node.unwrap()) : node;
}
