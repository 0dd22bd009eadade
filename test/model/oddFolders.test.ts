/** Folders as people have them, in odd mixes: from blobs as on the page, and from a disk as in Node, with the same words. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { filesIn, folderOpener } from "../../src/cli/modelFolder.ts";
import { formatChecksums } from "../../src/model/checksums.ts";
import { formatModelConfig } from "../../src/model/config.ts";
import { initModel } from "../../src/model/initModel.ts";
import { loadOpened } from "../../src/model/loadOpened.ts";
import { writeSafetensors } from "../../src/model/safetensors.ts";
import { blobOpener, openTextFolder, type TextFolder } from "../../src/model/textFolder.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { QWEN3_TEMPLATE } from "../../src/text/talkerTemplate.ts";
import { openEngine } from "../engine/support.ts";
import { blobsOf, smallConfig, smallFolder, type FolderBytes } from "./smallFolder.ts";

const SHARD = "model-1-of-2.safetensors";
const INDEX = "model.safetensors.index.json";
const bytes = (value: unknown) =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const jsonIn = (files: FolderBytes, name: string) =>
  JSON.parse(new TextDecoder().decode(files.get(name))) as Record<string, unknown>;

type Made = FolderBytes | Promise<FolderBytes>;
type Config = typeof smallConfig;
const qwen2: Config = { ...smallConfig, family: "qwen2", attentionBias: true };

/** `dtype` may vary by tensor. */
function shaped(config: Config, dtype: "F32" | "F16" | "BF16" = "BF16", seed = 1): FolderBytes {
  const files = smallFolder();
  files.set("config.json", bytes(formatModelConfig(config)));
  return files.set(
    "model.safetensors",
    Uint8Array.from(writeSafetensors(initModel(config, seed), dtype)),
  );
}

const config = (changes: object, base = smallFolder()) =>
  base.set("config.json", bytes({ ...jsonIn(base, "config.json"), ...changes }));
const without = (...names: string[]) => {
  const files = smallFolder(1, names.includes(INDEX) ? 2 : 1);
  for (const name of names) files.delete(name);
  return files;
};
const withFile = (name: string, content: unknown, files = smallFolder()) =>
  files.set(name, bytes(content));
const lacking = (tensor: string) => {
  const weights = initModel(smallConfig, 1);
  weights.delete(tensor);
  return smallFolder().set("model.safetensors", Uint8Array.from(writeSafetensors(weights, "BF16")));
};

/** The header's text with a dtype written otherwise; both have the same length. */
function uppercased(files: FolderBytes): FolderBytes {
  const content = files.get("model.safetensors")!.slice();
  const length = Number(new DataView(content.buffer).getBigUint64(0, true));
  const header = new TextDecoder().decode(content.subarray(8, 8 + length));
  content.set(bytes(header.replaceAll('"BF16"', '"bf16"')), 8);
  return files.set("model.safetensors", content);
}

/** Weights in shards of these types, under an index. */
function mixed(...dtypes: ("F32" | "F16" | "BF16")[]): FolderBytes {
  const files = smallFolder(1, dtypes.length);
  const weights = [...initModel(smallConfig, 1)];
  dtypes.forEach((dtype, i) => {
    const part = new Map(weights.filter((_, j) => j % dtypes.length === i));
    const name = `model-${i + 1}-of-${dtypes.length}.safetensors`;
    files.set(name, Uint8Array.from(writeSafetensors(part, dtype)));
  });
  return files;
}

/** A folder whose one file of weights has another header, and zeros behind it. */
function headed(
  change: (header: Record<string, { data_offsets: number[] }>) => unknown,
): FolderBytes {
  const files = smallFolder();
  const content = files.get("model.safetensors")!;
  const length = Number(new DataView(content.buffer).getBigUint64(0, true));
  const header = bytes(
    change(JSON.parse(new TextDecoder().decode(content.subarray(8, 8 + length)))),
  );
  const made = new Uint8Array(8 + header.length + content.length - 8 - length);
  new DataView(made.buffer).setBigUint64(0, BigInt(header.length), true);
  made.set(header, 8);
  return files.set("model.safetensors", made);
}

/** The index with changed places of tensors. */
const placed = (changes: Record<string, unknown>, files = smallFolder(1, 2)) => {
  const index = jsonIn(files, INDEX) as { weight_map: object };
  return files.set(INDEX, bytes({ weight_map: { ...index.weight_map, ...changes } }));
};

const SOUND: Record<string, [() => Made, Partial<Record<"template" | "stops", unknown>>?]> = {
  "tied, one file": [() => smallFolder()],
  "sharded with an index": [() => smallFolder(1, 3)],
  untied: [() => shaped({ ...smallConfig, tieWordEmbeddings: false })],
  F32: [() => shaped(smallConfig, "F32")],
  F16: [() => shaped(smallConfig, "F16")],
  "Qwen2 with biases": [() => shaped(qwen2)],
  "Qwen2 without head_dim": [() => config({ head_dim: undefined }, shaped(qwen2))],
  "Qwen3 with attention_bias": [() => shaped({ ...smallConfig, attentionBias: true })],
  "dtype in place of torch_dtype": [() => config({ torch_dtype: undefined, dtype: "bfloat16" })],
  "torch_dtype in capitals": [() => config({ torch_dtype: "BFLOAT16" })],
  "rope_scaling null, a window that is off": [
    () => config({ rope_scaling: null, sliding_window: 32768, use_sliding_window: false }),
  ],
  "a window from a layer on that it lacks": [
    () => config({ use_sliding_window: true, sliding_window: 4096, max_window_layers: 28 }),
  ],
  "rope_parameters of transformers 5": [
    () =>
      config({
        rope_theta: undefined,
        rope_parameters: { rope_theta: smallConfig.ropeTheta, rope_type: "default" },
      }),
  ],
  "a vocabulary beyond the tokenizer's": [
    () => shaped({ ...smallConfig, vocabSize: smallConfig.vocabSize + 400 }),
  ],
  "files of other programs beside it": [
    () => withFile("model.gguf", "GGUF", withFile("merges.txt", "#version: 0.2")),
  ],
  "no generation_config, and eos_token_id in config.json": [
    () => config({ eos_token_id: [1020, 1017] }, without("generation_config.json")),
    { stops: [1020, 1017, 1019] },
  ],
  "no tokenizer_config": [() => without("tokenizer_config.json")],
  "no chat template": [
    () => {
      const files = without("chat_template.jinja");
      const { chat_template: _, ...said } = jsonIn(files, "tokenizer_config.json");
      return withFile("tokenizer_config.json", said, files);
    },
    { template: null },
  ],
  "a template in tokenizer_config": [
    () => {
      const files = without("chat_template.jinja");
      const said = { ...jsonIn(files, "tokenizer_config.json"), chat_template: QWEN3_TEMPLATE };
      return withFile("tokenizer_config.json", said, files);
    },
  ],
  "templates by name": [
    () => {
      const files = without("chat_template.jinja");
      const chat_template = [
        { name: "tool_use", template: "{{ nothing }}" },
        { name: "default", template: QWEN3_TEMPLATE },
      ];
      const said = { ...jsonIn(files, "tokenizer_config.json"), chat_template };
      return withFile("tokenizer_config.json", said, files);
    },
  ],
  "F16, BF16 and F32 by tensor": [() => mixed("F16", "BF16", "F32")],
  "Qwen2, untied, in F16": [() => shaped({ ...qwen2, tieWordEmbeddings: false }, "F16")],
  "as transformers 5 writes them": [
    () =>
      config({
        ...{ rope_theta: undefined, torch_dtype: undefined, dtype: "bfloat16", use_cache: true },
        ...{ sliding_window: null, max_window_layers: 28, pad_token_id: null, bos_token_id: null },
        layer_types: Array(smallConfig.layers).fill("full_attention"),
        rope_parameters: { rope_theta: smallConfig.ropeTheta, rope_type: "default" },
        transformers_version: "5.2.0",
      }),
  ],
  "a quantisation of null": [() => config({ quantization_config: null, pretraining_tp: 1 })],
  "a tied head that is stored, too": [
    () => {
      const weights = initModel(smallConfig, 1);
      weights.set("lm_head.weight", weights.get("model.embed_tokens.weight")!);
      const files = smallFolder();
      return files.set("model.safetensors", Uint8Array.from(writeSafetensors(weights, "BF16")));
    },
  ],
  "an index with more about it": [
    () => {
      const files = smallFolder(1, 2);
      const metadata = { total_size: 1, total_parameters: 2 };
      return files.set(INDEX, bytes({ metadata, ...jsonIn(files, INDEX) }));
    },
  ],
  "a byte order mark before config.json": [
    () => {
      const files = smallFolder();
      const text = new TextDecoder().decode(files.get("config.json"));
      return files.set("config.json", bytes(`\ufeff${text}`));
    },
  ],
  "several ends of text in both files": [
    () =>
      withFile(
        "generation_config.json",
        { eos_token_id: [1017, 1020, 1018] },
        config({ eos_token_id: [5] }),
      ),
    { stops: [1017, 1020, 1018, 1019] },
  ],
  "checksums that fit": [
    async () => {
      const files = smallFolder();
      return files.set("SHA256SUMS", bytes(await formatChecksums(files)));
    },
  ],
};

const REFUSED: Record<string, [() => Made, RegExp]> = {
  "a mixture of experts": [() => config({ model_type: "qwen3_moe" }), /model_type is "qwen3_moe"/],
  "quantised weights": [
    () => config({ quantization_config: { quant_method: "awq", bits: 4 } }),
    /quantization_config.*before it was quantised/,
  ],
  YaRN: [() => config({ rope_scaling: { type: "yarn", factor: 4 } }), /rope_scaling.*yarn/],
  "a window that is on": [
    () => config({ use_sliding_window: true, sliding_window: 64, max_window_layers: 0 }),
    /use_sliding_window is true/,
  ],
  "Qwen3 without q_norm": [
    () => lacking("model.layers.0.self_attn.q_norm.weight"),
    /"model.layers.0.self_attn.q_norm.weight" is missing/,
  ],
  "shards without an index": [
    () => without(INDEX),
    /model-1-of-2\.safetensors.*model\.safetensors\.index\.json/,
  ],
  "an index without a shard": [
    () => {
      const files = smallFolder(1, 2);
      files.delete(SHARD);
      return files;
    },
    /model-1-of-2\.safetensors cannot be read: it is missing/,
  ],
  "a truncated file": [
    () => {
      const files = smallFolder();
      const whole = files.get("model.safetensors")!;
      return files.set("model.safetensors", whole.slice(0, -100));
    },
    /truncated/,
  ],
  "a download that is a page": [
    () => withFile("model.safetensors", "<!doctype html><title>Sign in</title>"),
    /model\.safetensors/,
  ],
  "a pointer of Git LFS": [
    () =>
      withFile(
        "model.safetensors",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
      ),
    /Git LFS/,
  ],
  "another hash": [
    async () => {
      const files = smallFolder();
      const sums = await formatChecksums(files);
      files.set("SHA256SUMS", bytes(sums));
      files.get("model.safetensors")![4000]! ^= 1;
      return files;
    },
    /model\.safetensors.*SHA256SUMS|SHA256SUMS.*model\.safetensors/,
  ],
  "a tokenizer that is such a pointer": [
    () => withFile("tokenizer.json", "version https://git-lfs.github.com/spec/v1\noid"),
    /tokenizer\.json is a pointer of Git LFS/,
  ],
  "types in small letters": [() => uppercased(smallFolder()), /dtype.*"bf16"/],
  "no tokenizer.json": [() => without("tokenizer.json"), /no tokenizer\.json/],
  "another model's tokenizer": [
    () => withFile("tokenizer.json", { model: { vocab: { a: 5000 } }, added_tokens: [] }),
    /tokenizer\.json has ids up to 5000/,
  ],
  "an adapter's folder": [
    () =>
      new Map([
        ["adapter_config.json", bytes({ peft_type: "LORA" })],
        ["adapter_model.safetensors", bytes("")],
      ]),
    /adapter/,
  ],
  "PyTorch's weights": [
    () => {
      const files = without("model.safetensors");
      return withFile("pytorch_model.bin", "PK", files);
    },
    /pytorch_model\.bin, which is not read/,
  ],
  "a mixture by its layers": [
    () => config({ layer_types: ["full_attention", "sliding_attention"] }),
    /layer_types is "sliding_attention"/,
  ],
  "one layer type too few": [() => config({ layer_types: ["full_attention"] }), /layer_types/],
  "ropes that contradict each other": [
    () => config({ rope_parameters: { rope_theta: 5, rope_type: "default" } }),
    /rope_theta.*make them agree/,
  ],
  "a model that sees": [() => config({ model_type: "qwen2_5_vl" }), /model_type is "qwen2_5_vl"/],
  "untied without a head": [
    () => config({ tie_word_embeddings: false }),
    /"lm_head.weight" is missing/,
  ],
  "biases that config.json denies": [
    () => config({ attention_bias: false }, shaped({ ...smallConfig, attentionBias: true })),
    /contradicts config.json, which says attention_bias false/,
  ],
  "tensors that overlap": [
    () =>
      headed((header) => {
        const [, second] = Object.values(header).filter((one) => one.data_offsets);
        second!.data_offsets = second!.data_offsets.map((at) => at - 2);
        return header;
      }),
    /model\.safetensors.*(overlap|offsets)/,
  ],
  "a header that is no JSON": [() => headed(() => "{ not JSON"), /model\.safetensors.*header/],
  "numbers of 8 bits": [
    () =>
      headed((header) => {
        for (const one of Object.values(header)) Object.assign(one, { dtype: "F8_E4M3" });
        return header;
      }),
    /dtype.*"F8_E4M3"/,
  ],
  "an empty file of weights": [
    () => withFile("model.safetensors", ""),
    /model\.safetensors has 0 bytes/,
  ],
  "an index that places a tensor in the other shard": [
    () => placed({ "model.norm.weight": "model-3-of-2.safetensors" }),
    /model-3-of-2\.safetensors|model\.norm\.weight/,
  ],
  "an index with a tensor that no shard has": [
    () => placed({ "model.extra.weight": SHARD }),
    /places tensor "model.extra.weight" in model-1-of-2\.safetensors, which does not hold it/,
  ],
  "an index that points out of the folder": [
    () => placed({ "model.norm.weight": "../model.safetensors" }),
    /weight_map of "model.norm.weight" is "\.\.\/model\.safetensors"/,
  ],
  "a tensor in two shards": [
    () => {
      const files = smallFolder(1, 2);
      const all = Uint8Array.from(writeSafetensors(initModel(smallConfig, 1), "BF16"));
      return files.set(SHARD, all);
    },
    /model-1-of-2\.safetensors holds tensor .*make them agree/,
  ],
  "an unknown tensor": [
    () => {
      const weights = initModel(smallConfig, 1);
      weights.set("visual.patch.weight", weights.get("model.norm.weight")!);
      const files = smallFolder();
      return files.set("model.safetensors", Uint8Array.from(writeSafetensors(weights, "BF16")));
    },
    /"visual.patch.weight" belongs to no part/,
  ],
  gelu: [() => config({ hidden_act: "gelu" }), /hidden_act is "gelu"/],
};

const engine = await openEngine("plan wasm");
const disk = mkdtempSync(join(tmpdir(), "turnbook-odd-"));
afterAll(() => {
  engine.dispose();
  rmSync(disk, { recursive: true, force: true });
});

/** The page's way and Node's. */
async function both(name: string, files: FolderBytes): Promise<(() => Promise<TextFolder>)[]> {
  const folder = join(disk, name.replaceAll(/\W/g, "-"));
  mkdirSync(join(folder, "original"), { recursive: true });
  for (const [file, content] of files) writeFileSync(join(folder, file), content);
  return [
    () => openTextFolder(blobOpener(blobsOf(files)), [...files.keys()]),
    () => openTextFolder(folderOpener("model", folder), filesIn(folder)),
  ];
}

test.each(Object.entries(SOUND))(
  "%s: opens, loads and answers",
  async (name, [make, more = {}]) => {
    const engine = await openEngine("plan wasm");
    const ways = await both(name, await make());
    for (const open of ways) {
      const folder = await open();
      expect(folder.opened.notes).toEqual([]);
      if ("template" in more) expect(folder.template).toBe(more.template);
      else
        expect(folder.template!([{ role: "user", content: "Hi" }])).toContain(
          "<|im_start|>user\nHi",
        );
      expect(folder.stopIds).toEqual(more.stops ?? expect.arrayContaining([1020]));
    }
    const { opened } = await ways[0]!();
    const model = await loadOpened(engine, opened);
    const session = model.decode(1, 8);
    const key = { seed: 1, iteration: 0, trajectory: [0], step: [0], stream: "s" };
    const asked = { prompts: [[5, 6]], maxNewTokens: 4, stopIds: [], temperature: 0, key };
    expect((await session.generate(asked)).ids[0]).toHaveLength(4);
    session.dispose();
    engine.dispose();
  },
);

test.each(Object.entries(REFUSED))("%s: is refused by name", async (_name, [make, why]) => {
  for (const open of await both(_name, await make())) {
    const error: unknown = await open().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toMatch(why);
    expect((error as Error).message).not.toMatch(/\n|undefined|RangeError/);
  }
});

test("weights that are not finite are refused by tensor while they load", async () => {
  const files = smallFolder();
  files.get("model.safetensors")!.fill(0xff, -2);
  for (const open of await both("NaN", files)) {
    const { opened } = await open();
    await expect(loadOpened(engine, opened)).rejects.toThrow(/"model\..*" holds NaN/);
  }
});
