/** A whole policy update and a critic update, against verl's functions on a transformers model (ppo_step.json). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineModel } from "../../src/engine/engine.ts";
import { clippedSurrogate } from "../../src/method/clip/range.ts";
import { klPenalty } from "../../src/method/objective/kl.ts";
import { valueLoss } from "../../src/method/objective/valueLoss.ts";
import {
  expectTensors,
  farthest,
  goldenJson,
  goldenModel,
  loadGolden,
  norm,
  openEngine,
  tokenRows,
  type GoldenTensor,
  type Rows,
} from "./support.ts";

type Matrix = number[][];
type Sparse = (number | null)[][];

interface PpoStep {
  inputs: Rows & {
    prompt_length: number;
    response_mask: Matrix;
    old_log_prob: Matrix;
    ref_log_prob: Matrix;
    advantages: Matrix;
    temperature: number;
    entropy_coeff: number;
    kl_coef: number;
    lr: number;
    betas: [number, number];
    eps: number;
    weight_decay: number;
    max_grad_norm: number;
  };
  cases: {
    policy_loss: "vanilla" | "gspo";
    loss_agg_mode: "token-mean" | "seq-mean-token-mean";
    config: { clip_ratio_low: number; clip_ratio_high: number; clip_ratio_c?: number };
    outputs: {
      log_prob: Sparse;
      entropy: Sparse;
      total_loss: number;
      grad_l2_per_param: Record<string, number>;
      grad_norm_total_before_clip: number;
      grads: Record<string, GoldenTensor>;
      after_adamw_step: Record<string, GoldenTensor>;
      log_prob_after_step: Sparse;
    };
  }[];
  critic: {
    "score.weight": Matrix;
    "score.bias": number[];
    old_values: Matrix;
    values: Sparse;
    gae_returns: Sparse;
    vf_loss: number;
    vf_clipfrac: number;
    grad_score_weight: Matrix;
    grad_score_bias: number[];
    grad_l2_per_param: Record<string, number>;
  };
}

type Case = PpoStep["cases"][number];

/** Masked response tokens: their place in the rows, and their row. [N] */
function responseTokens({ inputs }: PpoStep) {
  const L = inputs.input_ids[0]!.length;
  return inputs.response_mask.flatMap((mask, b) =>
    mask.flatMap((m, t) => (m ? [{ b, t, at: b * L + inputs.prompt_length + t }] : [])),
  );
}

type Token = ReturnType<typeof responseTokens>[number];

const pick = (tokens: Token[], x: Matrix | Sparse) =>
  Float64Array.from(tokens, ({ b, t }) => x[b]![t]!); // [N]

/** Aggregation weight of each token. [N] */
function weights(tokens: Token[], mode: Case["loss_agg_mode"]): Float64Array {
  const counts = new Map<number, number>();
  for (const { b } of tokens) counts.set(b, (counts.get(b) ?? 0) + 1);
  return Float64Array.from(tokens, ({ b }) =>
    mode === "token-mean" ? 1 / tokens.length : 1 / (counts.size * counts.get(b)!),
  );
}

/** Ratio of each token; GSPO's is the geometric mean over its trajectory. [N] */
function ratios(tokens: Token[], logRatio: Float64Array, kind: Case["policy_loss"]): Float64Array {
  if (kind === "vanilla") return logRatio.map(Math.exp);
  return logRatio.map((_, i) => {
    const own = logRatio.filter((_, j) => tokens[j]!.b === tokens[i]!.b);
    return Math.exp(own.reduce((a, b) => a + b, 0) / own.length);
  });
}

/** verl's actor: pg_loss - entropy_coeff * entropy + kl_coef * low_var_kl, and its gradients. */
function policyTerms(
  golden: PpoStep,
  { policy_loss, loss_agg_mode, config }: Case,
  logprob: Float64Array,
  entropy: Float64Array,
) {
  const { inputs } = golden;
  const tokens = responseTokens(golden);
  const weight = weights(tokens, loss_agg_mode); // [N]
  const old = pick(tokens, inputs.old_log_prob); // [N]
  const ratio = ratios(
    tokens,
    logprob.map((x, i) => x - old[i]!),
    policy_loss,
  ); // [N]
  const clip = {
    epsLow: config.clip_ratio_low,
    epsHigh: config.clip_ratio_high,
    dualClip: config.clip_ratio_c ?? null,
  };
  const surrogate = clippedSurrogate(ratio, pick(tokens, inputs.advantages), clip);
  const kl = klPenalty("k3", logprob, pick(tokens, inputs.ref_log_prob));
  const dLogprob = ratio.map(
    (w, i) => weight[i]! * (surrogate.dRatio[i]! * w + inputs.kl_coef * kl.dLogprob[i]!),
  );
  const each = surrogate.loss.map(
    (pg, i) => pg - inputs.entropy_coeff * entropy[i]! + inputs.kl_coef * kl.kl[i]!,
  );
  return {
    total: each.reduce((sum, x, i) => sum + weight[i]! * x, 0),
    dLogprob,
    dEntropy: weight.map((w) => -inputs.entropy_coeff * w),
  };
}

/** Puts packed numbers at their tokens' places. [N] -> [B*L] */
function spread(places: number[], x: ArrayLike<number>, size: number): Float32Array {
  const out = new Float32Array(size);
  places.forEach((at, i) => (out[at] = x[i]!));
  return out;
}

function expectNorms(grads: Map<string, { data: Float32Array }>, expected: Record<string, number>) {
  for (const [name, l2] of Object.entries(expected)) {
    const ours = name.replace("score.", "value_head.");
    expect(Math.abs(norm(grads.get(ours)!.data) - l2), name).toBeLessThan(1e-4);
  }
}

describe.each(["cpu", "wasm", "plan wasm"] as const)("on %s", (backend) => {
  let engine: Engine;
  beforeAll(async () => void (engine = await openEngine(backend)));
  afterAll(() => engine.dispose());

  describe.each(["qwen2_tied_f32", "qwen3_tied_bf16"])("%s", (name) => {
    let golden: PpoStep;
    beforeAll(async () => void (golden = await goldenJson(name, "ppo_step.json")));

    const logprobs = async (model: EngineModel, entropy: boolean) => {
      const rows = tokenRows(golden.inputs);
      const out = await model.forward({ rows, temperature: golden.inputs.temperature, entropy });
      const places = responseTokens(golden).map(({ at }) => at);
      const packed = (x: Float32Array) => Float64Array.from(places, (at) => x[at]!); // [N]
      return {
        logprob: packed(out.logprob),
        entropy: entropy ? packed(out.entropy!) : new Float64Array(),
      };
    };

    test.each(["vanilla", "gspo"] as const)("policy update: %s", async (kind) => {
      const model = await goldenModel(engine, name);
      const { inputs } = golden;
      const which = golden.cases.find((c) => c.policy_loss === kind)!;
      const { outputs } = which;
      const tokens = responseTokens(golden);
      const { logprob, entropy } = await logprobs(model, true);
      expect(farthest(logprob, pick(tokens, outputs.log_prob))).toBeLessThan(1e-4);
      expect(farthest(entropy, pick(tokens, outputs.entropy))).toBeLessThan(1e-4);

      const terms = policyTerms(golden, which, logprob, entropy);
      expect(Math.abs(terms.total - outputs.total_loss)).toBeLessThan(1e-5);
      const rows = tokenRows(inputs);
      const places = tokens.map(({ at }) => at);
      await model.backward({
        rows,
        temperature: inputs.temperature,
        dLogprob: spread(places, terms.dLogprob, rows.ids.length),
        dEntropy: spread(places, terms.dEntropy, rows.ids.length),
      });
      const before = await model.gradNorm();
      expect(Math.abs(before / outputs.grad_norm_total_before_clip - 1)).toBeLessThan(1e-5);
      const grads = await model.readGrads();
      expectNorms(grads, outputs.grad_l2_per_param);
      expectTensors(grads, outputs.grads, 1e-4);

      model.scaleGrads(Math.min(1, inputs.max_grad_norm / (before + 1e-6)));
      await model.update({
        lr: { trunk: inputs.lr },
        beta1: inputs.betas[0],
        beta2: inputs.betas[1],
        eps: inputs.eps,
        weightDecay: inputs.weight_decay,
      });
      expectTensors(await model.readWeights(), outputs.after_adamw_step, 1e-4);
      const after = await logprobs(model, false);
      expect(farthest(after.logprob, pick(tokens, outputs.log_prob_after_step))).toBeLessThan(2e-3);
      model.dispose();
    });

    test("critic update", async () => {
      const { config, weights } = await loadGolden(name);
      const { critic } = golden;
      weights.set("value_head.weight", {
        shape: [1, config.hiddenSize],
        data: Float32Array.from(critic["score.weight"].flat()),
      });
      weights.set("value_head.bias", { shape: [1], data: Float32Array.from(critic["score.bias"]) });
      const model = await engine.createModel(config, weights, "shared");
      const rows = tokenRows(golden.inputs);
      const tokens = responseTokens(golden);
      const before = tokens.map(({ at }) => at - 1); // V of the prefix before each token
      const out = await model.forward({ rows, temperature: 1, value: true });
      const value = Float64Array.from(before, (at) => out.value![at]!); // [N]
      expect(farthest(value, pick(tokens, critic.values))).toBeLessThan(1e-4);
      const loss = valueLoss({
        value,
        oldValue: pick(tokens, critic.old_values),
        ret: pick(tokens, critic.gae_returns),
        weight: new Float64Array(tokens.length).fill(1 / tokens.length),
        clip: 0.2,
      });
      expect(Math.abs(loss.loss - critic.vf_loss)).toBeLessThan(1e-5);
      await model.backward({
        rows,
        temperature: 1,
        dValue: spread(before, loss.dValue, rows.ids.length),
      });
      const grads = await model.readGrads();
      expectNorms(grads, critic.grad_l2_per_param);
      expect(
        farthest(grads.get("value_head.weight")!.data, critic.grad_score_weight.flat()),
      ).toBeLessThan(1e-4);
      expect(farthest(grads.get("value_head.bias")!.data, critic.grad_score_bias)).toBeLessThan(
        1e-4,
      );
      model.dispose();
    });
  });
});
