/** A Qwen decoder in float64, written plainly: what the engines' numbers are held to. One segment a row. */
import type { ModelConfig } from "../../src/engine/modelConfig.ts";
import type { WeightMap } from "../../src/engine/engine.ts";

type Rows = Float64Array[];

/** Adds alpha / rank B A to each adapted matrix. */
export function merged(weights: WeightMap, { lora }: ModelConfig): WeightMap {
  const all: WeightMap = new Map();
  for (const [name, { shape, data }] of weights)
    all.set(name, { shape, data: Float64Array.from(data) as unknown as Float32Array });
  for (const [name, { data: A, shape }] of weights) {
    if (!name.endsWith("lora_A.weight")) continue;
    const B = weights.get(name.replace("lora_A", "lora_B"))!.data;
    const W = all.get(name.replace("lora_A.", ""))!;
    const [rank, width] = shape as [number, number];
    for (let i = 0; i < W.shape[0]!; i++)
      for (let j = 0; j < width; j++)
        for (let k = 0; k < rank; k++)
          W.data[i * width + j]! +=
            (lora!.alpha / lora!.rank) * B[i * rank + k]! * A[k * width + j]!;
  }
  return all;
}

/** Raw logits after each token. [L][V] */
export function floatLogits(config: ModelConfig, weights: WeightMap, ids: readonly number[]): Rows {
  const w = merged(weights, config);
  const { hiddenSize: D, heads: H, kvHeads: K, headDim: d, rmsNormEps: eps } = config;
  const tensor = (name: string) => w.get(name)?.data as ArrayLike<number> | undefined;
  const linear = (x: Rows, name: string): Rows => {
    const [W, bias] = [tensor(`${name}.weight`)!, tensor(`${name}.bias`)];
    const width = x[0]!.length;
    return x.map((row) => {
      const out = new Float64Array(W.length / width);
      for (let i = 0; i < out.length; i++) {
        let sum = bias?.[i] ?? 0;
        for (let j = 0; j < width; j++) sum += row[j]! * W[i * width + j]!;
        out[i] = sum;
      }
      return out;
    });
  };
  const norm = (row: Float64Array, name: string) => {
    const scale = 1 / Math.sqrt(row.reduce((sum, one) => sum + one * one, 0) / row.length + eps);
    return row.map((one, i) => one * scale * tensor(name)![i]!);
  };
  const add = (a: Rows, b: Rows) => a.map((row, t) => row.map((one, i) => one + b[t]![i]!));
  /** The head of one token, normed if there is a norm, turned by its position. */
  const head = (row: Float64Array, h: number, t: number, name: string) => {
    const own = row.slice(h * d, (h + 1) * d);
    const x = config.family === "qwen3" ? norm(own, name) : own;
    return x.map((one, i) => {
      const angle = t * config.ropeTheta ** ((-2 * (i % (d / 2))) / d);
      const other = i < d / 2 ? -x[i + d / 2]! : x[i - d / 2]!;
      return one * Math.cos(angle) + other * Math.sin(angle);
    });
  };
  const table = tensor("model.embed_tokens.weight")!;
  let x: Rows = ids.map((id) => Float64Array.from({ length: D }, (_, i) => table[id * D + i]!));
  for (let layer = 0; layer < config.layers; layer++) {
    const p = `model.layers.${layer}`;
    const h1 = x.map((row) => norm(row, `${p}.input_layernorm.weight`));
    const [q, k, v] = ["q", "k", "v"].map((part) => linear(h1, `${p}.self_attn.${part}_proj`));
    const keys = k!.map((row, t) =>
      Array.from({ length: K }, (_, g) => head(row, g, t, `${p}.self_attn.k_norm.weight`)),
    );
    const o = x.map((_, t) => {
      const out = new Float64Array(H * d);
      for (let h = 0; h < H; h++) {
        const g = Math.floor((h * K) / H);
        const query = head(q![t]!, h, t, `${p}.self_attn.q_norm.weight`);
        const scores = keys.slice(0, t + 1).map((all) => {
          const key = all[g]!;
          return query.reduce((sum, one, i) => sum + one * key[i]!, 0) / Math.sqrt(d);
        });
        const most = Math.max(...scores);
        const sum = scores.reduce((all, one) => all + Math.exp(one - most), 0);
        scores.forEach((one, s) => {
          const share = Math.exp(one - most) / sum;
          for (let i = 0; i < d; i++) out[h * d + i]! += share * v![s]![g * d + i]!;
        });
      }
      return out;
    });
    x = add(x, linear(o, `${p}.self_attn.o_proj`));
    const h2 = x.map((row) => norm(row, `${p}.post_attention_layernorm.weight`));
    const [gate, up] = ["gate", "up"].map((part) => linear(h2, `${p}.mlp.${part}_proj`));
    const inner = gate!.map((row, t) => row.map((z, i) => (z / (1 + Math.exp(-z))) * up![t]![i]!));
    x = add(x, linear(inner, `${p}.mlp.down_proj`));
  }
  const last = x.map((row) => norm(row, "model.norm.weight"));
  const out = config.tieWordEmbeddings ? "model.embed_tokens" : "lm_head";
  return linear(last, out);
}

/** sum of d[t] (log-prob of token t + entropy of the distribution it is drawn from), for t > 0. */
export function floatObjective(
  config: ModelConfig,
  weights: WeightMap,
  ids: readonly number[],
  d: ArrayLike<number>,
  temperature: number,
): number {
  const logits = floatLogits(config, weights, ids);
  let sum = 0;
  for (let t = 1; t < ids.length; t++) {
    if (d[t] === 0) continue;
    const z = logits[t - 1]!.map((one) => one / temperature);
    const most = Math.max(...z);
    const total = z.reduce((all, one) => all + Math.exp(one - most), 0);
    const logp = z.map((one) => one - most - Math.log(total));
    const entropy = -logp.reduce((all, one) => all + Math.exp(one) * one, 0);
    sum += d[t]! * (logp[ids[t]!]! + entropy);
  }
  return sum;
}
