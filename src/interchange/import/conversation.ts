/** Lists of chat messages, in OpenAI's form and its relatives, as turns: each message of the model is one. */
import { isRecord, jsonOrNothing } from "../../spec/jsonText.ts";
import { pythonLiteral } from "../container/pythonLiteral.ts";
import { bareTurn, type Findings, type ForeignTurn } from "./foreign.ts";
import { digest, jsonOrText, listOf, textOrNull, type Fields } from "./values.ts";
import { spokenTurns, type SpokenTurns } from "./spoken.ts";

/** Whether it is a list of messages, in OpenAI's form or ShareGPT's (`from` and `value`). */
export function areMessages(value: unknown): boolean {
  const list = listOf(value);
  return list !== null && list.length > 0 && list.every(isMessage);
}

function isMessage(one: unknown): boolean {
  return isRecord(one) && roleOf(one) !== "" && (typeof one["role"] === "string" || "value" in one);
}

function roleOf(message: Fields): string {
  return textOrNull(message["role"]) ?? textOrNull(message["from"]) ?? "";
}

const MODEL = /^(?:assistant|model|gpt|chatgpt|ai|bot)$/i;

/** A text of messages in JSON or as Python writes it as messages, as tables keep them; any other value as it is. */
export function messagesIn(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*\[\s*\{/.test(value)) return value;
  const parsed = jsonOrNothing(value) ?? pythonLiteral(value);
  return areMessages(parsed) ? parsed : value;
}

/** @param asked messages or a text before them, which are never the model's turn */
export function turnsOfMessages(messages: unknown, asked: unknown = null): SpokenTurns {
  const turns: ForeignTurn[] = [];
  let heard = promptText(asked);
  for (const message of (listOf(messages) ?? []).filter(isRecord)) {
    const text = messageText(message);
    if (!MODEL.test(roleOf(message))) heard.push(text);
    else {
      turns.push(bareTurn(heard.join("\n"), text));
      heard = [];
    }
  }
  return { turns, last: heard.join("\n") };
}

/** What was said, as a text: itself, that of messages, or an object as JSON. */
export function saidText(said: unknown): string {
  if (said == null || typeof said === "string" || areMessages(said))
    return promptText(said).join("\n");
  return JSON.stringify(said) ?? "";
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

/** Where thoughts stand in a message; the first one counts, since some writers have the same in several. */
const THOUGHTS = ["reasoning_content", "reasoning", "thinking", "thinking_blocks"];

/** Its text, with thoughts before and calls of tools after it, as Qwen's template writes them. */
export function messageText(message: Fields): string {
  const thought = THOUGHTS.map((name) => thoughtIn(message[name])).find((one) => one !== "");
  const calls = [...(listOf(message["tool_calls"]) ?? []), message["function_call"]];
  const said = contentText(message["content"] ?? message["value"]);
  return [thoughtText(thought ?? ""), said, ...calls.map(jsonOrText).filter(isRecord).map(callText)]
    .filter((part) => part !== "")
    .join("\n");
}

function thoughtIn(value: unknown): string {
  const texts = (listOf(value) ?? []).map((one) =>
    isRecord(one) ? textOrNull(one["thinking"]) : one,
  );
  return textOrNull(value) ?? texts.filter(Boolean).join("\n");
}

function thoughtText(thought: string): string {
  return thought === "" ? "" : `<think>\n${thought}\n</think>`;
}

function contentText(content: unknown): string {
  const parts = listOf(content);
  if (!parts) return textOrNull(content) ?? "";
  return parts.map(partText).filter(Boolean).join("\n");
}

/** Parts of content as OpenAI, Anthropic, Inspect and Hugging Face have them. */
function partText(part: unknown): string {
  if (!isRecord(part)) return textOrNull(part) ?? "";
  const { type, text } = part;
  if (typeof text === "string") return text;
  if (type === "tool_use") return callText({ name: part["name"], arguments: part["input"] });
  if (type === "tool_result") return contentText(part["content"]);
  const thought = textOrNull(part["thinking"]) ?? textOrNull(part["reasoning"]);
  if (thought !== null) return thoughtText(thought);
  return type === undefined || type === "text" ? "" : mediaText(part);
}

const NAMED = 6;
/** Bytes of an image that tell it from others. */
const TOLD = 4096;

/** An image, or what else is no text, by its kind and a name of what it holds: two images of one prompt are two prompts. */
function mediaText(part: Fields): string {
  const kind = String(part["type"]).replace(/^input_|_url$/g, "");
  return `[${kind.slice(0, 20)} ${mediaName(part).slice(0, NAMED)}]`;
}

/** A name of what is no text, or has some in it. */
export function mediaName(held: unknown): string {
  const text = JSON.stringify(held, (_, one: unknown) =>
    one instanceof Uint8Array ? [one.length, ...one.subarray(0, TOLD)] : one,
  );
  return digest(text);
}

/** OpenAI has `function: {name, arguments as text}`, others name and arguments beside each other. */
function callText(call: Fields): string {
  const inner = isRecord(call["function"]) ? call["function"] : call;
  const name = textOrNull(inner["name"]) ?? textOrNull(inner["function"]) ?? "";
  const given = jsonOrText(inner["arguments"] ?? {});
  return `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
}
