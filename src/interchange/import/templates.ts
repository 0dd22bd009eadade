/**
 * How chat templates name who speaks next, with their marks and, since many writers decode without special tokens, what
 * is left of them. Read in the templates of Qwen, Llama 3, Gemma, GLM-4 and Phi, gpt-oss (harmony) and DeepSeek.
 */
export interface Template {
  /** What stands between two speakers; of its groups the one that matched names the next. */
  speakers: RegExp;
  /** Whether the marks themselves are there, so that no text can be taken for them. */
  marked: boolean;
  /** Whether a speaker may be named again before the same one goes on: its parts are one turn. */
  joins?: boolean;
  /** Whether a name alone may end a turn, too: see `settled`. */
  loose?: boolean;
  /** A name that may as well be the end of a word of the model's. */
  partOfWord?: RegExp;
}

const NAMES = "user|tool|system|assistant|ipython";
const END = "(?:<\\|(?:im_end|eot_id|eom_id|end|call|return|endoftext)\\|>|<end_of_turn>)?";

/** Behind marks of any family; DeepSeek's answers of tools end where the model goes on. */
const MARKED: Template = {
  speakers: new RegExp(
    `${END}\\n?(?:<\\|im_start\\|>(${NAMES})\\n|` +
      `<\\|start_header_id\\|>(${NAMES})<\\|end_header_id\\|>\\n\\n|` +
      `<start_of_turn>(user|model)\\n|` +
      `<\\|(user|assistant|observation|system)\\|>\\n?)|` +
      `(?:<｜end▁of▁sentence｜>)?<｜(User|Assistant|tool▁outputs▁(?:begin|end))｜>`,
    "g",
  ),
  marked: true,
};
const IS_MARKED =
  /<\|(?:im_start|start_header_id|user|assistant|observation)\|>|<start_of_turn>|<｜(?:User|Assistant|tool▁outputs▁begin)｜>/;

/** gpt-oss: a message of each channel has a head of its own; a tool's says to whom it is. */
const HARMONY: Template = {
  speakers:
    /(?:<\|(?:end|call)\|>)?<\|start\|>(?:(assistant)|([\w.-]{1,64})[^<]{0,200}(?:<\|channel\|>\w+)?<\|message\|>)/g,
  marked: true,
  joins: true,
};
/** The same without its marks, its words written together. */
const HARMONY_PLAIN: Template = {
  speakers:
    /(functions\.[\w.-]{1,64}) to=assistant(?:commentary)?|(assistant)(?=analysis|commentary|final)/g,
  marked: false,
  joins: true,
};

/** Names on lines of their own; after a closing tag and before a tool's answer also right behind other text. */
function namedOnLines(names: string): Template {
  const lines =
    `(?:<\\|im_end\\|>)?\\n(${names})\\n|(?<=</\\w+>)(user|tool)\\n|` +
    `(user|tool)\\n(?=<tool_response>)`;
  return { speakers: new RegExp(lines, "g"), marked: false, loose: true };
}
const PLAIN = namedOnLines(NAMES);
/** Gemma's model is none but itself. */
const GEMMA = namedOnLines("user|tool|system|model");

/** Llama's without its marks: only the empty line after it distinguishes a speaker from a word. */
const LLAMA: Template = {
  speakers: new RegExp(`(?<![ \\t])(${NAMES})\\n\\n`, "g"),
  marked: false,
  partOfWord: new RegExp(`(?<=[\\p{L}_-])(${NAMES})\\n\\n`, "u"),
};

/** A prompt ends by naming the model, which shows how its template does that; Qwen's may open or skip its thoughts. */
const NAMED = /(?:^|[\n>])assistant\n(?:<think>\s*(?:<\/think>\s*)?)?$/;

/** `known`: whether prompt or text show the template; where none does, names on lines are tried. */
export function templateIn(
  prompt: string,
  written: string,
): { template: Template; known: boolean } {
  if (/<\|start\|>\w/.test(written)) return { template: HARMONY, known: true };
  if (IS_MARKED.test(written)) return { template: MARKED, known: true };
  if (/assistant\n\n$/.test(prompt)) return { template: LLAMA, known: true };
  if (/(?:^|[\n>])model\n$/.test(prompt)) return { template: GEMMA, known: true };
  if (/assistant$/.test(prompt) && /^(?:analysis|commentary|final)/.test(written))
    return { template: HARMONY_PLAIN, known: true };
  return { template: PLAIN, known: NAMED.test(prompt) };
}

const MODEL = ["assistant", "model", "Assistant", "tool▁outputs▁end"];

export function isModel(name: string): boolean {
  return MODEL.includes(name);
}

/** What the model, or the template behind it, ends a turn with. */
export const END_MARK =
  /(?:<\|(?:im_end|eot_id|eom_id|endoftext|end|call|return)\|>|<end_of_turn>|<｜end▁of▁sentence｜>)\s*$/;

/**
 * Answers of tools that are put into the model's own message, after the tag in which it asked for them: Search-R1's
 * `<information>`, ReTool's `<interpreter>`, ReSearch's `<result>`; and what Search-R1 says of an invalid action.
 */
export const INSERTED =
  // What stands before is looked at once a tag is found: at every place it would cost the square of a long text.
  /<(information|interpreter|result|observation|tool_response)>(?<=<\/(?!think|answer)\w{1,40}>\s*<\1>)[^]*?(?:<\/\1>|$)|My previous action is invalid\. If I want to search[^\n]*/g;
