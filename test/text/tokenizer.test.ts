import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/numeric/inputError.ts";
import { readTokenizer } from "../../src/text/tokenizer.ts";
import { goldenJson } from "./golden.ts";

interface Encoding {
  text: string;
  ids: number[];
  /** Where it differs from the text. */
  decoded?: string;
  decoded_skip_special?: string;
}

const { encodings } = goldenJson<{ encodings: Encoding[] }>("small_bpe_encodings.json");
const config = goldenJson<object>("small_bpe/tokenizer_config.json");
const json = goldenJson<{ model: { vocab: object }; added_tokens: object[] }>(
  "small_bpe/tokenizer.json",
);

describe.each(["tokenizer.json", "tokenizer.string_merges.json"])("small BPE from %s", (file) => {
  const tokenizer = readTokenizer(goldenJson(`small_bpe/${file}`), config);

  it.each(encodings)(
    "encodes and decodes $text",
    ({ text, ids, decoded, decoded_skip_special }) => {
      expect(tokenizer.encode(text)).toEqual(ids);
      expect(tokenizer.decode(ids)).toBe(decoded ?? text);
      const skipped = decoded_skip_special ?? decoded ?? text;
      expect(tokenizer.decode(ids, { skipSpecial: true })).toBe(skipped);
    },
  );
});

interface Reference {
  tokenizer: { added_tokens: { content: string; id: number }[] };
  /** Text, ids, decoded, each id decoded. */
  texts: [string, number[], string, string[]][];
}

describe("decoding gives back what was sampled", () => {
  const { tokenizer: json, texts } = goldenJson<Reference>("byte_level_decoding.json");

  it.each([{}, { clean_up_tokenization_spaces: true }, { clean_up_tokenization_spaces: false }])(
    "whatever the config says: %j",
    (more) => {
      const tokenizer = readTokenizer(json, { tokenizer_class: "Qwen2Tokenizer", ...more });
      expect(texts.length).toBe(33);
      for (const [text, ids, decoded, one] of texts) {
        expect(tokenizer.encode(text)).toEqual(ids);
        expect(tokenizer.decode(ids)).toBe(decoded);
        expect(ids.map((id) => tokenizer.decode([id]))).toEqual(one);
      }
    },
  );

  it("has flags of added tokens from the config, as transformers", () => {
    const { content, id } = json.added_tokens.find((token) => token.content === "<think>")!;
    const flags = { content, special: true };
    const config = { added_tokens_decoder: { [id]: flags } };
    expect(readTokenizer(json, {}).specialIds.has(id)).toBe(false);
    expect(readTokenizer(json, config).specialIds.has(id)).toBe(true);
  });
});

describe("readTokenizer", () => {
  const tokenizer = readTokenizer(json, config);

  it("knows its size, its special tokens and single tokens", () => {
    expect(tokenizer.vocabSize).toBe(1507);
    expect([...tokenizer.specialIds]).toEqual([1500, 1501, 1502]);
    expect(tokenizer.id("<|im_end|>")).toBe(1502);
    expect([tokenizer.has("<think>"), tokenizer.has("<tink>")]).toEqual([true, false]);
    expect(() => tokenizer.id("<tink>")).toThrow(InputError);
  });

  it("decodes nothing to nothing and ids without a token to a replacement character", () => {
    expect(tokenizer.decode([])).toBe("");
    expect(tokenizer.decode([39, 9999, 389])).toBe(
      `${tokenizer.decode([39])}\ufffd${tokenizer.decode([389])}`,
    );
  });

  it.each([
    [null, "no model.vocab"],
    [{}, "no model.vocab"],
    [{ ...json, model: { vocab: [] } }, "no model.vocab"],
    [{ ...json, added_tokens: undefined }, "no added_tokens"],
    [{ ...json, model: { ...json.model, vocab: { a: "b" } } }, 'gives "a" the id b'],
    [{ ...json, model: { ...json.model, vocab: { a: 1e12 } } }, "the id 1000000000000"],
    [{ ...json, added_tokens: [null] }, "the id undefined"],
    [
      { ...json, added_tokens: [...json.added_tokens, { content: "<|im_end|>", id: 7 }] },
      'gives "<|im_end|>" the ids 1502 and 7',
    ],
    [
      { ...json, added_tokens: [...json.added_tokens, { content: "<|mine|>", id: 1502 }] },
      'gives the id 1502 to "<|im_end|>" and "<|mine|>"',
    ],
    [{ ...json, decoder: undefined }, "cannot be used"],
    [{ ...json, pre_tokenizer: { type: "Odd" } }, "cannot be used"],
  ])("refuses a file that is not a tokenizer (%#)", (broken, message) => {
    expect(() => readTokenizer(broken, config)).toThrow(InputError);
    expect(() => readTokenizer(broken, config)).toThrow(message);
  });

  it.each([
    ["<|im_end|>", 7, "the id 7; tokenizer.json gives it 1502"],
    ["<|mine|>", 7, "the id 7; tokenizer.json gives it none"],
  ])("refuses a config that gives %s the id %i", (content, id, words) => {
    const contradicting = { ...config, added_tokens_decoder: { [id]: { content } } };
    expect(() => readTokenizer(json, contradicting)).toThrow(words);
  });

  it("refuses a config that is none", () => {
    expect(() => readTokenizer(json, null)).toThrow(InputError);
  });

  it("never fails but with an InputError on files with any one part replaced", () => {
    const parts = [
      "model",
      "added_tokens",
      "decoder",
      "pre_tokenizer",
      "normalizer",
      "post_processor",
    ];
    const modelParts = ["type", "vocab", "merges", "unk_token", "byte_fallback"];
    const path = fc.constantFrom(...parts.map((p) => [p]), ...modelParts.map((p) => ["model", p]));
    let refused = 0;
    fc.assert(
      fc.property(path, fc.anything({ maxDepth: 3 }), ([part, inner], value) => {
        const broken = inner
          ? { ...json, model: { ...json.model, [inner]: value } }
          : { ...json, [part!]: value };
        try {
          readTokenizer(broken, config);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          refused++;
        }
      }),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(50);
  });
});
