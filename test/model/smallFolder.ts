/** A whole Hugging Face folder of a tiny model that reads and writes text, with the talker's tokenizer and template. */
import { exportModelFolder } from "../../src/model/folder.ts";
import { initModel, presetConfig } from "../../src/model/initModel.ts";
import { writeSafetensors } from "../../src/model/safetensors.ts";
import { fileText } from "../../src/text/domainVocabulary.ts";
import { QWEN3_TEMPLATE } from "../../src/text/talkerTemplate.ts";
import { TALKER_SIZE, talkerTokenizerFiles } from "../../src/text/talkerTokenizer.ts";

export type FolderBytes = Map<string, Uint8Array<ArrayBuffer>>;

/** Two layers of width 64. */
export const smallConfig = presetConfig("nano", TALKER_SIZE);

const known = new Map<number, ReturnType<typeof initModel>>();

/** Weights large enough that the most likely token changes from place to place; drawn once for each seed. */
function smallWeights(seed: number) {
  const drawn = known.get(seed) ?? initModel(smallConfig, seed);
  known.set(seed, drawn);
  return new Map(
    [...drawn].map(([name, { shape, data }]) => {
      const factor = name.includes("norm") ? 1 : 8;
      return [name, { shape, data: data.map((x) => factor * x) }] as const;
    }),
  );
}

/** `shards`: files that share the weights, under an index; 1: model.safetensors alone. */
export function smallFolder(seed = 1, shards = 1): FolderBytes {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const weights = smallWeights(seed);
  const { tokenizer, config } = talkerTokenizerFiles();
  const files: FolderBytes = new Map([
    ["tokenizer.json", bytes(fileText(tokenizer))],
    ["tokenizer_config.json", bytes(fileText(config))],
    ["chat_template.jinja", bytes(QWEN3_TEMPLATE)],
    ["generation_config.json", bytes(JSON.stringify({ eos_token_id: [1020, 1017] }))],
    ["README.md", bytes("not a part of the model")],
  ]);
  for (const [name, content] of exportModelFolder(smallConfig, weights, "BF16"))
    if (shards === 1 || name === "config.json") files.set(name, Uint8Array.from(content));
  if (shards === 1) return files;
  const weight_map: Record<string, string> = {};
  for (let i = 0; i < shards; i++) {
    const name = `model-${i + 1}-of-${shards}.safetensors`;
    const part = new Map([...weights].filter((_, j) => j % shards === i));
    for (const tensor of part.keys()) weight_map[tensor] = name;
    files.set(name, Uint8Array.from(writeSafetensors(part, "BF16")));
  }
  return files.set("model.safetensors.index.json", bytes(JSON.stringify({ weight_map })));
}

/** As the page has them. */
export const blobsOf = (files: FolderBytes): Map<string, Blob> =>
  new Map([...files].map(([name, content]) => [name, new Blob([content])]));
