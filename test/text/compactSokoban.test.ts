import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SokobanEnv } from "../../src/env/sokoban/sokobanEnv.ts";
import { parseBoard } from "../../src/env/sokoban/board.ts";
import { compactSokoban } from "../../src/text/sokobanPrompts.ts";
import {
  fileText,
  numberTokens,
  SOKOBAN_TOKENS,
  sokobanTokenizer,
  sokobanTokenizerFiles,
} from "../../src/text/domainVocabulary.ts";
import { readTokenizer } from "../../src/text/tokenizer.ts";

const folder = resolve(import.meta.dirname, "../../public/models/sokoban-tokenizer");
const stored = (name: string) => readFileSync(`${folder}/${name}`, "utf8");

describe("the Sokoban vocabulary", () => {
  const tokenizer = sokobanTokenizer();

  // `npx vitest run -u` rewrites them.
  it("is what public/models/sokoban-tokenizer holds", async () => {
    const { tokenizer: json, config } = sokobanTokenizerFiles();
    await expect(fileText(json)).toMatchFileSnapshot(`${folder}/tokenizer.json`);
    await expect(fileText(config)).toMatchFileSnapshot(`${folder}/tokenizer_config.json`);
  });

  it("has fewer than 64 tokens, each of which encodes to itself", () => {
    expect(tokenizer.vocabSize).toBe(SOKOBAN_TOKENS.length);
    expect(tokenizer.vocabSize).toBeLessThan(64);
    SOKOBAN_TOKENS.forEach((token, id) => {
      expect(tokenizer.encode(token)).toEqual([id]);
      expect(tokenizer.decode([id])).toBe(token);
    });
  });

  it("encodes as Python's tokenizers 0.23.2 does from the same file", () => {
    const { encode, decode } = readTokenizer(
      JSON.parse(stored("tokenizer.json")),
      JSON.parse(stored("tokenizer_config.json")),
    );
    const text = "####_O√XPS\n<t5><a10><|sep|>Up||LeftDown<|im_end|>hey<t99>";
    const board = [10, 10, 10, 10, 11, 12, 13, 14, 15, 16, 17];
    const unknown = new Array<number>(8).fill(5);
    expect(encode(text)).toEqual([...board, 28, 49, 4, 18, 22, 20, 19, 3, ...unknown]);
    expect(decode([23, 24, 0, 3, 5, 18, 22])).toBe("<t0><t1><|pad|><|im_end|><|unk|>Up||");
  });

  it.each([
    ["t", 0, "<t0>"],
    ["t", 15, "<t15>"],
    ["t", 16, "<t15><t1>"],
    ["t", 30, "<t15><t15>"],
    ["a", 10, "<a10>"],
    ["a", 47, "<a20><a20><a7>"],
  ] as const)("writes %s %i as %s", (letter, n, text) => {
    expect(numberTokens(letter, n)).toBe(text);
  });
});

describe("compactSokoban", () => {
  const tokenizer = sokobanTokenizer();
  const adapter = compactSokoban({ context: "turn" });
  const level = parseBoard("######\n#P___#\n#_X__#\n#__O_#\n#____#\n######");
  const ids = (text: string) => tokenizer.encode(text);

  it("asks with a token per cell, the budgets and the state-end", () => {
    const env = new SokobanEnv({ level });
    const { observation, info } = env.reset(0);
    const query = adapter.query(observation, info, 0);
    expect(query.length).toBe(39);
    expect(tokenizer.decode(query)).toBe("#######P___##_X__##__O_##____#######<t5><a10><|sep|>");
  });

  it("answers in the environment's format and back", () => {
    const response = adapter.respond(["Right", "Down"]);
    expect(tokenizer.decode(response)).toBe("Right||Down<|im_end|>");
    expect(adapter.answer(response)).toBe("<answer>Right||Down</answer>");
    expect(adapter.answer(response.slice(0, -1))).toBe("<answer>Right||Down</answer>");
    expect(adapter.display(response)).toBe("Right || Down");
    expect(response.map(adapter.tokenText)).toEqual(["Right", "||", "Down", "<|im_end|>"]);
    expect(adapter.stopIds).toEqual(ids("<|im_end|>"));
  });

  it.each([
    ["Right||Down<|im_end|>", ["Right", "Down"], 0],
    ["Right||Down", ["Right", "Down"], 0],
    ["||Right||<|im_end|>", ["Right"], 0],
    ["Right Down<|im_end|>", [], -0.1],
    ["RightDown<|im_end|>", [], -0.1],
    ["<|im_end|>", [], -0.1],
    ["Right||#<|im_end|>", ["Right"], -0.1],
    ["<think></think><answer>Right</answer>Down<|im_end|>", ["Right"], 0],
    ["Right<|pad|><|im_end|>", [], -0.1],
  ])("is judged by the environment's own rules: %s", (text, actions, penalty) => {
    const env = new SokobanEnv({ level });
    env.reset(0);
    const { info } = env.step(adapter.answer(ids(text)));
    expect(info).toMatchObject({ actions, formatPenalty: penalty });
  });

  describe("with a think block", () => {
    const thinking = compactSokoban({ context: "turn", think: true });
    const plan = ["Right", "Right", "Down", "Down", "Left", "Up", "Up", "Left"];

    it("asks with the block's opening tag at the end", () => {
      const { observation, info } = new SokobanEnv({ level, think: true }).reset(0);
      expect(tokenizer.decode(thinking.query(observation, info, 0))).toMatch(/<\|sep\|><think>$/);
    });

    it("names six moves of the plan, and plays the first of them", () => {
      const response = thinking.planned(plan, 2);
      expect(tokenizer.decode(response)).toBe(
        "RightRightDownDownLeftUp</think>Right||Right<|im_end|>",
      );
      expect(thinking.answer(response)).toBe(
        "<think>Right Right Down Down Left Up</think><answer>Right||Right</answer>",
      );
      expect(thinking.display(response)).toBe(
        "<think> Right Right Down Down Left Up </think> Right || Right",
      );
    });

    it.each([
      ["Up</think>Right||Down<|im_end|>", ["Right", "Down"], 0],
      ["</think>Right<|im_end|>", ["Right"], 0],
      ["UpUpUpUpUp", [], -0.1],
      ["Up</think>", [], -0.1],
      ["Right<|im_end|>", [], -0.1],
    ])("is judged by the environment's own rules: %s", (text, actions, penalty) => {
      const env = new SokobanEnv({ level, think: true });
      env.reset(0);
      const { info } = env.step(thinking.answer(ids(text)));
      expect(info).toMatchObject({ actions, formatPenalty: penalty });
    });
  });

  it("closes a response that was cut off, in full context only", () => {
    const view = { turnsLeft: 4, actionsLeft: 9, envReward: 0, formatPenalty: 0 };
    const board = "###\n#P#\n###";
    const full = compactSokoban({ context: "full" });
    const [plain, cut, whole] = [undefined, ids("Up"), ids("Up<|im_end|>")].map((previous) =>
      full.query(board, view, 1, previous),
    );
    expect(cut).toEqual([...ids("<|im_end|>"), ...plain!]);
    expect(whole).toEqual(plain);
    expect(adapter.query(board, view, 1, ids("Up"))).toEqual(plain);
  });

  it("turns any sampled ids into a text the environment takes", () => {
    fc.assert(
      // Models have 64 rows of logits, so ids without a token do occur.
      fc.property(fc.array(fc.nat(63), { maxLength: 12 }), (sampled) => {
        const env = new SokobanEnv({ level });
        env.reset(0);
        expect(Number.isFinite(env.step(adapter.answer(sampled)).reward)).toBe(true);
      }),
    );
  });
});
