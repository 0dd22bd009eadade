/**
 * Jinja prints an undefined name as nothing, so that a message or an end token silently vanishes.
 * Here every name that a template prints must be defined: the program is changed to raise an error
 * otherwise.
 */
import { Template } from "@huggingface/jinja";

type Program = Template["parsed"];
type TemplateNode = Program["body"][number];

/** The fields of a statement whose content is printed. */
const BLOCKS = ["body", "alternate", "defaultBlock"] as const;

/** Changes `program` in place. `silent`: names that may print nothing. */
export function requirePrinted(program: TemplateNode, silent: ReadonlySet<string>): void {
  const parts = program as unknown as Partial<Record<(typeof BLOCKS)[number], TemplateNode[]>>;
  for (const block of BLOCKS) {
    if (!Array.isArray(parts[block])) continue;
    for (const statement of parts[block]) requirePrinted(statement, silent);
    parts[block] = parts[block].map((statement) => printed(statement, silent));
  }
}

/** Parts of a printed expression that may be its value. */
const RESULTS: Record<string, readonly string[]> = {
  Ternary: ["trueExpr", "falseExpr"],
  SelectExpression: ["lhs"],
};

function printed(node: TemplateNode, silent: ReadonlySet<string>): TemplateNode {
  const parts = node as unknown as Record<string, TemplateNode>;
  for (const part of RESULTS[node.type] ?? []) parts[part] = printed(parts[part]!, silent);
  const name = nameOf(node);
  return name === null || silent.has(name) ? node : checked(node, name);
}

/** Fields that the parser gives identifiers and members. */
interface NameParts {
  value?: string;
  object?: TemplateNode;
  property?: TemplateNode;
  computed?: boolean;
}

/** As the template writes it: `message.content`. Null for anything but a name. */
function nameOf(node: TemplateNode): string | null {
  const { type, value, object, property, computed } = node as TemplateNode & NameParts;
  if (type === "Identifier") return value!;
  if (type !== "MemberExpression" || !object || !property) return null;
  const of = nameOf(object) ?? "...";
  return computed ? `${of}[...]` : `${of}.${nameOf(property)}`;
}

/** `node if node is defined else raise_exception(...)` */
function checked(node: TemplateNode, name: string): TemplateNode {
  const words = JSON.stringify(`it prints ${name}, which is not defined`);
  const { parsed } = new Template(`{{ 0 if 0 is defined else raise_exception(${words}) }}`);
  const choice = parsed.body[0] as unknown as {
    condition: { operand: TemplateNode };
    trueExpr: TemplateNode;
  };
  choice.condition.operand = choice.trueExpr = node;
  return parsed.body[0]!;
}
