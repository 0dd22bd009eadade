import { describe, expect, it } from "vitest";
import { InputError } from "../../src/numeric/inputError.ts";
import { chatTemplate, chatTemplateSource, type Message } from "../../src/text/chatTemplate.ts";
import { QWEN3_TEMPLATE } from "../../src/text/talkerTemplate.ts";
import { goldenJson } from "./golden.ts";

interface Renderings {
  conversations: Record<string, { messages: Message[]; tools?: unknown[] }>;
  cases: {
    template: string;
    conversation: string;
    add_generation_prompt: boolean;
    enable_thinking?: boolean;
    rendered: string;
  }[];
}

const config = goldenJson<object>("small_bpe/tokenizer_config.json");
const { conversations, cases } = goldenJson<Renderings>("chat_template_renderings.json");
// Each as transformers rendered it from Qwen's own template.
const templates = {
  qwen2_5: chatTemplate(chatTemplateSource(config)),
  qwen3: chatTemplate(QWEN3_TEMPLATE),
};

describe("chatTemplate", () => {
  describe.each(Object.entries(templates))("%s", (name, render) => {
    const own = cases.filter(({ template }) => template === name);

    it.each(own)(
      "renders $conversation, prompt: $add_generation_prompt, thinking: $enable_thinking",
      (testCase) => {
        const { messages, tools } = conversations[testCase.conversation]!;
        const { add_generation_prompt: addGenerationPrompt, enable_thinking } = testCase;
        const thinking = enable_thinking === undefined ? {} : { enableThinking: enable_thinking };
        const options = { addGenerationPrompt, ...thinking, ...(tools ? { tools } : {}) };
        expect(render(messages, options)).toBe(testCase.rendered);
      },
    );

    it("has cases to render", () => expect(own.length).toBe(name === "qwen3" ? 30 : 10));
  });

  it("passes enable_thinking on only when it is given", () => {
    const source = "{{ 'none' if enable_thinking is not defined else enable_thinking }}";
    const thinking = chatTemplate(source);
    expect([thinking([]), thinking([], { enableThinking: false })]).toEqual(["none", "false"]);
  });

  describe("special tokens", () => {
    const source =
      "{{ bos_token }}{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}";
    const hi: Message[] = [{ role: "user", content: "Hi" }];

    it("are those of tokenizer_config.json, plain or as an object; null is none", () => {
      const plain = chatTemplate(source, { bos_token: null, eos_token: "<|im_end|>" });
      expect(plain(hi)).toBe("Hi<|im_end|>");
      const object = chatTemplate(source, { bos_token: "<s>", eos_token: { content: "</s>" } });
      expect(object(hi)).toBe("<s>Hi</s>");
      const more = { extra_special_tokens: { image_token: "<img>" } };
      expect(chatTemplate("{{ image_token }}", more)([])).toBe("<img>");
    });

    it("that are none are refused", () => {
      expect(() => chatTemplate(source, { eos_token: 3 })).toThrow("eos_token is 3");
    });

    it("that the config does not name are refused by name", () => {
      expect(() => chatTemplate(source, { bos_token: null })(hi)).toThrow(
        "chat_template cannot be used: it prints eos_token, which is not defined",
      );
      expect(() => chatTemplate(source)(hi)).toThrow("it prints bos_token, which is not defined");
    });
  });

  it.each<[string, string]>([
    ["{{ messages[0].text }}", "messages[...].text"],
    ["{% for m in messages %}{% if true %}{{- m['text'] }}{% endif %}{% endfor %}", "m[...]"],
    ["{{ 'a' if false else lost }}", "lost"],
    ["{{ lost if true }}", "lost"],
    ["{% set x %}{{ lost }}{% endset %}{{ x }}", "lost"],
    ["{% macro f(m) %}{{ m.lost }}{% endmacro %}{{ f(messages[0]) }}", "m.lost"],
  ])("refuses %s, which would print nothing", (source, name) => {
    const render = () => chatTemplate(source)([{ role: "user", content: "Hi" }]);
    expect(render).toThrow(InputError);
    expect(render).toThrow(`it prints ${name}, which is not defined`);
  });

  it("lets a template ask whether a name is there", () => {
    const asks =
      "{% if tools %}t{% endif %}{{ 'x' if lost is defined else 'y' }}{{ lost or 'z' }}{{ 'w' if lost }}{{ lost | default('v') }}";
    expect(chatTemplate(asks)([])).toBe("yzv");
  });

  it("takes chat_template.jinja before the config's, as transformers does", () => {
    expect(chatTemplateSource({ chat_template: "a" }, "b")).toBe("b");
  });

  it("refuses two default templates that differ", () => {
    const chat_template = ["a", "b"].map((template) => ({ name: "default", template }));
    expect(() => chatTemplateSource({ chat_template })).toThrow(
      "two chat templates of the name default",
    );
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
