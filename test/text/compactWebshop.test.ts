import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expert } from "../../src/env/webshop/expert.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { ShopTask, type ShopTaskInfo } from "../../src/env/webshop/shopTask.ts";
import { WebShopEnv } from "../../src/env/webshop/webshopEnv.ts";
import { compactWebshop, MAX_QUERY_TOKENS } from "../../src/text/compactWebshop.ts";
import { fileText } from "../../src/text/domainVocabulary.ts";
import {
  priceToken,
  WEBSHOP_TOKENS,
  webshopTokenizer,
  webshopTokenizerFiles,
} from "../../src/text/webshopVocabulary.ts";

const folder = `${import.meta.dirname}/../../public/models/webshop-tokenizer`;
const tokenizer = webshopTokenizer();
const catalogue = generateCatalogue(1);
const newTask = (maxTurns = 8) => new ShopTask(new WebShopEnv(catalogue, { maxTurns }));
const read = (ids: readonly number[]) => ids.map((id) => tokenizer.decode([id])).join(" ");
const write = (text: string) => text.split(" ").map((token) => tokenizer.id(token));

describe("the WebShop vocabulary", () => {
  // `npx vitest run -u` rewrites them.
  it("is what public/models/webshop-tokenizer holds", async () => {
    const { tokenizer: json, config } = webshopTokenizerFiles();
    await expect(fileText(json)).toMatchFileSnapshot(`${folder}/tokenizer.json`);
    await expect(fileText(config)).toMatchFileSnapshot(`${folder}/tokenizer_config.json`);
  });

  it("has a few hundred tokens, each of which encodes to itself", () => {
    expect(WEBSHOP_TOKENS.length).toBeGreaterThan(300);
    expect(WEBSHOP_TOKENS.length).toBeLessThanOrEqual(448);
    expect(tokenizer.vocabSize).toBe(WEBSHOP_TOKENS.length);
    WEBSHOP_TOKENS.forEach((token, id) => {
      expect(tokenizer.encode(token)).toEqual([id]);
      expect(tokenizer.decode([id])).toBe(token);
    });
    expect(tokenizer.encode("cotton <1> [buy]<|im_end|>")).toEqual(
      write("cotton <1> [buy] <|im_end|>"),
    );
    expect(tokenizer.decode(write("click [buy] <|im_end|>"))).toBe("click [buy] <|im_end|>");
  });

  it.each([1, 2, 77])("knows every word of the shop of seed %i", (seed) => {
    const known = new Set(WEBSHOP_TOKENS);
    const { products } = generateCatalogue(seed);
    const texts = products.flatMap(({ title, description, features, reviews, options }) => [
      ...[title, description, ...features],
      ...reviews.flatMap((review) => [review.title, review.body]),
      ...options.flatMap(({ name, values }) => [name, ...values]),
    ]);
    const words = new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu)!));
    expect([...words].filter((word) => !known.has(word))).toEqual([]);
  });

  it("writes prices by tens", () => {
    expect([0, 9.99, 10, 39.95, 40, 199, 200, 1e6].map(priceToken)).toEqual([
      ...["<$0>", "<$0>", "<$10>", "<$30>", "<$40>", "<$190>", "<$200>", "<$200>"],
    ]);
  });
});

/** Plays the expert through the adapter, checking each turn on the way. */
function playExpert(
  task: ShopTask,
  goal: number,
  adapter: ReturnType<typeof compactWebshop>,
  check: (query: number[], response: number[], info: ShopTaskInfo, action: string) => void,
) {
  const policy = expert();
  let { info } = task.reset(goal);
  for (let turn = 0; ; turn++) {
    const action = policy(task.shop);
    const query = adapter.query("", info, turn);
    const response = adapter.respond([action], info);
    check(query, response, info, action);
    const step = task.step(adapter.answer(response, info));
    if (step.terminated || step.truncated) return step;
    info = step.info;
  }
}

describe.each([false, true])("compactWebshop, think: %s", (think) => {
  const adapter = compactWebshop({ context: "turn", think });

  it("says the expert's actions so that the shop understands them, in short queries", () => {
    const unknown = tokenizer.id("<|unk|>");
    for (let goal = 0; goal < 300; goal += 3) {
      const last = playExpert(newTask(), goal, adapter, (query, response, info, action) => {
        expect(adapter.answer(response, info)).toBe(action);
        expect(query.length).toBeLessThanOrEqual(MAX_QUERY_TOKENS);
        expect(query).not.toContain(unknown);
        expect(response.length).toBeLessThanOrEqual(think ? 20 : 12);
        expect(response.at(-1)).toBe(adapter.stopIds[0]);
      });
      expect(last.info.success, `goal ${goal}`).toBe(true);
    }
  });

  it("takes any tokens as a response", () => {
    const ids = fc.array(fc.nat({ max: WEBSHOP_TOKENS.length + 5 }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 8 }), (responses) => {
        const task = newTask();
        let { info } = task.reset(3);
        for (const [turn, response] of responses.entries()) {
          const step = task.step(adapter.answer(response, info));
          info = step.info;
          const query = adapter.query("", info, turn + 1, response);
          expect(query.length).toBeLessThanOrEqual(MAX_QUERY_TOKENS + 1);
          expect(adapter.display(response)).toBeTypeOf("string");
          if (step.terminated || step.truncated) break;
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("a compact page", () => {
  const adapter = compactWebshop({ context: "turn" });
  const goal = catalogue.goals.findIndex(
    ({ query, options }) => query === "herbal tea" && Object.keys(options).join() === "flavor,pack",
  );
  const { attributes, options } = catalogue.goals[goal]!;
  const { flavor, pack } = options as Record<string, string>;
  const wanted = `${attributes.join(" ")} herbal tea flavor ${flavor} pack ${pack} <$`;

  it("always shows what is wanted, the page and the turns left", () => {
    const task = newTask();
    const { info } = task.reset(goal);
    expect(read(adapter.query("", info, 0))).toMatch(/ <\$\d+> <search> <t8> <\|sep\|>$/);
    const found = task.step("search[herbal tea]").info;
    const results = read(adapter.query("", found, 1));
    expect(results.startsWith(wanted)).toBe(true);
    expect(results).toMatch(/ <results> <p1> <1> .* herbal tea <\$\d+> .*<10> .* <t7> <\|sep\|>$/);
    expect(adapter.answer(write("click <3> <|im_end|>"), found)).toBe(
      `click[${found.available!.clickables[4]}]`,
    );
    const next = task.step("click[next >]").info;
    expect(read(adapter.query("", next, 2))).toContain("<results> <p2> <1>");
  });

  it("marks chosen options and opened products, which WebShop's plain text does not", () => {
    const task = newTask(9);
    task.reset(goal);
    const { info } = task.step(expert()(task.shop));
    const opened = task.step(adapter.answer(write("click <1>"), info)).info;
    expect(read(adapter.query("", opened, 2))).not.toContain("*");
    const chosen = task.step(`click[${flavor}]`).info;
    expect(read(adapter.query("", chosen, 3))).toContain(` ${flavor} * `);
    expect(read(adapter.query("", task.step("click[features]").info, 4))).toMatch(
      /<section> made for slow mornings .* <t5>/,
    );
    task.step("click[< prev]");
    const back = task.step("click[< prev]").info;
    expect(read(adapter.query("", back, 6))).toContain("<p1> <1> * ");
  });

  it("closes a response that was cut off, in full context only", () => {
    const full = compactWebshop({ context: "full" });
    const { info } = newTask().reset(goal);
    const cut = write("search herbal");
    expect(read(full.query("", info, 1, cut))).toContain(`<|im_end|> ${wanted}`);
    const [closed, alone] = [
      full.query("", info, 1, write("search <|im_end|>")),
      adapter.query("", info, 1, cut),
    ];
    for (const query of [closed, alone]) expect(read(query).startsWith(wanted)).toBe(true);
  });

  it.each([
    ["search herbal tea", "search[herbal tea]"],
    ["search", "search[]"],
    ["click [buy]", "click[buy now]"],
    ["click [next]", "click[next >]"],
    ["click ginger", "click[ginger]"],
    ["click <9>", "click[<9>]"],
    ["herbal tea", "herbal tea"],
  ])("sends %s as %s", (response, sent) => {
    const { info } = newTask().reset(goal);
    expect(adapter.answer(write(response), info)).toBe(sent);
  });

  it("with a think block takes as the action what comes after it, and nothing without its end", () => {
    const thinking = compactWebshop({ context: "turn", think: true });
    const { info } = newTask().reset(goal);
    const answer = (text: string) => thinking.answer(write(text), info);
    expect(read(thinking.query("", info, 0))).toMatch(/<\|sep\|> <think>$/);
    expect(answer("cotton </think> click [buy] <|im_end|>")).toBe("click[buy now]");
    expect(answer("click [buy] <|im_end|>")).toBe("click [buy]");
    expect(thinking.display(write("cotton </think> click [buy]"))).toBe(
      "<think> cotton </think> click [buy]",
    );
  });
});
