/**
 * The vocabulary of the from-scratch Sokoban models: one token per board cell, per number of turns
 * and actions left, and per action, as real tokenizer files that any Hugging Face tokenizer library
 * opens. A test compares the files in `public/models/sokoban-tokenizer` with these.
 */
import { readTokenizer, type TextTokenizer } from "./tokenizer.ts";
import { TURN_END } from "./turnEnds.ts";

/** Ends a query: the policy's response starts after it, and V(s_h) is read at it. */
export const STATE_END = "<|sep|>";
export const SEPARATOR_TOKEN = "||";
const MAX_TURNS_TOKEN = 15;
const MAX_ACTIONS_TOKEN = 20;

export const UNKNOWN = "<|unk|>";
/** The first tokens of all our vocabularies; their index is their id. */
export const SPECIAL_TOKENS: readonly string[] = [
  "<|pad|>",
  "<|endoftext|>",
  "<|im_start|>",
  TURN_END,
  STATE_END,
  UNKNOWN,
];
const TAGS = ["<think>", "</think>", "<answer>", "</answer>"];
const CELLS = ["#", "_", "O", "√", "X", "P", "S", "\n"];
const ACTIONS = ["Up", "Down", "Left", "Right", SEPARATOR_TOKEN];

/** `<t0>` to `<t15>`, for example. */
export const numbered = (letter: string, max: number) =>
  Array.from({ length: max + 1 }, (_, n) => `<${letter}${n}>`);

/** The words of observations and actions, in the order of their ids. */
const SOKOBAN_WORDS = [...CELLS, ...ACTIONS];

/** The words of an environment's observations and actions, without duplicates. */
export function vocabularyOf(words: {
  observation: readonly string[];
  actions: readonly string[];
}): string[] {
  return [...new Set([...words.observation, ...words.actions, SEPARATOR_TOKEN])];
}

/** All tokens of a vocabulary of such words; the index is the id. */
export function tokensOf(words: readonly string[]): readonly string[] {
  return [
    ...SPECIAL_TOKENS,
    ...TAGS,
    ...words,
    ...numbered("t", MAX_TURNS_TOKEN),
    ...numbered("a", MAX_ACTIONS_TOKEN),
  ];
}

/** Checkpoints depend on this order: append only. */
export const SOKOBAN_TOKENS: readonly string[] = tokensOf(SOKOBAN_WORDS);

/**
 * A number as tokens: one if it fits, else a sum such as `<t15><t15><t2>`, so that large budgets
 * stay exact without a token each.
 */
export function numberTokens(letter: "t" | "a", n: number): string {
  const max = letter === "t" ? MAX_TURNS_TOKEN : MAX_ACTIONS_TOKEN;
  const full = `<${letter}${max}>`.repeat(Math.floor(n / max));
  return n > 0 && n % max === 0 ? full : `${full}<${letter}${n % max}>`;
}

/** Contents of `tokenizer.json` and `tokenizer_config.json`. */
export interface TokenizerFiles {
  tokenizer: object;
  config: object;
}

/** Contents of the two files of a word vocabulary; no word may be a prefix of a later one. */
export function domainTokenizerFiles(words: readonly string[]): TokenizerFiles {
  const preTokenizer = {
    type: "Split",
    pattern: { Regex: [...words.map(escaped), "<[ta][0-9]+>"].join("|") },
    behavior: "Isolated",
    invert: false,
  };
  return wordTokenizerFiles(tokensOf(words), [...SPECIAL_TOKENS, ...TAGS], preTokenizer, {
    type: "Fuse",
  });
}

/** Contents of the two files of the Sokoban vocabulary. */
export function sokobanTokenizerFiles(): TokenizerFiles {
  return domainTokenizerFiles(SOKOBAN_WORDS);
}

/** A vocabulary of whole words as tokenizer files; `added` are recognised anywhere. */
export function wordTokenizerFiles(
  tokens: readonly string[],
  added: readonly string[],
  preTokenizer: object,
  decoder: object | null,
): TokenizerFiles {
  const token = (content: string, id: number) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: SPECIAL_TOKENS.includes(content),
  });
  const tokenizer = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: added.map(token),
    normalizer: null,
    pre_tokenizer: preTokenizer,
    post_processor: null,
    decoder,
    // A BPE without merges that takes whole words from its vocabulary: a word-level model that
    // every library reads.
    model: {
      type: "BPE",
      dropout: null,
      unk_token: UNKNOWN,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: true,
      vocab: Object.fromEntries(tokens.map((content, id) => [content, id])),
      merges: [],
    },
  };
  const config = {
    tokenizer_class: "PreTrainedTokenizerFast",
    clean_up_tokenization_spaces: false,
    model_max_length: 4096,
    pad_token: "<|pad|>",
    eos_token: TURN_END,
    unk_token: UNKNOWN,
  };
  return { tokenizer, config };
}

function escaped(word: string): string {
  return word.replace(/[\n.*+?^${}()|[\]\\]/g, (symbol) =>
    symbol === "\n" ? "\\n" : `\\${symbol}`,
  );
}

/** The text of one of those files, as stored. */
export function fileText(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The tokenizer itself, without reading a file. */
export function sokobanTokenizer(): TextTokenizer {
  const { tokenizer, config } = sokobanTokenizerFiles();
  return readTokenizer(tokenizer, config);
}
