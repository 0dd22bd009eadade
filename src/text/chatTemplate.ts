/**
 * Chat templates as models carry them in `tokenizer_config.json`: Jinja programs from messages to
 * text.
 */
import { Template } from "@huggingface/jinja";
import { InputError } from "../spec/inputError.ts";

export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  tool_calls?: unknown[];
}

interface RenderOptions {
  /** End with the header of the assistant's next message. */
  addGenerationPrompt?: boolean;
  /** Qwen3's switch; left undefined when absent, as its template can detect. */
  enableThinking?: boolean;
  tools?: unknown[];
}

export type ChatTemplate = (messages: readonly Message[], options?: RenderOptions) => string;

/** Compiles a template. Throws InputError, then or when rendering, if it is no valid one. */
export function chatTemplate(source: string): ChatTemplate {
  const template = orInputError(() => new Template(source));
  return (messages, { addGenerationPrompt = false, enableThinking, tools } = {}) => {
    const variables: Record<string, unknown> = {
      messages,
      add_generation_prompt: addGenerationPrompt,
    };
    if (enableThinking !== undefined) variables["enable_thinking"] = enableThinking;
    if (tools !== undefined) variables["tools"] = tools;
    return orInputError(() => template.render(variables));
  };
}

/**
 * The template source in a parsed `tokenizer_config.json`: a string, or the one named "default" of
 * a list.
 */
export function chatTemplateSource(tokenizerConfig: unknown): string {
  const found = (tokenizerConfig as { chat_template?: unknown } | null)?.chat_template;
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
