import { describe, expect, it, test } from "vitest";
import { InputError } from "../../src/numeric/inputError.ts";
import { parseBoard } from "../../src/env/sokoban/board.ts";
import { SokobanEnv } from "../../src/env/sokoban/sokobanEnv.ts";
import { chatTemplate, chatTemplateSource } from "../../src/text/chatTemplate.ts";
import { ragenGrid } from "../../src/text/ragenGrid.ts";
import { tokenRow } from "../../src/text/tokenRow.ts";
import { readTokenizer } from "../../src/text/tokenizer.ts";
import { goldenJson } from "./golden.ts";

const config = goldenJson<object>("small_bpe/tokenizer_config.json");
const tokenizer = readTokenizer(goldenJson("small_bpe/tokenizer.json"), config);
const template = chatTemplate(chatTemplateSource(config));
const level = parseBoard("######\n#P___#\n#_X__#\n#__O_#\n#____#\n######");
const limits = { maxActions: 10, maxActionsPerTurn: 5 };
const adapterOf = (context: "full" | "turn", think: boolean) =>
  ragenGrid({ tokenizer, template, context, think, ...limits });

describe("ragenGrid", () => {
  it("opens with rules, the spaced grid and a primed answer", () => {
    const env = new SokobanEnv({ level });
    const { observation, info } = env.reset(0);
    const query = adapterOf("turn", false).query(observation, info, 0);
    const text = tokenizer.decode(query);
    expect(text).toMatch(
      /^<\|im_start\|>system\nYou are a helpful assistant.<\|im_end\|>\n<\|im_start\|>user\n/,
    );
    expect(text).toContain("\nTurn 1:\nState:\n# # # # # #\n# P _ _ _ #\n# _ X _ _ #\n");
    expect(text).toContain("10 actions and 5 turns left");
    expect(text).toMatch(/<\|im_end\|>\n<\|im_start\|>assistant\n<answer>$/);
  });

  it.each([true, false])("plays an expert's episode in full context, think: %s", (think) => {
    const env = new SokobanEnv({ level, think });
    const adapter = adapterOf("full", think);
    let { observation, info } = env.reset(0);
    const turns: { queryIds: number[]; responseIds: number[] }[] = [];
    let solved = false;
    for (const actions of [
      ["Right", "Down"],
      ["Left", "Down", "Right"],
    ]) {
      const responseIds = adapter.respond(actions);
      const queryIds = adapter.query(observation, info, turns.length, turns.at(-1)?.responseIds);
      const step = env.step(adapter.answer(responseIds));
      ({ observation, info } = step);
      expect(info).toMatchObject({ actions, formatPenalty: 0 });
      solved = step.terminated;
      turns.push({ queryIds, responseIds });
    }
    expect(solved).toBe(true);
    const conversation = tokenizer.decode(tokenRow(turns, "full").ids);
    const open = think ? "<think></think><answer>" : "<answer>";
    expect(conversation).toContain(
      `assistant\n${open}Right || Down</answer><|im_end|>\n<|im_start|>user\nReward:\n-0.2\n\nTurn 2:\nState:\n`,
    );
    expect(conversation.match(/<\|im_end\|>/g)!.length).toBe(5);
    expect(conversation.match(/You play Sokoban/g)!.length).toBe(1);
  });

  it("closes a response that was cut off before the next message", () => {
    const view = { turnsLeft: 4, actionsLeft: 9, envReward: -0.1, formatPenalty: -0.1 };
    const adapter = adapterOf("full", false);
    const following = (previous: string) =>
      tokenizer.decode(adapter.query("###\n#P#\n###", view, 1, tokenizer.encode(previous)));
    const rest = "\n<|im_start|>user\nReward:\n-0.2\n";
    expect(following("Up</answer><|im_end|>").startsWith(rest)).toBe(true);
    expect(following("Up || Up").startsWith(`<|im_end|>${rest}`)).toBe(true);
    expect(following("Up<|endoftext|>").startsWith(`<|im_end|>${rest}`)).toBe(true);
  });

  it("repeats the rules in every query of turn context, without history", () => {
    const view = { turnsLeft: 4, actionsLeft: 9, envReward: -0.1, formatPenalty: 0 };
    const text = tokenizer.decode(adapterOf("turn", true).query("###\n#P#\n###", view, 1));
    expect(text).toContain("You play Sokoban");
    expect(text).not.toContain("Reward:");
    expect(text).toMatch(/<\|im_start\|>assistant\n<think>$/);
  });

  it("says so when a template is not of Qwen's kind", () => {
    const view = { turnsLeft: 4, actionsLeft: 9, envReward: 0, formatPenalty: 0 };
    const plain = chatTemplate("{% for m in messages %}{{ m.content }}\n{% endfor %}");
    const options = {
      tokenizer,
      template: plain,
      context: "full",
      think: false,
      ...limits,
    } as const;
    expect(() => ragenGrid(options).query("###", view, 1)).toThrow("chat_template does not end");
  });
});

test("a tokenizer that cannot end a turn is refused at once", () => {
  const { id, has, ...rest } = tokenizer;
  const lacking = {
    ...rest,
    has: (token: string) => token !== "<|im_end|>" && has(token),
    id: (token: string) => {
      if (token === "<|im_end|>") throw new InputError("tokenizer.json has no such token");
      return id(token);
    },
  };
  const options = {
    tokenizer: lacking,
    template,
    context: "full",
    think: false,
    ...limits,
  } as const;
  expect(() => ragenGrid(options)).toThrow(InputError);
});

describe("ragenGrid with coordinates", () => {
  const view = { turnsLeft: 4, actionsLeft: 9, envReward: -0.1, formatPenalty: 0 };
  const textOf = (options: object, board: string, turn = 0, ...before: (number[] | undefined)[]) =>
    tokenizer.decode(
      ragenGrid({
        ...{ tokenizer, template, context: "full", think: true, coordinates: true },
        ...limits,
        ...options,
      }).query(board, view, turn, ...before),
    );

  it("lists cells by symbol, then the grid; symbols that are not there have no line", () => {
    const lines = ["Targets: (1, 1), (2, 2)", "Boxes: (1, 2)", "Player: (2, 1)", "Grid map:"];
    expect(textOf({}, "####\n#OX#\n#PO#\n####")).toContain(
      `\nState:\nCoordinates:\n${lines.join("\n")}\n# # # #\n# O X #\n`,
    );
    expect(textOf({}, "####\n#√_#\n#S_#\n####")).toContain(
      "Boxes on target: (1, 1)\nPlayer on target: (2, 1)\n",
    );
  });

  it("says how long a response may be", () => {
    const text = textOf({ lengthAdvice: "Be brief." }, "###\n#P#\n###");
    expect(text).toContain("</answer> Be brief.<|im_end|>");
  });

  it("repeats the chat without thoughts in turn context, as the template does", () => {
    const options = { context: "turn", withHistory: true };
    const adapter = ragenGrid({
      ...{ tokenizer, template, think: true, coordinates: true, ...limits },
      ...{ context: "turn", withHistory: true },
    });
    const first = adapter.query("###\n#P#\n###", view, 0);
    const response = adapter.respond(["Up"], undefined, "I think.");
    const text = textOf(options, "###\n#P#\n###", 1, response, first);
    expect(text).toContain("assistant\n<answer>Up</answer><|im_end|>\n<|im_start|>user\nReward:");
    expect(text).not.toContain("I think.");
    expect(text.match(/You play Sokoban/g)!.length).toBe(1);
    const cut = tokenizer.encode("I never close");
    const open = textOf(options, "###\n#P#\n###", 1, cut, first);
    expect(open).toContain("assistant\n<think>I never close<|im_end|>\n");
    expect(() => textOf(options, "###\n#P#\n###", 1)).toThrow("turn 1 has a history");
  });
});
