/** Lists of chat messages, in OpenAI's form and its relatives, as turns: each message of the model is one. */
import { isRecord } from "../../spec/jsonText.ts";
import { bareTurn, type Findings, type ForeignTurn } from "./foreign.ts";
import { jsonOrText, listOf, textOrNull, type Fields } from "./values.ts";
import { spokenTurns, type SpokenTurns } from "./spoken.ts";

/** Whether it is a list of messages. */
export function areMessages(value: unknown): boolean {
  const list = listOf(value);
  return list !== null && list.length > 0 && list.every(isMessage);
}

function isMessage(one: unknown): boolean {
  return isRecord(one) && typeof one["role"] === "string";
}

/** @param asked messages or a text before them, which are never the model's turn */
export function turnsOfMessages(messages: unknown, asked: unknown = null): SpokenTurns {
  const turns: ForeignTurn[] = [];
  let heard = promptText(asked);
  for (const message of (listOf(messages) ?? []).filter(isRecord)) {
    const text = messageText(message);
    if (message["role"] !== "assistant") heard.push(text);
    else {
      turns.push(bareTurn(heard.join("\n"), text));
      heard = [];
    }
  }
  return { turns, last: heard.join("\n") };
}

/** A prompt as texts: of its messages, or itself. */
function promptText(prompt: unknown): string[] {
  const text = textOrNull(prompt);
  if (text !== null) return text === "" ? [] : [text];
  return (listOf(prompt) ?? []).filter(isRecord).map(messageText);
}

/** A prompt and what was written after it, as texts of one chat template or as messages. */
export function answered(prompt: unknown, written: unknown, findings: Findings): SpokenTurns {
  const text = textOrNull(written);
  if (text === null) return turnsOfMessages(written, prompt);
  return spokenTurns(promptText(prompt).join("\n"), text, findings);
}

/** Its text, with thoughts before and calls of tools after it, as Qwen's template writes them. */
export function messageText(message: Fields): string {
  const thought = textOrNull(message["reasoning_content"]);
  const calls = (listOf(message["tool_calls"]) ?? []).filter(isRecord).map(callText);
  const said = contentText(message["content"]);
  return [thought ? `<think>\n${thought}\n</think>` : "", said, ...calls]
    .filter((part) => part !== "")
    .join("\n");
}

function contentText(content: unknown): string {
  const parts = listOf(content);
  if (!parts) return textOrNull(content) ?? "";
  const texts = parts.map((part) =>
    isRecord(part)
      ? (textOrNull(part["text"]) ?? textOrNull(part["reasoning"]) ?? "")
      : textOrNull(part),
  );
  return texts.filter(Boolean).join("\n");
}

/** OpenAI has `function: {name, arguments as text}`, others name and arguments beside each other. */
function callText(call: Fields): string {
  const inner = isRecord(call["function"]) ? call["function"] : call;
  const name = textOrNull(inner["name"]) ?? textOrNull(inner["function"]) ?? "";
  const given = jsonOrText(inner["arguments"] ?? {});
  return `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
}
