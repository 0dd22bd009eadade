import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SokobanEnv } from "../../src/env/sokoban/sokobanEnv.ts";
import { checkModelFolder } from "../../src/model/checksums.ts";
import { fileText } from "../../src/text/domainVocabulary.ts";
import { ragenGrid } from "../../src/text/ragenGrid.ts";
import { QWEN3_TEMPLATE } from "../../src/text/talkerTemplate.ts";
import { packMerges, unpackMerges } from "../../src/text/talkerMerges.ts";
import {
  TALKER_ADDED,
  TALKER_SIZE,
  talkerTemplate,
  talkerTokenizer,
  talkerTokenizerFiles,
} from "../../src/text/talkerTokenizer.ts";
import { goldenJson } from "./golden.ts";

const folder = resolve(import.meta.dirname, "../../public/models/talker-tokenizer");
const tokenizer = talkerTokenizer();

describe("the talker's tokenizer", () => {
  // `npx vitest run -u` rewrites them, but for the checksums, which `sha256sum *.j*` gives.
  it("is what public/models/talker-tokenizer holds", async () => {
    const { tokenizer: json, config } = talkerTokenizerFiles();
    await expect(fileText(json)).toMatchFileSnapshot(`${folder}/tokenizer.json`);
    await expect(fileText(config)).toMatchFileSnapshot(`${folder}/tokenizer_config.json`);
    await expect(QWEN3_TEMPLATE).toMatchFileSnapshot(`${folder}/chat_template.jinja`);
    const states = await checkModelFolder(readdirSync(folder), async (name) =>
      readFileSync(`${folder}/${name}`),
    );
    expect(states.map(({ state }) => state)).toEqual(["intact", "intact", "intact"]);
  });

  it("normalises and splits as Qwen's", () => {
    interface Parts {
      normalizer: object;
      pre_tokenizer: { pretokenizers: object[] };
    }
    const golden = goldenJson<Parts>("small_bpe/tokenizer.json");
    const own = talkerTokenizerFiles().tokenizer as Parts;
    expect(own.normalizer).toEqual(golden.normalizer);
    expect(own.pre_tokenizer.pretokenizers[0]).toEqual(golden.pre_tokenizer.pretokenizers[0]);
  });

  it("has 1,024 tokens, each of its own, the added ones last", () => {
    expect(tokenizer.vocabSize).toBe(TALKER_SIZE);
    const texts = Array.from({ length: TALKER_SIZE }, (_, id) => tokenizer.decode([id]));
    expect(texts.slice(-7)).toEqual(TALKER_ADDED);
    TALKER_ADDED.forEach((token, i) => expect(tokenizer.encode(token)).toEqual([1017 + i]));
    expect([...tokenizer.specialIds]).toEqual([1017, 1018, 1019]);
  });

  it("stores merges as two base-36 digits an id", () => {
    const merges = [
      [0, 35],
      [36, 1295],
    ] as const;
    expect(packMerges(merges)).toBe("000z10zz");
    expect(unpackMerges("000z10zz")).toEqual(merges);
  });

  it("has a token for every cell, action and word of a game", () => {
    const limits = { maxActions: 10, maxActionsPerTurn: 5 };
    const style = { tokenizer, template: talkerTemplate(), context: "full", think: true } as const;
    const { observation, info } = new SokobanEnv().reset(1);
    const query = ragenGrid({ ...style, ...limits }).query(observation, info, 1);
    expect(tokenizer.decode(query)).toContain("Reward:");
    const words = query.map((id) => tokenizer.decode([id]));
    expect(words.filter((word) => /^ ?[#_OX√PS]\n?$/.test(word)).length).toBe(36);
  });
});

interface Encoding {
  text: string;
  ids: number[];
  decoded?: string;
  decoded_skip_special?: string;
}

// The golden ids are those of the frozen vocabulary: models are lost if they change.
it.each(goldenJson<{ encodings: Encoding[] }>("talker_encodings.json").encodings)(
  "encodes and decodes $text as Python's tokenizers 0.23.2",
  ({ text, ids, decoded = text, decoded_skip_special = decoded }) => {
    expect(tokenizer.encode(text)).toEqual(ids);
    expect(tokenizer.decode(ids)).toBe(decoded);
    expect(tokenizer.decode(ids, { skipSpecial: true })).toBe(decoded_skip_special);
  },
);

/** What Qwen's normaliser makes of a text; added tokens are cut out before. */
function normalised(text: string): string {
  const parts = text.split(
    new RegExp(`(${TALKER_ADDED.join("|").replaceAll("<|", "<\\|").replaceAll("|>", "\\|>")})`),
  );
  return Buffer.from(parts.map((part) => part.normalize("NFC")).join("")).toString();
}

describe("decoding", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    // Single code units: surrogates without their other half.
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom(...TALKER_ADDED),
    fc.constantFrom("\r\n", " .", " , n't", "  ", "\t", "\0", "\u007f", "\ufeff", "\u0085"),
    fc.constantFrom("é", "e\u0301", "각", "\u1100\u1161\u11a8", "\u212b", "你好", "👩‍👩‍👧", "🇩🇪", "√"),
    fc.constantFrom("Up || Left", "# # P _ X", "You have 10 actions", "it's IT'S"),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

  it("gives back the NFC form of any text, surrogates without their half as U+FFFD", () => {
    fc.assert(
      fc.property(text, (text) => {
        const ids = tokenizer.encode(text);
        expect(ids.every((id) => id >= 0 && id < TALKER_SIZE)).toBe(true);
        expect(tokenizer.decode(ids)).toBe(normalised(text));
      }),
      { numRuns: 1000, seed: 33 },
    );
  });

  it.each([
    ["e\u0301 a .\r\n", "é a .\r\n"],
    ["\ud83d\ude00 \ud83d \ude00", "😀 \ufffd \ufffd"],
    // A sign that would join the bracket of an added token stays beside it, as in Hugging Face's.
    ["<think>\u0338", "<think>\u0338"],
    [">\u0338", "≯"],
  ])("of %j is %j", (text, decoded) => {
    expect(tokenizer.decode(tokenizer.encode(text))).toBe(decoded);
  });

  it("recognises added tokens in a text, and marks ids beyond the vocabulary", () => {
    const [end, think] = [tokenizer.id("<|im_end|>"), tokenizer.id("<think>")];
    expect(tokenizer.encode("a<think>b<|im_end|>")).toEqual([
      ...tokenizer.encode("a"),
      think,
      ...tokenizer.encode("b"),
      end,
    ]);
    expect(tokenizer.decode([end, TALKER_SIZE, -1, think])).toBe("<|im_end|>\ufffd\ufffd<think>");
  });
});
