/**
 * Parses the action names in a response, as RAGEN's `ragen/llm_agent/ctx_manager.py`
 * (_parse_response).
 */
import { SPACE, strip } from "../pythonSpace.ts";
import { ACTIONS, type Action } from "./board.ts";

const THINK = "<think>";
const ANSWER = "<answer>";
const END = "</answer>";
/** From the end of a think block to the start of its answer. */
const BETWEEN = new RegExp(`</think>${SPACE}*<answer>`, "g");
const TAGS = ["<think>", "</think>", "<answer>", "</answer>", "<|im_start|>", "<|im_end|>"];
const SEPARATOR = "||";

export interface ParsedResponse {
  /** The names as written, at most `maxActions`; empty if the format is wrong. */
  names: string[];
  /**
   * The text for the history: the two blocks without the text around them, or the raw text if the
   * format is wrong.
   */
  stored: string;
}

/**
 * With `think`, a think block must be followed by an answer block; without it, the first answer
 * block counts.
 */
export function parseResponse(text: string, think: boolean, maxActions: number): ParsedResponse {
  const blocks = think ? thoughtAndAnswer(text) : answerAlone(text);
  if (!blocks) return { names: [], stored: text };
  const thought = withoutTags(blocks.thought);
  let answer = withoutTags(blocks.answer);
  let names = answer.split(SEPARATOR).map(strip).filter(Boolean);
  if (names.length > maxActions) {
    names = names.slice(0, maxActions);
    answer = names.join(` ${SEPARATOR} `);
  }
  const block = `<answer>${answer}</answer>`;
  return { names, stored: think ? `<think>${thought}</think>${block}` : block };
}

interface Blocks {
  thought: string;
  answer: string;
}

/** For the pattern <answer>(.*?)</answer>: if there is no end after the first start, there is none after any other. */
function answerAlone(text: string): Blocks | null {
  const start = text.indexOf(ANSWER);
  return start < 0 ? null : answerFrom(text, "", start + ANSWER.length);
}

/**
 * For the pattern <think>(.*?)</think>\s*<answer>(.*?)</answer>, without trying all combinations of
 * starts and ends: what follows the first start also follows every other.
 */
function thoughtAndAnswer(text: string): Blocks | null {
  const start = text.indexOf(THINK);
  if (start < 0) return null;
  BETWEEN.lastIndex = start + THINK.length;
  const between = BETWEEN.exec(text);
  if (!between) return null;
  const thought = text.slice(start + THINK.length, between.index);
  return answerFrom(text, thought, between.index + between[0].length);
}

function answerFrom(text: string, thought: string, from: number): Blocks | null {
  const end = text.indexOf(END, from);
  return end < 0 ? null : { thought, answer: text.slice(from, end) };
}

/** The action that a name means, in any case; undefined for any other text. */
export function actionNamed(name: string): Action | undefined {
  return ACTIONS.find((action) => action.toLowerCase() === name.toLowerCase());
}

function withoutTags(text: string): string {
  return TAGS.reduce((rest, tag) => strip(rest.replaceAll(tag, "")), text);
}
