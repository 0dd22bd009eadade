/** The engines against PyTorch and transformers (test/golden/README.md, model part). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine, EngineModel, UpdateRequest } from "../../src/engine/engine.ts";
import {
  expectTensors,
  farthest,
  goldenJson,
  goldenModel,
  goldenModels,
  loadGolden,
  norm,
  openEngine,
  tokenRows,
  type GoldenTensor,
  type Rows,
} from "./support.ts";

interface Case extends Rows {
  name: string;
  /** null at padding. */
  logits: (number[] | null)[][];
  next_token_logprobs: (number | null)[][];
  entropy: (number | null)[][];
}

interface Expected {
  param_names: Record<string, number[]>;
  cases: Case[];
  greedy_generate: {
    input_ids: number[][];
    attention_mask: number[][];
    max_new_tokens: number;
    new_tokens: number[][];
    new_token_logprobs: number[][];
  };
  loss: Rows & {
    labels: number[][];
    num_loss_tokens: number;
    loss: number;
    grad_norm_global_l2: number;
    grad_l2_per_param: Record<string, number>;
    grads: Record<string, GoldenTensor>;
  };
  adamw: {
    lr: number;
    betas: [number, number];
    eps: number;
    weight_decay: number;
    loss_before_each_step_and_final: number[];
    after_step_1: Record<string, GoldenTensor>;
    after_step_3: Record<string, GoldenTensor>;
    with_grad_clip: {
      max_norm: number;
      loss_before_each_step_and_final: number[];
      grad_norm_before_clip: number[];
      after_step_2: Record<string, GoldenTensor>;
    };
  };
  value_head: {
    "score.weight": number[][];
    "score.bias": number[];
    values: (number | null)[][];
  };
}

/** Per-token gradient of the mean negative log-prob of the labelled tokens. */
function lossGradient(loss: Expected["loss"]): Float32Array {
  return Float32Array.from(
    loss.labels.flatMap((row) =>
      row.map((label, t) => (t > 0 && label !== -100 ? -1 / loss.num_loss_tokens : 0)),
    ),
  ); // [B*L]
}

async function lossOf(model: EngineModel, loss: Expected["loss"]): Promise<number> {
  const { logprob } = await model.forward({ rows: tokenRows(loss), temperature: 1 });
  return lossGradient(loss).reduce((sum, d, i) => sum + d * logprob[i]!, 0);
}

/** AdamW divides by the gradient's size: where that is float noise (test/golden/README.md), so is the step. */
const illConditioned = (loss: Expected["loss"]) => (name: string, index: number) => {
  const grad = Math.abs(loss.grads[name]?.data[index] ?? 1);
  return grad > 0 && grad < 1e-6;
};

const updateOf = ({ lr, betas, eps, weight_decay }: Expected["adamw"]): UpdateRequest => ({
  lr: { trunk: lr },
  beta1: betas[0],
  beta2: betas[1],
  eps,
  weightDecay: weight_decay,
});

describe.each(["cpu", "wasm", "plan wasm", "plan webgpu"] as const)("on %s", (backend) => {
  let engine: Engine;
  beforeAll(async () => void (engine = await openEngine(backend)));
  afterAll(() => engine.dispose());

  describe.each(goldenModels)("%s", (name) => {
    let expected: Expected;
    beforeAll(async () => void (expected = await goldenJson(name, "expected.json")));

    const withModel = async (body: (model: EngineModel) => Promise<void>) => {
      const model = await goldenModel(engine, name);
      await body(model);
      model.dispose();
    };

    test.each(["plain", "left_padded", "right_padded"])(
      "logits, log-probs, entropy: %s",
      async (which) => {
        await withModel(async (model) => {
          const golden = expected.cases.find((c) => c.name === which)!;
          const rows = tokenRows(golden);
          const out = await model.forward({ rows, temperature: 1, entropy: true, logits: true });
          const real = (at: number) => rows.segment[at]! >= 0;
          const blank = Array<null>(model.config.vocabSize).fill(null);
          const logits = golden.logits.flat().flatMap((row) => row ?? blank);
          expect(farthest(out.logits!, logits)).toBeLessThan(1e-4);
          // The golden log-prob and entropy at t - 1 speak of token t.
          const shifted = (from: (number | null)[][]) =>
            from.flatMap((row, b) =>
              Array.from({ length: rows.L }, (_, t) =>
                t > 0 && real(b * rows.L + t - 1) && real(b * rows.L + t) ? row[t - 1]! : null,
              ),
            );
          const logprobs = shifted(golden.next_token_logprobs);
          expect(logprobs.filter((x) => x !== null).length).toBeGreaterThan(10);
          expect(farthest(out.logprob, logprobs)).toBeLessThan(1e-4);
          expect(farthest(out.entropy!, shifted(golden.entropy))).toBeLessThan(1e-4);
        });
      },
    );

    test("loss and gradients", async () => {
      await withModel(async (model) => {
        const { loss } = expected;
        expect(Math.abs((await lossOf(model, loss)) - loss.loss)).toBeLessThan(1e-5);
        await model.backward({
          rows: tokenRows(loss),
          temperature: 1,
          dLogprob: lossGradient(loss),
        });
        const global = await model.gradNorm();
        expect(Math.abs(global / loss.grad_norm_global_l2 - 1)).toBeLessThan(1e-5);
        const grads = await model.readGrads();
        expect([...grads.keys()].sort()).toEqual(Object.keys(loss.grad_l2_per_param).sort());
        for (const [param, l2] of Object.entries(loss.grad_l2_per_param)) {
          expect(Math.abs(norm(grads.get(param)!.data) - l2), param).toBeLessThan(1e-4);
        }
        expectTensors(grads, loss.grads, 1e-4);
      });
    });

    test("five AdamW steps", async () => {
      await withModel(async (model) => {
        const { adamw, loss } = expected;
        const losses: number[] = [];
        for (let step = 1; step <= 5; step++) {
          losses.push(await lossOf(model, loss));
          await model.backward({
            rows: tokenRows(loss),
            temperature: 1,
            dLogprob: lossGradient(loss),
          });
          await model.update(updateOf(adamw));
          if (step === 1) expectTensors(await model.readWeights(), adamw.after_step_1, 1e-4);
          if (step === 3) {
            const unsure = illConditioned(loss);
            expectTensors(await model.readWeights(), adamw.after_step_3, 5e-4, unsure);
          }
        }
        losses.push(await lossOf(model, loss));
        expect(farthest(losses, adamw.loss_before_each_step_and_final)).toBeLessThan(1e-4);
      });
    });

    test("AdamW steps with clipping", async () => {
      await withModel(async (model) => {
        const { loss, adamw } = expected;
        const clip = adamw.with_grad_clip;
        const losses: number[] = [];
        for (const expectedNorm of clip.grad_norm_before_clip) {
          losses.push(await lossOf(model, loss));
          await model.backward({
            rows: tokenRows(loss),
            temperature: 1,
            dLogprob: lossGradient(loss),
          });
          const before = await model.gradNorm();
          expect(Math.abs(before / expectedNorm - 1)).toBeLessThan(1e-4);
          model.scaleGrads(Math.min(1, clip.max_norm / (before + 1e-6)));
          await model.update(updateOf(adamw));
        }
        losses.push(await lossOf(model, loss));
        expect(farthest(losses, clip.loss_before_each_step_and_final)).toBeLessThan(1e-4);
        expectTensors(await model.readWeights(), clip.after_step_2, 5e-4);
      });
    });

    test("value head", async () => {
      const { config, weights } = await loadGolden(name);
      const { value_head: head, cases } = expected;
      weights.set("value_head.weight", {
        shape: [1, config.hiddenSize],
        data: Float32Array.from(head["score.weight"].flat()),
      });
      weights.set("value_head.bias", { shape: [1], data: Float32Array.from(head["score.bias"]) });
      const model = await engine.createModel(config, weights, "detached");
      const rows = tokenRows(cases.find((c) => c.name === "left_padded")!);
      const { value } = await model.forward({ rows, temperature: 1, value: true });
      expect(farthest(value!, head.values.flat())).toBeLessThan(1e-4);
      model.dispose();
    });

    test("greedy generation with the KV cache", async () => {
      await withModel(async (model) => {
        const golden = expected.greedy_generate;
        const B = golden.input_ids.length;
        const session = model.decode(B, 32);
        const out = await session.generate({
          prompts: golden.input_ids.map((ids, b) =>
            ids.filter((_, t) => golden.attention_mask[b]![t]),
          ),
          maxNewTokens: golden.max_new_tokens,
          stopIds: [],
          temperature: 0,
          key: {
            seed: 1,
            stream: "test",
            iteration: 0,
            trajectory: Array<number>(B).fill(0),
            step: Array<number>(B).fill(0),
          },
        });
        expect(out.ids).toEqual(golden.new_tokens);
        expect(farthest(out.logprobs.flat(), golden.new_token_logprobs.flat())).toBeLessThan(1e-4);
        session.dispose();
      });
    });
  });
});
