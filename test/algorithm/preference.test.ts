import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entropyFromLogits, logprobFromLogits } from "../../src/method/objective/entropy.ts";
import { exp } from "../../src/numeric/deterministic.ts";
import {
  pairLoss,
  preferenceLoss,
  type PreferenceInput,
  type PreferenceRule,
} from "../../src/algorithm/preference.ts";
import { preferenceConfig, preferenceNames } from "../../src/spec/preference.ts";
import { expectClose, formula, type GoldenCase, type Matrix } from "../golden/load.ts";

const f64 = (...x: ArrayLike<number>[]) => Float64Array.from(x.flatMap((part) => Array.from(part)));
const settings = { beta: 0.1, alpha: 0.5, labelSmoothing: 0 };
const rule = (name: string, changes: Partial<PreferenceRule> = {}): PreferenceRule => ({
  ...preferenceConfig(name, settings),
  ...changes,
});

function dpoCases<I, O>(name: string): GoldenCase<I, O>[] {
  const file = new URL(`../golden/dpo/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { cases: GoldenCase<I, O>[] }).cases;
}

it("golden G11: m = (1.2, -0.8), KL = (0.3, 0.9)", () => {
  const sums = { logps: f64([1.2, -0.8]), refLogps: f64([0, 0]), seqKl: f64([0.3, 0.9]) };
  expect(pairLoss(rule("dpo"), sums).loss).toBeCloseTo(formula<number>("G11_dpo"), 6);
  for (const name of ["tdpo1", "tdpo2"]) {
    const { loss, logit } = pairLoss(rule(name), sums);
    const expected = formula<{ logit: number; loss: number }>(`G11_${name}`);
    expect(loss).toBeCloseTo(expected.loss, 6);
    expect(logit[0]).toBeCloseTo(expected.logit, 12);
  }
});

describe("DPO and IPO: golden preference_loss", () => {
  interface Inputs {
    policy_chosen_logps: number[];
    policy_rejected_logps: number[];
    reference_chosen_logps: number[];
    reference_rejected_logps: number[];
    beta: number;
    label_smoothing?: number;
    ipo?: boolean;
    reference_free?: boolean;
  }
  interface Outputs {
    losses: number[];
    chosen_rewards: number[];
    rejected_rewards: number[];
    grad_of_mean_loss_wrt_policy_chosen_logps: number[];
    grad_of_mean_loss_wrt_policy_rejected_logps: number[];
  }
  const cases = dpoCases<Inputs, Outputs>("dpo_loss");
  it.each(cases)("$name", ({ inputs, outputs }) => {
    const logps = f64(inputs.policy_chosen_logps, inputs.policy_rejected_logps);
    const refLogps = f64(inputs.reference_chosen_logps, inputs.reference_rejected_logps);
    const changes = {
      beta: inputs.beta,
      labelSmoothing: inputs.label_smoothing ?? 0,
      referenceFree: inputs.reference_free ?? false,
    };
    const seqKl = new Float64Array(logps.length).fill(7); // of no effect
    const sums = { logps, refLogps, seqKl };
    const result = pairLoss(rule(inputs.ipo ? "ipo" : "dpo", changes), sums);
    expectClose(result.pairLoss, outputs.losses);
    expectClose(result.reward, [...outputs.chosen_rewards, ...outputs.rejected_rewards]);
    expectClose(result.dLogps, [
      ...outputs.grad_of_mean_loss_wrt_policy_chosen_logps,
      ...outputs.grad_of_mean_loss_wrt_policy_rejected_logps,
    ]);
    expect(result.dSeqKl.every((d) => d === 0)).toBe(true);
  });
});

describe("TDPO: golden tdpo_loss", () => {
  interface Inputs {
    chosen_logps_margin: number[];
    rejected_logps_margin: number[];
    chosen_position_kl: number[];
    rejected_position_kl: number[];
    beta: number;
    alpha: number;
    if_tdpo2: boolean;
  }
  interface Outputs {
    losses: number[];
    chosen_rewards: number[];
    rejected_rewards: number[];
    grad_of_mean_loss: Pick<Inputs, Exclude<keyof Inputs, "beta" | "alpha" | "if_tdpo2">>;
  }
  it.each(dpoCases<Inputs, Outputs>("tdpo_loss"))("$name", ({ inputs, outputs }) => {
    const { beta, alpha, if_tdpo2 } = inputs;
    const logps = f64(inputs.chosen_logps_margin, inputs.rejected_logps_margin);
    const refLogps = new Float64Array(logps.length);
    const seqKl = f64(inputs.chosen_position_kl, inputs.rejected_position_kl);
    const method = rule(if_tdpo2 ? "tdpo2" : "tdpo1", { beta, alpha });
    const result = pairLoss(method, { logps, refLogps, seqKl });
    const grads = outputs.grad_of_mean_loss;
    expectClose(result.pairLoss, outputs.losses);
    expectClose(result.reward, [...outputs.chosen_rewards, ...outputs.rejected_rewards]);
    expectClose(result.dLogps, [...grads.chosen_logps_margin, ...grads.rejected_logps_margin]);
    expectClose(result.dSeqKl, [...grads.chosen_position_kl, ...grads.rejected_position_kl]);
  });
});

/** log softmax. [V] -> [V] */
const logSoftmax = (z: number[]) => z.map((_, v) => logprobFromLogits(z, v));

/** KL(ref || pi) of two rows of logits, and its gradient with respect to pi's: pi - ref. [V] */
function klFromLogits(ref: number[], pi: number[]) {
  const [logRef, logPi] = [logSoftmax(ref), logSoftmax(pi)];
  const kl = logRef.reduce((sum, lr, v) => sum + exp(lr) * (lr - logPi[v]!), 0);
  return { kl, dLogits: logPi.map((lp, v) => exp(lp) - exp(logRef[v]!)) };
}

describe("from logits", () => {
  interface Inputs {
    chosen_logits: number[][][];
    rejected_logits: number[][][];
    ref_chosen_logits: number[][][];
    ref_rejected_logits: number[][][];
    chosen_labels: Matrix;
    rejected_labels: Matrix;
  }
  type Asked = Inputs & { beta: number; alpha: number; if_tdpo2: boolean; same_inputs_as?: string };
  interface Side {
    logps_margin: number[];
    position_kl: number[];
    logps: number[];
  }
  interface Outputs {
    chosen: Side;
    rejected: Side;
    losses: number[];
    chosen_rewards: number[];
    rejected_rewards: number[];
    grad_of_mean_loss_wrt_chosen_logits: number[][][];
    grad_of_mean_loss_wrt_rejected_logits: number[][][];
  }

  /** Where labels count: logits [b][t] predict labels [b][t + 1]. */
  const places = (labels: Matrix) =>
    labels.map((row) => row.flatMap((label, t) => (t > 0 && label !== -100 ? [t - 1] : [])));

  const cases = dpoCases<Asked, Outputs>("tdpo_from_logits");
  it.each(cases)("golden _tdpo_get_batch_logps and tdpo_loss: $name", ({ inputs, outputs }) => {
    const source = cases.find(({ name }) => name === inputs.same_inputs_as)?.inputs ?? inputs;
    const logits = [...source.chosen_logits, ...source.rejected_logits]; // [2P][T][V]
    const ref = [...source.ref_chosen_logits, ...source.ref_rejected_logits];
    const labels = [...source.chosen_labels, ...source.rejected_labels];
    const at = places(labels);
    const tokens = at.flatMap((row, b) => row.map((t) => [b, t] as const)); // [N]
    const logprobs = (of: number[][][]) =>
      f64(tokens.map(([b, t]) => logprobFromLogits(of[b]![t]!, labels[b]![t + 1]!)));
    const kls = tokens.map(([b, t]) => klFromLogits(ref[b]![t]!, logits[b]![t]!));
    const start = Int32Array.of(0, ...at.map((_, i) => at.slice(0, i + 1).flat().length));
    const { beta, alpha, if_tdpo2 } = inputs;
    const result = preferenceLoss(rule(if_tdpo2 ? "tdpo2" : "tdpo1", { beta, alpha }), {
      logprob: logprobs(logits),
      refLogprob: logprobs(ref),
      kl: f64(kls.map(({ kl }) => kl)),
      start,
    });
    const { chosen, rejected } = outputs;
    expectClose(result.logps, [...chosen.logps, ...rejected.logps]);
    expectClose(result.seqKl, [...chosen.position_kl, ...rejected.position_kl]);
    expectClose(
      result.logps.map((x, i) => x - result.refLogps[i]!),
      [...chosen.logps_margin, ...rejected.logps_margin],
    );
    expectClose(result.pairLoss, outputs.losses);
    expectClose(result.reward, [...outputs.chosen_rewards, ...outputs.rejected_rewards]);
    // Chain rule: d logprob / d logits = onehot - pi, d KL / d logits = pi - ref.
    const grad = logits.map((row) => row.map((z) => z.map(() => 0)));
    tokens.forEach(([b, t], n) => {
      const logp = logSoftmax(logits[b]![t]!);
      grad[b]![t] = logp.map((lp, v) => {
        const hit = v === labels[b]![t + 1] ? 1 : 0;
        return result.dLogprob[n]! * (hit - exp(lp)) + result.dKl![n]! * kls[n]!.dLogits[v]!;
      });
    });
    const expected = [
      ...outputs.grad_of_mean_loss_wrt_chosen_logits,
      ...outputs.grad_of_mean_loss_wrt_rejected_logits,
    ];
    expectClose(grad.flat(2), expected.flat(2));
  });

  interface BatchInputs {
    logits: number[][][];
    labels: Matrix;
    average_log_prob: boolean;
  }
  it.each(dpoCases<BatchInputs, { logps: number[] }>("batch_logps"))(
    "golden _get_batch_logps: $name",
    ({ inputs: { logits, labels, average_log_prob }, outputs }) => {
      const at = places(labels);
      const logprob = at.flatMap((row, b) =>
        row.map((t) => logprobFromLogits(logits[b]![t]!, labels[b]![t + 1]!)),
      );
      const start = Int32Array.of(0, at[0]!.length, logprob.length);
      const blank = new Float64Array(logprob.length);
      const method = rule(average_log_prob ? "ipo" : "dpo");
      const input = { logprob: f64(logprob), refLogprob: blank, kl: blank, start };
      expectClose(preferenceLoss(method, input).logps, outputs.logps);
    },
  );

  it("the KL's reference formula is entropy's: KL to the uniform reference is log V - H of the other", () => {
    const z = [0.3, -1, 2, 0.1];
    const { kl } = klFromLogits(z, [0, 0, 0, 0]);
    expect(kl).toBeCloseTo(Math.log(4) - entropyFromLogits(z).entropy, 12);
  });
});

/** Pairs of responses of 1 to 4 tokens. */
const anyPairs = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((lengths) => {
    const all = [...lengths.map(([w]) => w), ...lengths.map(([, l]) => l)];
    const N = all.reduce((a, b) => a + b);
    const start = Int32Array.of(
      0,
      ...all.map((_, i) => all.slice(0, i + 1).reduce((a, b) => a + b)),
    );
    const column = (min: number, max: number) =>
      fc
        .array(fc.double({ min, max, noNaN: true }), { minLength: N, maxLength: N })
        .map((x) => f64(x));
    return fc.record({
      logprob: column(-4, -0.01),
      refLogprob: column(-4, -0.01),
      kl: column(0, 2),
      start: fc.constant(start),
    });
  });

describe("gradients by difference quotient", () => {
  /** The loss with D_w held where it was, as the stop-gradient has it. */
  const lossWithHeld = (method: PreferenceRule, input: PreferenceInput, held: PreferenceInput) => {
    if (method.seqKl !== "held-margin") return preferenceLoss(method, input).loss;
    const P = (input.start.length - 1) / 2;
    const chosenEnd = input.start[P]!;
    const kl = input.kl.map((x, t) => (t < chosenEnd ? held.kl[t]! : x));
    return preferenceLoss(method, { ...input, kl }).loss;
  };
  const methods = preferenceNames.flatMap((name) => [
    { name, smoothing: 0 },
    { name, smoothing: 0.2 },
  ]);
  it.each(methods)("$name, label smoothing $smoothing", ({ name, smoothing }) => {
    fc.assert(
      fc.property(anyPairs, fc.double({ min: 0.05, max: 2, noNaN: true }), (input, beta) => {
        const method = rule(name, { beta, labelSmoothing: smoothing });
        const { dLogprob, dKl } = preferenceLoss(method, input);
        const h = 1e-5;
        const quotient = (key: "logprob" | "kl", t: number) => {
          const moved = (by: number) => {
            const column = input[key].slice();
            column[t]! += by;
            return lossWithHeld(method, { ...input, [key]: column }, input);
          };
          return (moved(h) - moved(-h)) / (2 * h);
        };
        for (let t = 0; t < input.logprob.length; t++) {
          const near = (x: number, y: number) => Math.abs(x - y) < 1e-6 * (1 + Math.abs(y));
          expect(near(quotient("logprob", t), dLogprob[t]!)).toBe(true);
          expect(near(quotient("kl", t), dKl?.[t] ?? 0)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("properties", () => {
  it("without KL, TDPO1 and TDPO2 are DPO", () => {
    fc.assert(
      fc.property(anyPairs, (input) => {
        const bare = { ...input, kl: input.kl.map(() => 0) };
        const { loss, dLogprob } = preferenceLoss(rule("dpo"), bare);
        for (const name of ["tdpo1", "tdpo2"]) {
          const other = preferenceLoss(rule(name), bare);
          expect(other.loss).toBe(loss);
          expect(other.dLogprob).toEqual(dLogprob);
        }
      }),
    );
  });
  it("TDPO2 with alpha 1 has TDPO1's loss, and its gradients but for the chosen response's KL", () => {
    fc.assert(
      fc.property(anyPairs, (input) => {
        const one = preferenceLoss(rule("tdpo1"), input);
        const two = preferenceLoss(rule("tdpo2", { alpha: 1 }), input);
        expect(two.loss).toBe(one.loss);
        expect(two.dLogprob).toEqual(one.dLogprob);
        const chosenEnd = input.start[(input.start.length - 1) / 2]!;
        expect(two.dKl!.subarray(chosenEnd)).toEqual(one.dKl!.subarray(chosenEnd));
        expect(two.dKl!.subarray(0, chosenEnd).every((d) => d === 0)).toBe(true);
        expect(one.dKl!.subarray(0, chosenEnd).every((d) => d < 0)).toBe(true);
      }),
    );
  });
  it("at the reference every logistic loss is log 2 and every pair pulls with beta / 2", () => {
    fc.assert(
      fc.property(anyPairs, (input) => {
        const still = { ...input, refLogprob: input.logprob, kl: input.kl.map(() => 0) };
        const P = (input.start.length - 1) / 2;
        for (const name of ["dpo", "tdpo1", "tdpo2"]) {
          const { loss, dLogprob } = preferenceLoss(rule(name), still);
          expect(loss).toBeCloseTo(Math.log(2), 12);
          expect(-P * dLogprob[0]!).toBeCloseTo(0.05, 12);
          expect(P * dLogprob.at(-1)!).toBeCloseTo(0.05, 12);
        }
      }),
    );
  });
  it("stays finite where the margin is huge", () => {
    for (const z of [-1e6, 1e6]) {
      const sums = { logps: f64([z, 0]), refLogps: f64([0, 0]), seqKl: f64([0, 0]) };
      const { loss, dLogps } = pairLoss(rule("dpo", { beta: 1 }), sums);
      expect(loss).toBe(z < 0 ? 1e6 : 0);
      expect(dLogps[0]).toBeCloseTo(z < 0 ? -1 : 0, 12);
    }
  });
});
