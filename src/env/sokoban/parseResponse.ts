/**
 * From the text of a response to action names, as RAGEN's `ragen/llm_agent/ctx_manager.py`
 * (_parse_response).
 */
import { ACTIONS, type Action } from "./board.ts";

/** What Python calls white space, which is not quite what JavaScript does. */
const SPACE =
  "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const EDGES = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");
const THINK_ANSWER = new RegExp(`<think>(.*?)</think>${SPACE}*<answer>(.*?)</answer>`, "s");
const ANSWER = /<answer>(.*?)<\/answer>/s;
const TAGS = ["<think>", "</think>", "<answer>", "</answer>", "<|im_start|>", "<|im_end|>"];
const SEPARATOR = "||";

export interface ParsedResponse {
  /** The names as written, at most `maxActions`; empty when the format is wrong. */
  names: string[];
  /**
   * What a history keeps: the two blocks without the text around them, or the raw text when the
   * format is wrong.
   */
  stored: string;
}

/**
 * With `think`, a think block and then an answer block must follow each other; without, the first
 * answer block counts.
 */
export function parseResponse(text: string, think: boolean, maxActions: number): ParsedResponse {
  const match = (think ? THINK_ANSWER : ANSWER).exec(text);
  if (!match) return { names: [], stored: text };
  const thought = think ? withoutTags(match[1]!) : "";
  let answer = withoutTags(match[think ? 2 : 1]!);
  let names = answer.split(SEPARATOR).map(strip).filter(Boolean);
  if (names.length > maxActions) {
    names = names.slice(0, maxActions);
    answer = names.join(` ${SEPARATOR} `);
  }
  const block = `<answer>${answer}</answer>`;
  return { names, stored: think ? `<think>${thought}</think>${block}` : block };
}

/** The action that a name means, in any case; undefined for every other text. */
export function actionNamed(name: string): Action | undefined {
  return ACTIONS.find((action) => action.toLowerCase() === name.toLowerCase());
}

function withoutTags(text: string): string {
  return TAGS.reduce((rest, tag) => strip(rest.replaceAll(tag, "")), text);
}

function strip(text: string): string {
  return text.replace(EDGES, "");
}
