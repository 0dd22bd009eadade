import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../src/spec/inputError.ts";
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
const json = goldenJson<{ model: { vocab: object } }>("small_bpe/tokenizer.json");

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
    [{ ...json, decoder: undefined }, "cannot be used"],
    [{ ...json, pre_tokenizer: { type: "Odd" } }, "cannot be used"],
  ])("refuses a file that is no tokenizer (%#)", (broken, message) => {
    expect(() => readTokenizer(broken, config)).toThrow(InputError);
    expect(() => readTokenizer(broken, config)).toThrow(message);
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
