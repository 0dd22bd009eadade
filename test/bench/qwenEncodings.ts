/** Compares a folder with Qwen's real vocabulary with the golden encodings. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chatTemplate, chatTemplateSource, type Message } from "../../src/text/chatTemplate.ts";
import { readTokenizer } from "../../src/text/tokenizer.ts";

interface Encodings {
  encodings: { text: string; ids: number[]; decoded?: string; decoded_skip_special?: string }[];
  qwen3_vs_qwen2_5: { text: string; ids_qwen2_5: number[]; ids_qwen3: number[] }[];
  streaming_prefix_decode: { ids: number[]; decoded: string }[];
}

interface Renderings {
  conversations: Record<string, { messages: Message[]; tools?: unknown[] }>;
  cases: {
    template: string;
    conversation: string;
    add_generation_prompt: boolean;
    enable_thinking?: boolean;
    rendered: string;
    /** For some. */
    ids_real_vocab?: number[];
  }[];
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const golden = (name: string) => read(`test/golden/tokenizer/${name}.json`);

export function main(dir: string | undefined): void {
  if (dir === undefined) throw new Error("name a folder with tokenizer.json");
  const config = read(join(dir, "tokenizer_config.json"));
  const { encode, decode, has } = readTokenizer(read(join(dir, "tokenizer.json")), config);
  const family = has("<think>") ? "qwen3" : "qwen2_5";
  let checked = 0;
  const wrong: unknown[] = [];
  const same = (what: unknown, found: unknown, expected: unknown) => {
    checked++;
    if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push({ what, found, expected });
  };
  const real = golden("qwen_real_vocab_encodings") as Encodings;
  for (const { text, ids, decoded = text, decoded_skip_special = decoded } of real.encodings) {
    same(text, encode(text), ids);
    same(ids, decode(ids), decoded);
    same(ids, decode(ids, { skipSpecial: true }), decoded_skip_special);
  }
  for (const { text, ids_qwen2_5, ids_qwen3 } of real.qwen3_vs_qwen2_5)
    same(text, encode(text), family === "qwen3" ? ids_qwen3 : ids_qwen2_5);
  for (const { ids, decoded } of real.streaming_prefix_decode) same(ids, decode(ids), decoded);
  const { conversations, cases } = golden("chat_template_renderings") as Renderings;
  const render = chatTemplate(chatTemplateSource(config), config);
  for (const { template, rendered, ids_real_vocab: ids, ...asked } of cases) {
    if (template !== family) continue;
    const { messages, ...more } = conversations[asked.conversation]!;
    const thinking = asked.enable_thinking;
    const text = render(messages, {
      ...more,
      addGenerationPrompt: asked.add_generation_prompt,
      ...(thinking === undefined ? {} : { enableThinking: thinking }),
    });
    same(asked, text, rendered);
    if (ids) same(asked, encode(text), ids);
  }
  for (const one of wrong) console.log(JSON.stringify(one));
  console.log(`${family}: ${checked - wrong.length} of ${checked} as the golden files`);
  if (wrong.length > 0) process.exitCode = 1;
}
