/** Folders opened by their headers and read in pieces. */
import { describe, expect, it } from "vitest";
import { formatChecksums } from "../../src/model/checksums.ts";
import { formatModelConfig } from "../../src/model/config.ts";
import {
  exportModelFolder,
  openModelFolder,
  wholeWeights,
  type OpenModelFile,
} from "../../src/model/folder.ts";
import { initModel, presetConfig } from "../../src/model/initModel.ts";
import {
  readSafetensors,
  safetensorsHeader,
  tensorNumbers,
  writeSafetensors,
  type RangedFile,
} from "../../src/model/safetensors.ts";
import { InputError } from "../../src/numeric/inputError.ts";

type Files = Map<string, Uint8Array>;
const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Files in parts: every read overwrites the one before, as on a disk. */
const opener =
  (files: Files, reads: number[] = []): OpenModelFile =>
  async (name) => {
    const bytes = files.get(name);
    if (!bytes) throw new Error("no such file");
    const buffer = new Uint8Array(bytes.length);
    return {
      size: bytes.length,
      read: async (start, end) => {
        reads.push(end - start);
        buffer.set(bytes.subarray(start, end));
        return buffer.subarray(0, end - start);
      },
    };
  };

const open = (files: Files) => openModelFolder(opener(files), [...files.keys()]);
const numbersOf = async (files: Files) => wholeWeights(await open(files));

const tied = presetConfig("nano", 20);
const untied = { ...tied, tieWordEmbeddings: false };
const qwen2 = { ...tied, family: "qwen2", attentionBias: true } as const;

/** `config`'s folder with its weights in this many files under an index. */
function sharded(config: typeof tied, shards: number, dtype: "F32" | "F16" | "BF16" = "BF16") {
  const all = [...initModel(config, 3)];
  const files: Files = new Map([
    ["config.json", new TextEncoder().encode(formatModelConfig(config))],
  ]);
  const weight_map: Record<string, string> = {};
  for (let i = 0; i < shards; i++) {
    const name = `model-${i + 1}.safetensors`;
    const part = new Map(all.filter((_, j) => j % shards === i));
    for (const tensor of part.keys()) weight_map[tensor] = name;
    files.set(name, writeSafetensors(part, dtype));
  }
  return files.set("model.safetensors.index.json", text({ weight_map }));
}

describe("sound folders", () => {
  it.each([
    ["tied", tied],
    ["with a head", untied],
    ["of Qwen2, with biases", qwen2],
  ])("%s open from one file, shards and every type, to the same numbers", async (_what, config) => {
    for (const dtype of ["F32", "F16", "BF16"] as const) {
      const expected = readSafetensors(writeSafetensors(initModel(config, 3), dtype), "f");
      for (const shards of [1, 3]) {
        const found = await numbersOf(sharded(config, shards, dtype));
        expect(new Map([...found].sort())).toEqual(new Map([...expected].sort()));
      }
    }
  });

  it("open without head_dim, and beside files of generation and templates", async () => {
    const files = exportModelFolder(qwen2, initModel(qwen2, 3));
    const json = JSON.parse(new TextDecoder().decode(files.get("config.json"))) as object;
    files.set("config.json", text({ ...json, head_dim: undefined, hidden_size: 64 }));
    files.set("generation_config.json", text({ do_sample: true, eos_token_id: [1, 2] }));
    files.set("chat_template.jinja", text("{{ messages }}"));
    files.set("tokenizer_config.json", text({}));
    expect((await open(files)).config).toEqual(qwen2);
  });

  it("with a copy of a tied head in another type, drop it; with another head use that", async () => {
    const files = sharded(tied, 2, "BF16");
    const stored = await numbersOf(files);
    const head = { ...stored.get("model.embed_tokens.weight")! };
    const withHead = (data: Float32Array) => {
      const index = JSON.parse(
        new TextDecoder().decode(files.get("model.safetensors.index.json")),
      ) as { weight_map: object };
      const weight_map = { ...index.weight_map, "lm_head.weight": "head.safetensors" };
      return new Map(files)
        .set("model.safetensors.index.json", text({ weight_map }))
        .set(
          "head.safetensors",
          writeSafetensors(new Map([["lm_head.weight", { ...head, data }]])),
        );
    };
    expect((await open(withHead(head.data))).config).toEqual(tied);
    const other = await open(withHead(head.data.map((x) => 2 * x)));
    expect(other.config.tieWordEmbeddings).toBe(false);
    expect(other.notes).toEqual([expect.stringContaining("it is used as the head")]);
  });

  it("accept a tokenizer whose ids the vocabulary has room for", async () => {
    const files = exportModelFolder(tied, initModel(tied, 3));
    const vocab = { a: 0, b: 1 };
    files.set(
      "tokenizer.json",
      text({ model: { vocab }, added_tokens: [{ id: 19, content: "c" }] }),
    );
    expect((await open(files)).config.vocabSize).toBe(20);
  });
});

describe("unsound folders are refused before their weights are read", () => {
  const files = () => exportModelFolder(tied, initModel(tied, 3));
  const cut = (all: Files, name: string, length: number) =>
    new Map(all).set(name, all.get(name)!.slice(0, length));
  const without = (all: Files, name: string) => new Map([...all].filter(([key]) => key !== name));
  const config = (changes: object) => {
    const json = JSON.parse(new TextDecoder().decode(files().get("config.json"))) as object;
    return files().set("config.json", text({ ...json, ...changes }));
  };
  const tokenizer = (id: number, vocab_size = 20) =>
    config({ vocab_size }).set(
      "tokenizer.json",
      text({ model: { vocab: { a: 0 } }, added_tokens: [{ id, content: "z" }] }),
    );
  const wrongSum = async () => {
    const sums = await formatChecksums(files());
    const other = exportModelFolder(tied, initModel(tied, 4));
    return other.set("SHA256SUMS", new TextEncoder().encode(sums));
  };

  it.each<[string, () => Files | Promise<Files>, string]>([
    [
      "a missing shard",
      () => without(sharded(tied, 3), "model-2.safetensors"),
      "model-2.safetensors cannot be read: it is missing, and model.safetensors.index.json names it; download it again",
    ],
    [
      "a truncated shard",
      () => cut(sharded(tied, 2), "model-2.safetensors", 9000),
      "(truncated? download it again)",
    ],
    ["a header that is cut", () => cut(files(), "model.safetensors", 100), "truncated"],
    [
      "another architecture",
      () => config({ model_type: "qwen3_moe" }),
      'config.json: model_type is "qwen3_moe"; it must be qwen2 or qwen3',
    ],
    [
      "weights in another format only",
      () => without(files(), "model.safetensors").set("pytorch_model.bin", text(1)),
      "but pytorch_model.bin, which is not read; save_pretrained",
    ],
    [
      "a tokenizer with more ids",
      () => tokenizer(20),
      "tokenizer.json has ids up to 20, and by config.json the model's vocab_size is 20; put the model's own",
    ],
    ["a file of another hash", wrongSum, "model.safetensors is damaged"],
  ])("%s", async (_what, make, words) => {
    const folder = await make();
    const failure = await open(folder).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(InputError);
    expect((failure as InputError).message).toContain(words);
  });

  it("a tokenizer of a much smaller vocabulary", async () => {
    const wide = presetConfig("nano", 2000);
    const folder = exportModelFolder(wide, initModel(wide, 3));
    folder.set(
      "tokenizer.json",
      text({ model: { vocab: { a: 0 } }, added_tokens: [{ id: 900, content: "z" }] }),
    );
    await expect(open(folder)).rejects.toThrow("ids up to 900, and by config.json the model's");
  });

  it("NaN in a weight, by file, tensor and index", async () => {
    const weights = initModel(tied, 3);
    weights.get("model.layers.1.mlp.up_proj.weight")!.data[77] = NaN;
    const opened = await open(exportModelFolder(tied, weights));
    await expect(wholeWeights(opened)).rejects.toThrow(
      'model.safetensors: tensor "model.layers.1.mlp.up_proj.weight" holds NaN at index 77',
    );
  });
});

describe("pieces", () => {
  /** A file of one BF16 tensor of this many numbers, made as it is read: each holds its index modulo 128. */
  function made(count: number, reads: number[], length = Infinity): RangedFile {
    const header = text({ w: { dtype: "BF16", shape: [count], data_offsets: [0, 2 * count] } });
    const start = 8 + header.length;
    const head = new Uint8Array(start);
    new DataView(head.buffer).setUint32(0, header.length, true);
    head.set(header, 8);
    const pattern = new Float32Array(1);
    const bits = new Uint32Array(pattern.buffer);
    const table = Uint16Array.from({ length: 128 }, (_, i) => {
      pattern[0] = i;
      return bits[0]! >>> 16;
    });
    return {
      size: start + 2 * count,
      read: async (from, to) => {
        reads.push(to - from);
        if (from < start) return head.slice(from, to);
        const first = (from - start) / 2;
        const end = Math.min((to - start) / 2, length);
        const numbers = Uint16Array.from(
          { length: Math.max(0, end - first) },
          (_, i) => table[(first + i) % 128]!,
        );
        return new Uint8Array(numbers.buffer);
      },
    };
  }

  it("hold all numbers of a tensor that no read holds", async () => {
    const reads: number[] = [];
    const count = 2 ** 23 + 1000;
    const file = made(count, reads);
    const tensor = (await safetensorsHeader(file, "f")).get("w")!;
    let seen = 0;
    let wrong = 0;
    for await (const { at, data } of tensorNumbers(file, tensor, "f", "w")) {
      expect(at).toBe(seen);
      for (let i = 0; i < data.length; i++) if (data[i] !== (at + i) % 128) wrong++;
      seen += data.length;
    }
    expect([seen, wrong]).toEqual([count, 0]);
    expect(reads.length).toBe(4);
    expect(Math.max(...reads)).toBeLessThanOrEqual(64e6);
  });

  it("end in a sentence if the file is cut while it is read", async () => {
    const file = made(1000, [], 500);
    const tensor = (await safetensorsHeader(file, "f")).get("w")!;
    const numbers = tensorNumbers(file, tensor, "f", "w");
    await expect(numbers.next()).rejects.toThrow("the file was cut while it was read");
  });

  it("are read once each, beyond the headers", async () => {
    const files = exportModelFolder(tied, initModel(tied, 3), "BF16");
    const reads: number[] = [];
    const opened = await openModelFolder(opener(files, reads), [...files.keys()]);
    const numbers = [...initModel(tied, 3).values()].reduce(
      (sum, { data }) => sum + data.length,
      0,
    );
    expect(opened.storedBytes).toBe(2 * numbers);
    reads.length = 0;
    await wholeWeights(opened);
    expect(reads.reduce((a, b) => a + b, 0)).toBe(opened.storedBytes);
  });
});
