/** PEFT's LoRA folders, merged while the base is read. */
import { describe, expect, it } from "vitest";
import type { WeightPiece } from "../../src/engine/engine.ts";
import { withAdapter } from "../../src/model/adapter.ts";
import { parameterShapes } from "../../src/engine/parameters.ts";
import { exportModelFolder, openModelFolder, wholeWeights } from "../../src/model/folder.ts";
import { initModel, presetConfig } from "../../src/model/initModel.ts";
import { writeSafetensors } from "../../src/model/safetensors.ts";
import { normals } from "../../src/numeric/rng.ts";

type Files = Map<string, Uint8Array>;
type Tensors = Map<string, { shape: number[]; data: Float32Array }>;

const opener = (files: Files) => async (name: string) => {
  const bytes = files.get(name);
  if (!bytes) throw new Error("no such file");
  return {
    size: bytes.length,
    read: async (start: number, end: number) => bytes.subarray(start, end),
  };
};

const small = { ...presetConfig("nano", 20), layers: 1 };
const files = exportModelFolder(small, initModel(small, 3));

/** Pieces that start and end within rows. */
async function* cut(pieces: AsyncIterable<WeightPiece>) {
  for await (const { name, at, data } of pieces)
    for (let i = 0; i < data.length; i += 1000)
      yield { name, at: at + i, data: data.subarray(i, i + 1000) };
}

const base = async () => {
  const opened = await openModelFolder(opener(files), [...files.keys()]);
  return { ...opened, pieces: () => cut(opened.pieces()) };
};

const RANK = 3;
const random = (shape: number[], stream: string) => {
  const key = { seed: 5, stream, iteration: 0, trajectory: 0, step: 0 };
  return { shape, data: Float32Array.from(normals(key, shape[0]! * shape[1]!)) };
};

const targets = ["self_attn.q_proj", "mlp.down_proj"].map((path) => `model.layers.0.${path}`);
const stored = (path: string, factor: string) => `base_model.model.${path}.lora_${factor}.weight`;

const factors = (rankOf: (path: string) => number = () => RANK): Tensors => {
  const shapes = parameterShapes(small, "none");
  return new Map(
    targets.flatMap((path) => {
      const [out, into] = shapes.get(`${path}.weight`)! as [number, number];
      return [
        [stored(path, "A"), random([rankOf(path), into], `${path} A`)] as const,
        [stored(path, "B"), random([out, rankOf(path)], `${path} B`)] as const,
      ];
    }),
  );
};

const settings = {
  peft_type: "LORA",
  r: RANK,
  lora_alpha: 8,
  target_modules: ["q_proj", "down_proj"],
  bias: "none",
  use_rslora: false,
  rank_pattern: {},
  modules_to_save: null,
};

const folder = (changes: object = {}, tensors = factors()): Files =>
  new Map([
    ["adapter_config.json", new TextEncoder().encode(JSON.stringify({ ...settings, ...changes }))],
    ["adapter_model.safetensors", writeSafetensors(tensors)],
  ]);

const open = async (adapter: Files) => withAdapter(await base(), opener(adapter));

describe("merging", () => {
  const always = (scale: number) => () => scale;
  const ofQ = (path: string) => path.endsWith("q_proj");
  it.each<[string, object, (path: string) => number, ((path: string) => number)?]>([
    ["alpha / r", {}, always(8 / RANK)],
    ["alpha / sqrt(r) with use_rslora", { use_rslora: true }, always(8 / Math.sqrt(RANK))],
    [
      "a module's own alpha",
      { alpha_pattern: { "self_attn.q_proj": 2, o_proj: 5 } },
      (path) => (ofQ(path) ? 2 : 8) / RANK,
    ],
    [
      "alpha / its own rank, by the first key that fits",
      { rank_pattern: { "^q_proj": 9, "^model\\.layers\\.0\\.self_attn.q_proj": 2, q_proj: 7 } },
      (path) => 8 / (ofQ(path) ? 2 : RANK),
      (path) => (ofQ(path) ? 2 : RANK),
    ],
    [
      "alpha / r, as PEFT writes what is left out and what starts without a change of the base,",
      {
        ...{ modules_to_save: [], trainable_token_indices: {}, target_parameters: null },
        ...{ use_qalora: false, qalora_group_size: 16, arrow_config: null, eva_config: { rho: 2 } },
        ...{ init_lora_weights: "eva", ensure_weight_tying: false, peft_version: "0.18.0" },
        target_modules: ["q_proj", "down_proj", "c_attn"],
      },
      always(8 / RANK),
    ],
  ])(
    "adds B A times %s, as in float64, across cut rows, and nothing elsewhere",
    async (_what, changes, scaleOf, rankOf = always(RANK)) => {
      const all = factors(rankOf);
      const found = await wholeWeights(await open(folder(changes, all)));
      for (const [name, { shape, data }] of initModel(small, 3)) {
        const path = name.replace(/\.weight$/, "");
        const [A, B] = ["A", "B"].map((factor) => all.get(stored(path, factor))?.data);
        const merged = found.get(name)!.data;
        if (!A || !B) {
          expect(merged).toEqual(data);
          continue;
        }
        const [out, into] = shape as [number, number];
        const [rank, scale] = [rankOf(path), scaleOf(path)];
        let worst = 0;
        for (let i = 0; i < out; i++)
          for (let j = 0; j < into; j++) {
            let sum = 0;
            for (let k = 0; k < rank; k++) sum += B[i * rank + k]! * A[k * into + j]!;
            const expected = data[i * into + j]! + scale * sum;
            worst = Math.max(
              worst,
              Math.abs(merged[i * into + j]! - expected) / Math.max(1, Math.abs(expected)),
            );
          }
        expect(worst).toBeLessThan(1e-7);
        expect(merged).not.toEqual(data);
      }
    },
  );
});

describe("refusals", () => {
  const without = (name: string) => new Map([...factors()].filter(([key]) => key !== name));
  const [q, down] = targets as [string, string];
  it.each<[string, () => Files, string]>([
    [
      "another method",
      () => folder({ peft_type: "IA3" }),
      'peft_type is "IA3"; only "LORA" is supported',
    ],
    ["DoRA", () => folder({ use_dora: true }), "use_dora is true"],
    ["biases", () => folder({ bias: "all" }), 'bias is "all"; only null or "none" is supported'],
    ["whole modules", () => folder({ modules_to_save: ["lm_head"] }), "modules_to_save is"],
    [
      "another rank of a module",
      () => folder({ rank_pattern: { q_proj: 2 } }),
      'by rank_pattern of "q_proj" and the base it must be [2,',
    ],
    [
      "a pattern that is no path",
      () => folder({ alpha_pattern: { "(q|k)_proj": 2 } }),
      `"(q|k)_proj" must be the end of a module's path, or merge it with PEFT (merge_and_unload)`,
    ],
    [
      "an alpha that is no number",
      () => folder({ alpha_pattern: { down_proj: "8" } }),
      'alpha_pattern of "down_proj" is "8"; it must be a number',
    ],
    [
      "a list of ranks",
      () => folder({ rank_pattern: [2] }),
      "rank_pattern is [2]; it must be an object",
    ],
    ["QALoRA", () => folder({ use_qalora: true }), "use_qalora is true; only null or false"],
    ["adapted parameters", () => folder({ target_parameters: ["up"] }), "target_parameters is"],
    [
      "a changed base",
      () => folder({ init_lora_weights: "pissa" }),
      'init_lora_weights is "pissa"',
    ],
    ["no rank", () => folder({ r: 0 }), "r is 0; it must be a whole number of at least 1"],
    ["no alpha", () => folder({ lora_alpha: "8" }), 'lora_alpha is "8"; it must be a number'],
    ["another rank", () => folder({ r: 2 }), "by r and the base it must be [2,"],
    [
      "a target without tensors",
      () => folder({ target_modules: ["q_proj", "down_proj", "k_proj"] }),
      'adapter_model.safetensors has no tensor of "k_proj"',
    ],
    [
      "a tensor of no target",
      () => folder({ target_modules: ["q_proj"] }),
      `also has "${down}.weight"; make them agree`,
    ],
    ["half a product", () => folder({}, without(stored(q, "B"))), `lacks lora_B of "${q}.weight"`],
    [
      "a layer that the base lacks",
      () =>
        folder({}, factors().set(stored("model.layers.7.mlp.up_proj", "A"), random([3, 64], "x"))),
      'is for "model.layers.7.mlp.up_proj.weight", which the base lacks',
    ],
    [
      "a norm",
      () => folder({}, factors().set(stored("model.norm", "A"), random([3, 64], "x"))),
      "only linear layers can be adapted",
    ],
    [
      "other tensors",
      () => folder({}, factors().set("model.norm.weight", random([1, 64], "x"))),
      'tensor "model.norm.weight" is no lora_A or lora_B of a matrix',
    ],
    [
      "no weights",
      () => new Map([...folder()].filter(([name]) => name === "adapter_config.json")),
      "the adapter's adapter_model.safetensors cannot be read: no such file",
    ],
  ])("%s", async (_what, make, words) => {
    await expect(open(make())).rejects.toThrow(words);
  });
});
