import { describe, expect, it } from "vitest";
import { BYTE_LETTERS, learnMerges, mergedTokens } from "../../src/text/bpe.ts";
import { goldenJson } from "./golden.ts";

const newTokens = (texts: string[], merges: number) =>
  mergedTokens(learnMerges(texts, 256 + merges)).slice(256);

// Expected: what the BpeTrainer of tokenizers 0.23.2 learns from the same texts.
describe("learnMerges", () => {
  it("has the byte letters of Hugging Face's tokenizers, in their order", () => {
    const { model } = goldenJson<{ model: { vocab: Record<string, number> } }>(
      "small_bpe/tokenizer.json",
    );
    BYTE_LETTERS.forEach((letter, id) => expect(model.vocab[letter]).toBe(id));
    expect(new Set(BYTE_LETTERS).size).toBe(256);
  });

  // The words of Sennrich, Haddow and Birch.
  it("merges the most frequent pair, and of equals that of the smallest ids", () => {
    const texts = ["low ".repeat(5), "lower ".repeat(2), "newest ".repeat(6), "widest ".repeat(3)];
    expect(newTokens(texts, 10)).toEqual([
      "es",
      "est",
      "lo",
      "low",
      "ew",
      "new",
      "newest",
      "Ġlow",
      "Ġnewest",
      "dest",
    ]);
  });

  it("merges within words only, a run of one letter from its left", () => {
    expect(newTokens(["aaaa b", "aaaa b"], 9)).toEqual(["aa", "Ġb", "aaaa"]);
  });

  it("splits words as Qwen2: digits singly, contractions in either case", () => {
    expect(newTokens(["12 IT'S 12 IT'S"], 9)).toEqual(["'S", "IT", "ĠIT"]);
  });

  it("learns from the NFC form, byte by byte", () => {
    expect(newTokens(["e\u0301"], 9)).toEqual(["Ã©"]);
  });
});
