import { describe, expect, it } from "vitest";
import { expert } from "../../src/env/webshop/expert.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { ShopTask } from "../../src/env/webshop/shopTask.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";
import { chatTemplate, chatTemplateSource } from "../../src/text/chatTemplate.ts";
import { tokenRow } from "../../src/text/tokenRow.ts";
import { readTokenizer } from "../../src/text/tokenizer.ts";
import { webshopText } from "../../src/text/webshopText.ts";
import { goldenJson } from "./golden.ts";

const config = goldenJson<object>("small_bpe/tokenizer_config.json");
const tokenizer = readTokenizer(goldenJson("small_bpe/tokenizer.json"), config);
const template = chatTemplate(chatTemplateSource(config));
const catalogue = generateCatalogue(1);
const adapterOf = (context: "full" | "turn", think: boolean) =>
  webshopText({ tokenizer, template, context, think, maxTurns: 9 });
const newTask = () => new ShopTask(new WebShopEnv(catalogue, { maxTurns: 9 }));

describe("webshopText", () => {
  it("opens with rules, the page, what can be done and a primed answer", () => {
    const { observation, info } = newTask().reset(1);
    const text = tokenizer.decode(adapterOf("turn", false).query(observation, info, 0));
    expect(text).toMatch(/^<\|im_start\|>system\nYou are a helpful assistant.<\|im_end\|>\n/);
    expect(text).toContain(`\nTurn 1:\nState:\n${observation}\n`);
    expect(text).toContain("You must choose from these actions: search[<content>].\n");
    expect(text).toContain("You have 9 turns left. Reply only in this form: <answer> your action");
    expect(text).toMatch(/<\|im_end\|>\n<\|im_start\|>assistant\n<answer>$/);
  });

  it.each([
    ["full", true],
    ["full", false],
    ["turn", false],
  ] as const)("plays an expert's trip in %s context, think: %s", (context, think) => {
    const adapter = adapterOf(context, think);
    const task = newTask();
    const policy = expert();
    let { observation, info } = task.reset(4);
    const turns: { queryIds: number[]; responseIds: number[] }[] = [];
    for (let ended = false; !ended;) {
      const action = policy(task.shop);
      const responseIds = adapter.respond([action], info);
      expect(adapter.answer(responseIds, info)).toBe(action);
      const previous = turns.at(-1)?.responseIds;
      turns.push({
        queryIds: adapter.query(observation, info, turns.length, previous),
        responseIds,
      });
      const step = task.step(adapter.answer(responseIds, info));
      ({ observation, info } = step);
      ended = step.terminated;
    }
    expect(info.success).toBe(true);
    const text = tokenizer.decode(tokenRow(turns, context).ids);
    expect(text.split("<|im_start|>system").length - 1).toBe(context === "full" ? 1 : turns.length);
    expect(text.split("<|im_end|>\n<|im_start|>user\nReward:\n0\n").length - 1).toBe(
      context === "full" ? turns.length - 1 : 0,
    );
    expect(text).toContain("click[buy now]</answer><|im_end|>");
  });

  it("takes for an action what is in the answer's tags, in the required form", () => {
    const { info } = newTask().reset(0);
    const sent = (think: boolean, text: string) =>
      adapterOf("turn", think).answer(tokenizer.encode(text), info);
    expect(sent(false, " search[tea] </answer> and more")).toBe("search[tea]");
    expect(sent(true, "tea?</think>\n<answer>search[tea]</answer>")).toBe("search[tea]");
    expect(sent(true, "search[tea]</answer>")).toBe("<think>search[tea]</answer>");
    expect(sent(false, "search[tea]")).toBe("<answer>search[tea]");
  });

  it("names no action that does nothing", () => {
    const task = newTask();
    task.reset(0);
    const { info, observation } = task.step("search[tea]");
    const query = adapterOf("turn", false).query(observation, info, 1);
    const list = /these actions: (.*)\.\n/.exec(tokenizer.decode(query))![1]!;
    for (const action of list.split(", ")) {
      const here = task.snapshot();
      expect(task.step(action).info.valid, action).toBe(true);
      task.restore(here);
    }
  });
});
