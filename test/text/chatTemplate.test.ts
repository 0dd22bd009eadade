import { describe, expect, it } from "vitest";
import { InputError } from "../../src/spec/inputError.ts";
import { chatTemplate, chatTemplateSource, type Message } from "../../src/text/chatTemplate.ts";
import { goldenJson } from "./golden.ts";

interface Renderings {
  conversations: Record<string, { messages: Message[]; tools?: unknown[] }>;
  cases: {
    template: string;
    conversation: string;
    add_generation_prompt: boolean;
    rendered: string;
  }[];
}

const config = goldenJson<object>("small_bpe/tokenizer_config.json");
const { conversations, cases } = goldenJson<Renderings>("chat_template_renderings.json");
// The golden folder carries Qwen2.5's template; those of Qwen3 come with its models.
const qwen25 = cases.filter(({ template }) => template === "qwen2_5");

describe("chatTemplate", () => {
  const render = chatTemplate(chatTemplateSource(config));

  it.each(qwen25)("renders $conversation, prompt: $add_generation_prompt", (testCase) => {
    const { messages, tools } = conversations[testCase.conversation]!;
    const options = { addGenerationPrompt: testCase.add_generation_prompt };
    expect(render(messages, tools ? { ...options, tools } : options)).toBe(testCase.rendered);
  });

  it("has cases to render", () => expect(qwen25.length).toBe(10));

  it("passes enable_thinking on only when it is given", () => {
    const source = "{{ 'none' if enable_thinking is not defined else enable_thinking }}";
    const thinking = chatTemplate(source);
    expect([thinking([]), thinking([], { enableThinking: false })]).toEqual(["none", "false"]);
  });

  it("takes the default of several templates", () => {
    const list = [
      { name: "tool_use", template: "a" },
      { name: "default", template: "b" },
    ];
    expect(chatTemplateSource({ chat_template: list })).toBe("b");
  });

  it.each([null, {}, { chat_template: 3 }, { chat_template: [] }, { chat_template: [null] }])(
    "refuses a config without template: %j",
    (bad) => {
      expect(() => chatTemplateSource(bad)).toThrow(InputError);
    },
  );

  it("names a template that does not compile or does not render", () => {
    expect(() => chatTemplate("{% if %}")).toThrow("chat_template cannot be used");
    expect(() => chatTemplate("{{ raise_exception('no system role') }}")([])).toThrow(
      "no system role",
    );
  });
});
