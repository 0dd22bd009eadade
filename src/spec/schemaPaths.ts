/** Queries of a schema at a path: the field there, its optional fields, and why a value was refused. */
import { environment, environmentKinds } from "./environments.ts";
import { show } from "../numeric/inputError.ts";
import { greatest, least } from "../numeric/lists.ts";
import { z } from "./zod.ts";

/** In one sentence: the field of an issue, its value in the input, and what is allowed. `whole`: what the input is. */
export function describeIssue(
  schema: z.ZodMiniType,
  issue: z.core.$ZodIssue,
  input: unknown,
  whole = "the spec",
): string {
  const path = pathText(issue.path);
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0]!;
    const place = path === "" ? whole : path;
    return `${path === "" ? key : `${path}.${key}`} is not a field of ${place}; allowed: ${fieldsAt(schema, issue.path, input)}`;
  }
  return `${path === "" ? whole : path} is ${show(valueAt(input, issue.path))}; it must be ${expectation(schema, issue, input)}`;
}

/** What the field accepts, both ends of a range included. */
function expectation(schema: z.ZodMiniType, issue: z.core.$ZodIssue, input: unknown): string {
  const node = nodeIn(schema, issue.path, input);
  const limits = limitsIn(node);
  if (limits) return range(limits);
  switch (issue.code) {
    case "too_small":
      return `a list of at least ${issue.minimum}`;
    case "too_big":
      return `a list of at most ${issue.maximum}`;
    case "invalid_value":
      return issue.values.map(String).join(" or ");
    case "invalid_type":
      return KINDS[issue.expected] ?? `of type ${issue.expected}`;
    case "invalid_key":
      return issue.issues[0]!.message;
    case "invalid_union":
      if (issue.path.at(-1) === "kind") return environmentKinds.join(" or ");
      return issue.message === NO_WORDS ? "a number, a word or null" : issue.message;
    default:
      return issue.message;
  }
}

/** zod's, where a schema has no words of its own. */
const NO_WORDS = "Invalid input";

function range({ least: from, most, whole }: NumberLimits): string {
  return `${whole ? "a whole number" : "a number"} from ${from} to ${most}`;
}

export interface NumberLimits {
  least: number;
  most: number;
  whole: boolean;
}

/** The range of a part that is a number, both ends included; null for other parts. */
export function limitsIn(node: unknown): NumberLimits | null {
  if (!(node instanceof z.ZodMiniNumber)) return null;
  const whole = node instanceof z.ZodMiniNumberFormat;
  const end = whole ? Number.MAX_SAFE_INTEGER : Infinity;
  const checks = (node.def.checks ?? []).map(
    (one) => one._zod.def as { check: string; value: number },
  );
  const values = (kind: string) =>
    checks.flatMap(({ check, value }) => (check === kind ? [value] : []));
  return {
    least: greatest([-end, ...values("greater_than")]),
    most: least([end, ...values("less_than")]),
    whole,
  };
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

function fieldsAt(schema: z.ZodMiniType, path: PropertyKey[], input: unknown): string {
  const node = nodeIn(schema, path, input);
  return node instanceof z.ZodMiniObject ? Object.keys(node.shape).join(", ") : "none";
}

/** The part of a schema at a path, for this input if it depends on the kind. */
export function nodeIn(schema: z.ZodMiniType, path: PropertyKey[], input: unknown): unknown {
  return path.reduce<unknown>((node, key, i) => {
    if (node instanceof z.ZodMiniArray) return node.def.element;
    if (node instanceof z.ZodMiniRecord) return unwrapped(node.def.valueType);
    if (!(node instanceof z.ZodMiniObject)) return undefined;
    const part = unwrapped((node.shape as Record<PropertyKey, unknown>)[key]);
    return part === environment ? kindOf(valueAt(input, path.slice(0, i + 1))) : part;
  }, schema);
}

/** The words that a part of a schema accepts; for a list those of its items. */
export function choicesIn(node: unknown): string[] {
  const part = unwrapped(node);
  if (part instanceof z.ZodMiniArray) return choicesIn(part.def.element);
  if (part instanceof z.ZodMiniBoolean) return ["true", "false"];
  if (part instanceof z.ZodMiniEnum) return part.options.map(String);
  return part instanceof z.ZodMiniLiteral ? part.def.values.map(String) : [];
}

/** Dotted paths of the optional single fields of a value, and of optional groups within its parts with their fields. */
export function optionalIn(node: unknown, path: string): string[] {
  if (node instanceof z.ZodMiniDiscriminatedUnion)
    return node.def.options.flatMap((option) => optionalIn(option, path));
  if (!(node instanceof z.ZodMiniObject)) return [];
  return Object.entries(node.shape as Record<string, unknown>).flatMap(([key, part]) => {
    const inner = path === "" ? key : `${path}.${key}`;
    if (!(part instanceof z.ZodMiniOptional)) return optionalIn(part, inner);
    const group = part.def.innerType;
    if (!(group instanceof z.ZodMiniObject)) return [inner];
    // Those of the whole have a change of their own (linkGroups.ts).
    return path === "" ? [] : [inner, ...Object.keys(group.shape).map((one) => `${inner}.${one}`)];
  });
}

/** The fields of the environment whose kind the input names. */
function kindOf(value: unknown): unknown {
  const kind = (value as { kind?: unknown } | null | undefined)?.kind;
  return environment.def.options.find(({ shape }) => shape.kind.def.values[0] === kind);
}

/** A field's own schema, without default, null and absence. */
export function unwrapped(node: unknown): unknown {
  const wrapped =
    node instanceof z.ZodMiniDefault ||
    node instanceof z.ZodMiniOptional ||
    node instanceof z.ZodMiniNullable;
  return wrapped ? unwrapped(node.def.innerType) : node;
}
