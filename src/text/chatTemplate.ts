/**
 * Chat templates as models provide them in `tokenizer_config.json`: Jinja programs from messages to
 * text.
 */
import { Template } from "@huggingface/jinja";
import { InputError, show } from "../numeric/inputError.ts";
import { isRecord } from "../spec/jsonText.ts";

export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  tool_calls?: unknown[];
}

interface RenderOptions {
  /** End with the header of the assistant's next message. */
  addGenerationPrompt?: boolean;
  /** Qwen3's switch; left undefined if absent, which its template can detect. */
  enableThinking?: boolean;
  tools?: unknown[];
}

export type ChatTemplate = (messages: readonly Message[], options?: RenderOptions) => string;

/** The names under which transformers passes them to a template. */
const SPECIAL_TOKENS = ["bos", "eos", "unk", "sep", "pad", "cls", "mask"].map((x) => `${x}_token`);

/**
 * Compiles a template. Its special tokens (`eos_token` and the like) are those of
 * `tokenizerConfig`, a parsed tokenizer_config.json. Throws InputError, then or when rendering, if
 * it is invalid or prints an undefined name.
 */
export function chatTemplate(source: string, tokenizerConfig: unknown = {}): ChatTemplate {
  const template = orInputError(() => new Template(source));
  const { tokens, none } = specialTokens(tokenizerConfig);
  orInputError(() => requirePrinted(template.parsed, none));
  return (messages, { addGenerationPrompt = false, enableThinking, tools } = {}) => {
    const variables: Record<string, unknown> = {
      ...tokens,
      messages,
      add_generation_prompt: addGenerationPrompt,
    };
    if (enableThinking !== undefined) variables["enable_thinking"] = enableThinking;
    if (tools !== undefined) variables["tools"] = tools;
    return orInputError(() => template.render(variables));
  };
}

/** The special tokens by name, and the names that the config sets to null: transformers prints nothing for them. */
function specialTokens(tokenizerConfig: unknown) {
  const config = Object(tokenizerConfig) as Record<string, unknown>;
  const more = config["extra_special_tokens"];
  const named = { ...config, ...(isRecord(more) ? more : {}) };
  const names = new Set([...SPECIAL_TOKENS, ...Object.keys(isRecord(more) ? more : {})]);
  const tokens: Record<string, string> = {};
  const none = new Set<string>();
  for (const name of names) {
    const token = named[name];
    const text = isRecord(token) ? token["content"] : token;
    if (typeof text === "string") tokens[name] = text;
    else if (token === null) none.add(name);
    else if (token !== undefined)
      throw new InputError(
        `tokenizer_config.json: ${name} is ${show(token)}; it must be a text or an object with content`,
      );
  }
  return { tokens, none };
}

/**
 * The template source in a parsed `tokenizer_config.json`: a string, or the entry named "default"
 * of a list. `file`: the folder's chat_template.jinja if there is one; transformers reads it
 * instead of the config's.
 * @throws InputError if there is none, or two different ones named "default".
 */
export function chatTemplateSource(tokenizerConfig: unknown, file?: string): string {
  if (file !== undefined) return file;
  const found = (tokenizerConfig as { chat_template?: unknown } | null)?.chat_template;
  if (Array.isArray(found)) {
    const named = found.filter((entry) => entry?.name === "default");
    if (new Set(named.map((entry) => entry.template as unknown)).size > 1)
      throw new InputError("tokenizer_config.json has two chat templates of the name default");
  }
  const entry = Array.isArray(found)
    ? found.find((entry) => entry?.name === "default")?.template
    : found;
  if (typeof entry !== "string") throw new InputError("tokenizer_config.json has no chat_template");
  return entry;
}

function orInputError<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`chat_template cannot be used: ${reason}`);
  }
}

// Jinja prints an undefined name as nothing, so that a message or an end token silently vanishes.
// Here every name that a template prints must be defined: the program is changed to raise an error
// otherwise.

type Program = Template["parsed"];
type TemplateNode = Program["body"][number];

/** The fields of a statement whose content is printed. */
const BLOCKS = ["body", "alternate", "defaultBlock"] as const;

/** Changes `program` in place. `silent`: names that may print nothing. */
function requirePrinted(program: TemplateNode, silent: ReadonlySet<string>): void {
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
