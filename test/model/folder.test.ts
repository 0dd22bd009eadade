import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parameterShapes } from "../../src/engine/parameters.ts";
import { formatModelConfig, parseModelConfig } from "../../src/model/config.ts";
import { exportModelFolder, loadModelFolder } from "../../src/model/folder.ts";
import { initModel, presetConfig } from "../../src/model/initModel.ts";
import { readSafetensors, writeSafetensors } from "../../src/model/safetensors.ts";
import { InputError } from "../../src/numeric/inputError.ts";

const golden = (model: string) => (name: string) =>
  readFile(new URL(`../golden/model/${model}/${name}`, import.meta.url));

const nano = presetConfig("nano", 20);

/** A reader over files held in memory. */
const reader = (files: Map<string, Uint8Array>) => async (name: string) => {
  const bytes = files.get(name);
  if (!bytes) throw new Error("no such file");
  return bytes;
};

const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const base = {
  model_type: "qwen3",
  vocab_size: 97,
  hidden_size: 32,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 64,
};
const parse = (changes: object) => parseModelConfig(JSON.stringify({ ...base, ...changes }));

describe("config.json", () => {
  it("reads the old style and the new style to the same shape", () => {
    const old = parse({ rope_theta: 5e5, torch_dtype: "bfloat16", rope_scaling: null });
    const now = parse({
      rope_parameters: { rope_theta: 5e5, rope_type: "default" },
      dtype: "bfloat16",
      layer_types: ["full_attention", "full_attention"],
    });
    expect(now).toEqual(old);
    expect(old).toMatchObject({
      ropeTheta: 5e5,
      headDim: 128,
      attentionBias: false,
      tieWordEmbeddings: false,
    });
  });

  it("takes what transformers takes for a field left out", () => {
    // Qwen3Config has head_dim 128, Qwen2 divides; both have 32 key-value heads, and null is as many as heads.
    expect(parse({}).headDim).toBe(128);
    expect(parse({ model_type: "qwen2" }).headDim).toBe(8);
    const heads = { num_attention_heads: 64, num_key_value_heads: undefined };
    expect(parse(heads).kvHeads).toBe(32);
    expect(parse({ ...heads, num_key_value_heads: null }).kvHeads).toBe(64);
  });

  it("reads layers that could slide and do not, as transformers does", () => {
    const full = ["full_attention", "full_attention"];
    for (const [fields] of [
      [{ layer_types: full, max_window_layers: 0 }],
      [{ sliding_window: null, max_window_layers: 0 }],
      [{ max_window_layers: 2 }],
    ] as const)
      expect(parse({ ...fields, use_sliding_window: true })).toEqual(parse({}));
  });

  it("reads statements that agree", () => {
    const rope_parameters = { rope_theta: 5e5, rope_type: "default", type: "default" };
    const both = { rope_theta: 5e5, rope_parameters, rope_scaling: { rope_theta: 5e5 } };
    expect(parse(both).ropeTheta).toBe(5e5);
    expect(parse({ architectures: ["Qwen3ForCausalLM"] })).toEqual(parse({}));
    expect(parse({ architectures: ["Qwen3ForTokenClassification"] })).toMatchObject({
      critic: true,
    });
  });

  it("takes an explicit head_dim, and biases for qwen2 always", () => {
    expect(parse({ head_dim: 16 }).headDim).toBe(16);
    expect(parse({ model_type: "qwen2" }).attentionBias).toBe(true);
    expect(parse({ attention_bias: true }).attentionBias).toBe(true);
  });

  it("accepts sliding_window when it is not used", () => {
    expect(parse({ sliding_window: 512, use_sliding_window: false })).toEqual(parse({}));
  });

  it("survives a round trip", () => {
    expect(parseModelConfig(formatModelConfig(nano))).toEqual(nano);
  });

  it.each<[object, string]>([
    [{ model_type: "llama" }, 'model_type is "llama"; it must be qwen2 or qwen3'],
    [{ vocab_size: undefined }, "vocab_size is nothing; it must be a whole number of at least 1"],
    [{ hidden_size: -3 }, "hidden_size is -3"],
    [{ num_hidden_layers: "2" }, 'num_hidden_layers is "2"'],
    [
      { num_hidden_layers: 1e9 },
      "num_hidden_layers is 1000000000; it must be a whole number of at",
    ],
    [{ rope_parameters: "x" }, 'rope_parameters is "x"; it must be an object'],
    [
      { num_key_value_heads: 3 },
      "num_key_value_heads is 3; it must divide num_attention_heads = 4",
    ],
    [{ model_type: "qwen2", hidden_size: 30 }, "a multiple of num_attention_heads = 4"],
    [{ head_dim: 7 }, "head_dim is 7; it must be even"],
    [
      { use_sliding_window: true, max_window_layers: 1 },
      "use_sliding_window is true; layers from max_window_layers = 1 on would see 4096 tokens",
    ],
    [
      { rope_theta: 1e6, rope_parameters: { rope_theta: 5e5 } },
      "rope_parameters.rope_theta is 500000; rope_theta is 1000000; make them agree",
    ],
    [
      { rope_parameters: { rope_theta: 1e6 }, rope_scaling: { rope_theta: 5e5 } },
      "rope_scaling.rope_theta is 500000",
    ],
    [
      { rope_scaling: { rope_type: "default", type: "linear" } },
      'rope_scaling.rope_type is "linear"',
    ],
    [{ rope_parameters: { full_attention: {} } }, "rope_parameters.full_attention is {}"],
    [{ rope_parameters: { partial_rotary_factor: 0.5 } }, "partial_rotary_factor is 0.5"],
    [{ partial_rotary_factor: 0.5 }, "partial_rotary_factor is 0.5"],
    [
      { architectures: ["Qwen2ForCausalLM"] },
      'architectures is ["Qwen2ForCausalLM"]; it contradicts model_type "qwen3"',
    ],
    [{ architectures: "Qwen3ForCausalLM" }, "it must be a list of names"],
    [
      { layer_types: ["full_attention"] },
      "it has 1 layers and num_hidden_layers is 2; make them agree",
    ],
    [{ layer_types: "full_attention" }, 'layer_types is "full_attention"; it must be a list'],
    [
      { num_key_value_heads: undefined },
      "num_key_value_heads is nothing; that means 32, and it must divide num_attention_heads = 4",
    ],
    [{ rope_scaling: { type: "yarn", factor: 4 } }, 'rope_scaling.rope_type is "yarn"'],
    [{ rope_parameters: { rope_type: "llama3" } }, 'rope_parameters.rope_type is "llama3"'],
    [{ layer_types: ["sliding_attention"] }, 'layer_types is "sliding_attention"'],
    [{ hidden_act: "gelu" }, 'hidden_act is "gelu"'],
    [{ rope_theta: 0 }, "rope_theta is 0"],
    [{ tie_word_embeddings: 1 }, "tie_word_embeddings is 1"],
    [{ quantization_config: { bits: 4 } }, "quantization_config"],
  ])("refuses %j", (changes, words) => {
    expect(() => parse(changes)).toThrow(InputError);
    expect(() => parse(changes)).toThrow(words);
  });

  it("refuses a field that is given twice", () => {
    const twice = JSON.stringify(base).replace("{", '{"vocab_size": 5, ');
    expect(() => parseModelConfig(twice)).toThrow(
      'config.json has the field "vocab_size" twice; it must be given once',
    );
  });

  it.each(["", "[]", "{", "null"])("refuses the text %j", (bad) => {
    expect(() => parseModelConfig(bad)).toThrow("it must be a JSON object");
  });
});

describe("loadModelFolder", () => {
  it("reads one file, shards, and a redundant tied head", async () => {
    for (const name of ["qwen2_tied_f32", "qwen2_untied_bf16_sharded", "qwen3_tied_bf16"]) {
      const { config, weights } = await loadModelFolder(golden(name));
      const shapes = parameterShapes(config, "none");
      expect([...weights.keys()]).toEqual([...shapes.keys()]);
      for (const [key, shape] of shapes) expect(weights.get(key)!.shape).toEqual(shape);
    }
  });

  it("gives back what exportModelFolder wrote, value head included", async () => {
    const weights = initModel(nano, 3, "shared");
    weights.get("value_head.bias")!.data[0] = 0.5;
    const back = await loadModelFolder(reader(exportModelFolder(nano, weights)));
    expect(back.config).toEqual(nano);
    expect(back.weights).toEqual(weights);
  });

  it("reads a token-classification head as the value head", async () => {
    const weights = initModel(nano, 3);
    weights.set("score.weight", { shape: [1, 64], data: new Float32Array(64).fill(0.25) });
    const back = await loadModelFolder(reader(exportModelFolder(nano, weights)));
    expect(back.weights.get("value_head.weight")!.data[5]).toBe(0.25);
    expect([...back.weights.get("value_head.bias")!.data]).toEqual([0]);
  });

  const untied = { ...nano, tieWordEmbeddings: false };

  /** A folder whose config.json says `fields` beside what it should. */
  const saying = (fields: object, config: typeof nano, weights: ReturnType<typeof initModel>) => {
    const files = exportModelFolder(config, weights);
    const json = JSON.parse(formatModelConfig(config)) as object;
    return reader(files.set("config.json", text({ ...json, ...fields })));
  };

  it("uses a head of its own where config.json says that it is tied, as transformers 5, and says so", async () => {
    const weights = initModel(untied, 3);
    const read = saying({ tie_word_embeddings: true }, untied, weights);
    const { config, weights: found, notes } = await loadModelFolder(read);
    expect(config).toEqual(untied);
    expect(found).toEqual(weights);
    expect(notes).toEqual([expect.stringContaining("lm_head.weight differs from the embedding")]);
    const back = await loadModelFolder(reader(exportModelFolder(config, found)));
    expect(back).toEqual({ config, weights, notes: [] });
  });

  it("leaves a redundant copy of a tied head out", async () => {
    const weights = initModel(untied, 3);
    weights.set("lm_head.weight", weights.get("model.embed_tokens.weight")!);
    const read = saying({ tie_word_embeddings: true }, untied, weights);
    const { config, weights: found, notes } = await loadModelFolder(read);
    expect([config, found.has("lm_head.weight"), notes]).toEqual([nano, false, []]);
  });

  it("keeps the output projection's bias through writing and reading", async () => {
    const { config, weights } = await loadModelFolder(golden("qwen3_bias_untied"));
    expect(weights.get("model.layers.1.self_attn.o_proj.bias")!.shape).toEqual([16]);
    expect(config).toMatchObject({ attentionBias: true, tieWordEmbeddings: false });
    const back = await loadModelFolder(reader(exportModelFolder(config, weights)));
    expect(back).toEqual({ config, weights, notes: [] });
  });

  /** A trunk with a value head in transformers' names, as verl saves a critic. */
  const critic = () => {
    const weights = initModel(untied, 3);
    weights.delete("lm_head.weight");
    weights.set("score.weight", { shape: [1, 64], data: new Float32Array(64).fill(0.25) });
    return weights.set("score.bias", { shape: [1], data: Float32Array.of(0.5) });
  };

  it("reads a critic without a language head, and writes it as one", async () => {
    const named = { architectures: ["Qwen3ForTokenClassification"] };
    const { config, weights, notes } = await loadModelFolder(saying(named, untied, critic()));
    expect([config.critic, notes]).toEqual([true, []]);
    expect(weights.get("value_head.bias")!.data[0]).toBe(0.5);
    const files = exportModelFolder(config, weights);
    expect(new TextDecoder().decode(files.get("config.json"))).toContain("ForTokenClassification");
    const stored = readSafetensors(files.get("model.safetensors")!, "model.safetensors");
    expect([stored.has("score.weight"), stored.has("value_head.weight")]).toEqual([true, false]);
    expect(await loadModelFolder(reader(files))).toEqual({ config, weights, notes: [] });
  });

  it("takes a value head beside no language head for a critic, and says so", async () => {
    const { config, notes } = await loadModelFolder(saying({}, untied, critic()));
    expect(config.critic).toBe(true);
    expect(notes).toEqual([
      "the folder has a value head and no lm_head.weight; it is read as a critic",
    ]);
  });

  it("leaves a critic's language head out as transformers does, and says so", async () => {
    const named = { architectures: ["Qwen3ForTokenClassification"] };
    const both = critic().set("lm_head.weight", initModel(untied, 3).get("lm_head.weight")!);
    const { weights, notes } = await loadModelFolder(saying(named, untied, both));
    expect(weights.has("lm_head.weight")).toBe(false);
    expect(notes).toEqual([expect.stringContaining("lm_head.weight is left out")]);
  });

  it("reads a trunk saved on its own, whose names have no prefix", async () => {
    const weights = initModel(nano, 3);
    const bare = new Map(
      [...weights].map(([name, tensor]) => [name.replace("model.", ""), tensor]),
    );
    expect((await loadModelFolder(saying({}, nano, bare))).weights).toEqual(weights);
  });

  it("says which file is used where there are two", async () => {
    const names = ["model.safetensors", "model.safetensors.index.json"];
    const read = reader(exportModelFolder(nano, initModel(nano, 3)));
    expect((await loadModelFolder(read, names)).notes).toEqual([
      "the folder has model.safetensors and model.safetensors.index.json; the first is used, as in transformers",
    ]);
  });

  /** A nano folder with one change made to its weights. */
  const changed = (change: (weights: ReturnType<typeof initModel>) => void) => {
    const weights = initModel(nano, 3);
    change(weights);
    return reader(exportModelFolder(nano, weights));
  };
  const tensor = (...shape: number[]) => ({
    shape,
    data: new Float32Array(shape.reduce((a, b) => a * b, 1)),
  });
  const files = exportModelFolder(nano, initModel(nano, 3));
  const without = (name: string) => new Map([...files].filter(([key]) => key !== name));
  const sharded = (weight_map: unknown) =>
    reader(
      without("model.safetensors")
        .set("model.safetensors.index.json", text({ weight_map }))
        .set("a.safetensors", writeSafetensors(new Map())),
    );

  /** A sharded folder: what its index says, and what its shards hold. */
  const placed = (weight_map: object, shards: Record<string, string[]>) => {
    const all = without("model.safetensors").set(
      "model.safetensors.index.json",
      text({ weight_map }),
    );
    for (const [file, names] of Object.entries(shards)) {
      const weights = new Map(names.map((name) => [name, tensor(1)]));
      all.set(`${file}.safetensors`, writeSafetensors(weights));
    }
    return reader(all);
  };

  it.each<[string, (name: string) => Promise<Uint8Array>, string]>([
    ["no config", reader(without("config.json")), "config.json cannot be read: no such file"],
    [
      "no weights",
      reader(without("model.safetensors")),
      "neither model.safetensors nor model.safetensors.index.json",
    ],
    [
      "a missing tensor",
      changed((w) => w.delete("model.norm.weight")),
      'tensor "model.norm.weight" is missing',
    ],
    [
      "a wrong shape",
      changed((w) => w.set("model.norm.weight", tensor(65))),
      'tensor "model.norm.weight" has shape [65]; by config.json it must be [64]',
    ],
    [
      "a transposed matrix",
      changed((w) => w.set("model.layers.0.mlp.up_proj.weight", tensor(64, 192))),
      "must be [192,64]",
    ],
    [
      "an unknown tensor",
      changed((w) => w.set("model.layers.7.mlp.up_proj.weight", tensor(1))),
      "belongs to no part of the qwen3 model",
    ],
    [
      "a bias that config.json denies",
      changed((w) => w.set("model.layers.0.self_attn.o_proj.bias", tensor(64))),
      'o_proj.bias" contradicts config.json, which says attention_bias false',
    ],
    [
      "two value heads that differ",
      changed((w) =>
        w
          .set("score.weight", tensor(1, 64))
          .set("value_head.weight", { shape: [1, 64], data: new Float32Array(64).fill(1) }),
      ),
      'tensors "score.weight" and "value_head.weight" are both the value head, and differ',
    ],
    [
      "a tensor in another shard than the index says",
      placed({ a: "a.safetensors", b: "b.safetensors" }, { a: ["a", "b"], b: ["b"] }),
      'a.safetensors holds tensor "b", but model.safetensors.index.json places it in b.safetensors',
    ],
    [
      "a tensor that the index does not name",
      placed({ a: "a.safetensors" }, { a: ["a", "b"] }),
      'a.safetensors holds tensor "b", but model.safetensors.index.json does not name it',
    ],
    [
      "two checksums of one file",
      reader(
        new Map(files).set(
          "SHA256SUMS",
          new TextEncoder().encode(
            ["0", "1"].map((x) => `${x.repeat(64)}  config.json\n`).join(""),
          ),
        ),
      ),
      "SHA256SUMS has two checksums of config.json, which differ",
    ],
    [
      "a file that its checksum, with a path, denies",
      reader(
        new Map(files).set(
          "SHA256SUMS",
          new TextEncoder().encode(`${"0".repeat(64)}  ./config.json\n`),
        ),
      ),
      "config.json is damaged",
    ],
    ["a many-valued head", changed((w) => w.set("score.weight", tensor(2, 64))), "must be [1,64]"],
    ["an index without a map", sharded(3), "weight_map"],
    [
      "a shard outside the folder",
      sharded({ w: "../x.safetensors" }),
      'weight_map of "w" is "../x.safetensors"',
    ],
    ["a missing shard", sharded({ w: "b.safetensors" }), "b.safetensors cannot be read"],
    [
      "a shard without its tensor",
      sharded({ w: "a.safetensors" }),
      'places tensor "w" in a.safetensors, which does not hold it',
    ],
  ])("refuses %s", async (_what, read, words) => {
    const failure = await loadModelFolder(read).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(InputError);
    expect((failure as InputError).message).toContain(words);
  });
});

describe("initModel", () => {
  it("depends on seed and tensor name alone, with the documented spread", () => {
    const [a, b, other] = [initModel(nano, 1), initModel(nano, 1), initModel(nano, 2)];
    expect(a).toEqual(b);
    const up = a.get("model.layers.0.mlp.up_proj.weight")!.data;
    expect(up).not.toEqual(other.get("model.layers.0.mlp.up_proj.weight")!.data);
    const spread = (data: Float32Array) =>
      Math.sqrt(data.reduce((s, x) => s + x * x, 0) / data.length);
    expect(spread(up)).toBeCloseTo(0.02, 3);
    expect(spread(a.get("model.layers.1.mlp.down_proj.weight")!.data)).toBeCloseTo(0.01, 3);
    expect(a.get("model.norm.weight")!.data.every((x) => x === 1)).toBe(true);
  });

  it("makes nano of about 0.1M and micro of about 0.9M parameters", () => {
    const count = (name: "nano" | "micro") =>
      [...parameterShapes(presetConfig(name), "none").values()].reduce(
        (n, s) => n + s.reduce((a, b) => a * b, 1),
        0,
      );
    expect([count("nano"), count("micro")]).toEqual([102784, 894208]);
  });
});
