/**
 * The tokenizer of the models that speak, in the form of Qwen's: bytes, merges learned from the
 * texts of `turnbook tokenizer`, Qwen's special tokens and those of RAGEN's answers. A test compares
 * the files in `public/models/talker-tokenizer` with these.
 */
import { mergedTokens, QWEN2_WORDS } from "./bpe.ts";
import { chatTemplate, type ChatTemplate } from "./chatTemplate.ts";
import type { TokenizerFiles } from "./domainVocabulary.ts";
import { TALKER_MERGES, unpackMerges } from "./talkerMerges.ts";
import { QWEN3_TEMPLATE } from "./talkerTemplate.ts";
import { readTokenizer, type TextTokenizer } from "./tokenizer.ts";
import { TURN_END } from "./turnEnds.ts";

const SPECIAL = ["<|endoftext|>", "<|im_start|>", TURN_END];

/** Recognised wherever they stand, after all merged tokens; only the first three are special, as in Qwen3. */
export const TALKER_ADDED: readonly string[] = [
  ...SPECIAL,
  ...["<think>", "</think>", "<answer>", "</answer>"],
];

/** Bytes, merged and added tokens together. */
export const TALKER_SIZE = 1024;

/** Contents of the two files, for the stored merges or for newly learned ones. */
export function talkerTokenizerFiles(merges = unpackMerges(TALKER_MERGES)): TokenizerFiles {
  const tokens = mergedTokens(merges);
  const added = TALKER_ADDED.map((content, i) => ({
    id: tokens.length + i,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: SPECIAL.includes(content),
  }));
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, use_regex: false };
  const words = { type: "Split", pattern: { Regex: QWEN2_WORDS }, behavior: "Isolated" };
  const tokenizer = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: { type: "NFC" },
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        { ...words, invert: false },
        { ...byteLevel, trim_offsets: false },
      ],
    },
    post_processor: { ...byteLevel, trim_offsets: false },
    decoder: { ...byteLevel, trim_offsets: false },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(tokens.map((content, id) => [content, id])),
      merges: merges.map(([left, right]) => `${tokens[left]} ${tokens[right]}`),
    },
  };
  const config = {
    tokenizer_class: "Qwen2Tokenizer",
    add_bos_token: false,
    add_prefix_space: false,
    added_tokens_decoder: Object.fromEntries(added.map(({ id, ...token }) => [id, token])),
    additional_special_tokens: SPECIAL.slice(1),
    bos_token: null,
    chat_template: QWEN3_TEMPLATE,
    clean_up_tokenization_spaces: false,
    eos_token: TURN_END,
    errors: "replace",
    model_max_length: 2048,
    pad_token: SPECIAL[0],
    split_special_tokens: false,
    unk_token: null,
  };
  return { tokenizer, config };
}

export function tokenizerOf({ tokenizer, config }: TokenizerFiles): TextTokenizer {
  return readTokenizer(tokenizer, config);
}

let opened: TextTokenizer | undefined;
let compiled: ChatTemplate | undefined;

/** The tokenizer itself, without reading a file. */
export function talkerTokenizer(): TextTokenizer {
  return (opened ??= tokenizerOf(talkerTokenizerFiles()));
}

/** Its chat template. */
export function talkerTemplate(): ChatTemplate {
  return (compiled ??= chatTemplate(QWEN3_TEMPLATE));
}
