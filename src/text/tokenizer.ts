/** A tokenizer read from a Hugging Face folder's `tokenizer.json` and `tokenizer_config.json`. */
import { Tokenizer } from "@huggingface/tokenizers";
import { InputError, show } from "../numeric/inputError.ts";
import { isRecord } from "../spec/jsonText.ts";
import { tokenizerIds } from "./tokenizerIds.ts";

export interface TextTokenizer {
  /** Ids of a text; special tokens written in it are recognised, none are added. */
  encode(text: string): number[];
  /**
   * Text of ids, exactly: no space before a full stop is removed, whatever the config says; an id
   * without a token (a padded vocabulary has some) reads as U+FFFD.
   */
  decode(ids: readonly number[], options?: { skipSpecial?: boolean }): string;
  /** Id of one whole token. Throws InputError if the vocabulary lacks it. */
  id(token: string): number;
  has(token: string): boolean;
  /** Number of ids: one more than the largest. */
  vocabSize: number;
  specialIds: ReadonlySet<number>;
}

/** An environment must see what was sampled: "a ." and "a." are different responses. */
const AS_SAMPLED = { clean_up_tokenization_spaces: false };

/** Opens a tokenizer from its two parsed files. Throws InputError if they do not describe one. */
export function readTokenizer(tokenizerJson: unknown, tokenizerConfig: unknown): TextTokenizer {
  const tokens = tokenizerIds(tokenizerJson);
  const tokenizer = open(
    withFlags(tokenizerJson as object, tokenizerConfig, tokens),
    tokenizerConfig,
  );
  const vocab = tokenizer.get_vocab(true);
  const known = new Set(vocab.values());
  const decodeKnown = (ids: number[], skipSpecial: boolean) =>
    ids.length === 0
      ? ""
      : tokenizer.decode(ids, { skip_special_tokens: skipSpecial, ...AS_SAMPLED });
  return {
    encode: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
    decode: (ids, { skipSpecial = false } = {}) =>
      splitAtUnknown(ids, known)
        .map((run) => decodeKnown(run, skipSpecial))
        .join("\ufffd"),
    id: (token) => {
      const id = vocab.get(token);
      if (id === undefined)
        throw new InputError(`tokenizer.json has no token ${JSON.stringify(token)}`);
      return id;
    },
    has: (token) => vocab.has(token),
    vocabSize: [...known].reduce((a, b) => Math.max(a, b), -1) + 1,
    specialIds: new Set(
      [...tokenizer.get_added_tokens_decoder()].filter(([, t]) => t.special).map(([id]) => id),
    ),
  };
}

function open(tokenizerJson: unknown, tokenizerConfig: unknown): Tokenizer {
  try {
    return new Tokenizer(tokenizerJson as object, tokenizerConfig as object);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`tokenizer.json cannot be used: ${reason}`);
  }
}

const FLAGS = ["single_word", "lstrip", "rstrip", "normalized", "special"] as const;

/** Added tokens have the flags of tokenizer_config.json's added_tokens_decoder, if it lists them: as in transformers. */
function withFlags(
  tokenizerJson: object,
  tokenizerConfig: unknown,
  ids: ReadonlyMap<string, number>,
): object {
  const { added_tokens_decoder: listed } = Object(tokenizerConfig) as Record<string, unknown>;
  if (!isRecord(listed)) return tokenizerJson;
  const flags = new Map<unknown, object>();
  for (const [id, entry] of Object.entries(listed)) {
    const { content, ...rest } = Object(entry) as Record<string, unknown>;
    const own = typeof content === "string" ? ids.get(content) : undefined;
    if (own !== Number(id))
      throw new InputError(
        `tokenizer_config.json: added_tokens_decoder gives ${show(content)} the id ${id}; tokenizer.json gives it ${own ?? "none"}`,
      );
    const known = FLAGS.filter((flag) => typeof rest[flag] === "boolean");
    flags.set(content, Object.fromEntries(known.map((flag) => [flag, rest[flag]])));
  }
  const { added_tokens: tokens } = tokenizerJson as { added_tokens: { content: string }[] };
  const merged = tokens.map((token) => ({ ...token, ...flags.get(token.content) }));
  return { ...tokenizerJson, added_tokens: merged };
}

/** Runs of known ids between unknown ones. */
function splitAtUnknown(ids: readonly number[], known: ReadonlySet<number>): number[][] {
  const runs: number[][] = [[]];
  for (const id of ids) {
    if (known.has(id)) runs.at(-1)!.push(id);
    else runs.push([]);
  }
  return runs;
}
