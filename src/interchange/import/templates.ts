/**
 * How chat templates name the next speaker, with their marks and, since many writers decode without
 * special tokens, what remains without them. From the templates of Qwen, Llama 3, Gemma, GLM-4 and
 * Phi, Mistral, gpt-oss (harmony) and DeepSeek.
 */
export interface Template {
  /** Whose it is taken for. */
  of: string;
  /** The text between two speakers; the group that matched names the next one. */
  speakers: RegExp;
  /** Whether the marks themselves are present, so that text cannot be mistaken for them. */
  marked: boolean;
  /** Whether a speaker may be named again while continuing: its parts are one turn. */
  joins?: boolean;
  /** Whether a name alone may also end a turn: see `settled`. */
  loose?: boolean;
  /** A name that may also be the end of a word of the model's. */
  partOfWord?: RegExp;
}

const NAMES = "user|tool|system|assistant|ipython";
const END = "(?:<\\|(?:im_end|eot_id|eom_id|end|call|return|endoftext)\\|>|<end_of_turn>)?";

/** After marks of any family but Mistral's; DeepSeek's tool answers end where the model continues. */
const SPEAKERS = new RegExp(
  `${END}\\n?(?:<\\|im_start\\|>(${NAMES})\\n|` +
    `<\\|start_header_id\\|>(${NAMES})<\\|end_header_id\\|>\\n\\n|` +
    `<start_of_turn>(user|model)\\n|` +
    `<\\|(user|assistant|observation|system)\\|>\\n?)|` +
    `(?:<｜end▁of▁sentence｜>)?<[｜|](User|Assistant|tool▁outputs▁(?:begin|end))[｜|]>`,
  "g",
);
/** Mistral's, which a text of another family may hold as words: its model speaks after a closing one. */
const BRACKETS = /(?:<\/s>)? ?\[(\/?(?:INST|TOOL_RESULTS))\] ?/g;
/** By a mark that only it has. */
const FAMILIES: readonly (readonly [mark: RegExp, of: string, speakers?: RegExp])[] = [
  [/<\|im_start\|>/, "ChatML (Qwen)"],
  [/<\|start_header_id\|>/, "Llama 3"],
  [/<start_of_turn>/, "Gemma"],
  [/<[｜|](?:User|Assistant|tool▁outputs▁begin)[｜|]>/, "DeepSeek"],
  [/<\|(?:user|assistant|observation)\|>/, "GLM-4 or Phi"],
  [/\[\/INST\]|\[TOOL_RESULTS\]/, "Mistral", BRACKETS],
];

function markedTemplate(text: string): Template | null {
  const found = FAMILIES.find(([mark]) => mark.test(text));
  if (!found) return null;
  const [, of, speakers = SPEAKERS] = found;
  return { of, speakers, marked: true };
}

/** gpt-oss: a message of each channel has its own header; a tool's header says who receives it. */
const HARMONY: Template = {
  of: "gpt-oss",
  speakers:
    /(?:<\|(?:end|call)\|>)?<\|start\|>(?:(assistant)|([\w.-]{1,64})[^<]{0,200}(?:<\|channel\|>\w+)?<\|message\|>)/g,
  marked: true,
  joins: true,
};
/** The same without its marks; its words run together. */
const HARMONY_PLAIN: Template = {
  of: "gpt-oss",
  speakers:
    /(functions\.[\w.-]{1,64}) to=assistant(?:commentary)?|(assistant)(?=analysis|commentary|final)/g,
  marked: false,
  joins: true,
};

/** Names on their own lines; after a closing tag and before a tool's answer also directly after other text. */
function namedOnLines(of: string, names: string): Template {
  const lines =
    `(?:<\\|im_end\\|>)?\\n(${names})\\n|(?<=</\\w+>)(user|tool)\\n|` +
    `(user|tool)\\n(?=<tool_response>)`;
  return { of, speakers: new RegExp(lines, "g"), marked: false, loose: true };
}
const PLAIN = namedOnLines("Qwen", NAMES);
/** Gemma calls the model only "model". */
const GEMMA = namedOnLines("Gemma", "user|tool|system|model");

/** Llama's without its marks: only the empty line after it distinguishes a speaker from a word. */
const LLAMA: Template = {
  of: "Llama 3",
  speakers: new RegExp(`(?<![ \\t])(${NAMES})\\n\\n`, "g"),
  marked: false,
  partOfWord: new RegExp(`(?<=[\\p{L}_-])(${NAMES})\\n\\n`, "u"),
};

/** A prompt ends by naming the model, which shows the template's format; Qwen's may open or skip its thoughts. */
const NAMED = /(?:^|[\n>])assistant\n(?:<think>\s*(?:<\/think>\s*)?)?$/;

/**
 * `known`: whether prompt or text show the template; if neither does, names on their own lines are
 * tried.
 */
export function templateIn(
  prompt: string,
  written: string,
): { template: Template; known: boolean } {
  if (/<\|start\|>\w/.test(written)) return { template: HARMONY, known: true };
  const marked = markedTemplate(written);
  if (marked) return { template: marked, known: true };
  if (/assistant(?:<\|end_header_id\|>)?\n\n$/.test(prompt))
    return { template: LLAMA, known: true };
  if (/(?:^|[\n>])model\n$/.test(prompt)) return { template: GEMMA, known: true };
  if (/assistant$/.test(prompt) && /^(?:analysis|commentary|final)/.test(written))
    return { template: HARMONY_PLAIN, known: true };
  return { template: PLAIN, known: NAMED.test(prompt) };
}

const MODEL = ["assistant", "model", "Assistant", "tool▁outputs▁end", "/INST", "/TOOL_RESULTS"];

export function isModel(name: string): boolean {
  return MODEL.includes(name);
}

/** What ends a turn, written by the model or the template. */
export const END_MARK =
  /(?:<\|(?:im_end|eot_id|eom_id|endoftext|end|call|return)\|>|<end_of_turn>|<｜end▁of▁sentence｜>|<\/s>)\s*$/;

/**
 * Tool answers inserted into the model's own message, after the tag of its request: Search-R1's
 * `<information>`, ReTool's `<interpreter>`, ReSearch's `<result>`; and Search-R1's reply to an
 * invalid action.
 */
export const INSERTED =
  // The lookbehind comes after the tag: at every position it would take quadratic time on a long
  // text.
  /<(information|interpreter|result|observation|tool_response)>(?<=<\/(?!think|answer)\w{1,40}>\s*<\1>)[^]*?(?:<\/\1>|$)|My previous action is invalid\. If I want to search[^\n]*/g;
