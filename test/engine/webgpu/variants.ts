/**
 * The variants of the kernels: texts that differ in more than their numbers. Found from the dispatches themselves, so that a new
 * variant needs no entry here, but a case that reaches it.
 */
import type { ValueHead } from "../../../src/engine/engine.ts";
import type { ModelConfig } from "../../../src/engine/modelConfig.ts";
import { prefillPlan, stepPlan } from "../../../src/engine/plan/decode.ts";
import { layoutOf, type ModelShape } from "../../../src/engine/plan/layout.ts";
import type { Op } from "../../../src/engine/plan/ops.ts";
import { UNLIMITED, type Plan } from "../../../src/engine/plan/planner.ts";
import {
  backwardPlan,
  forwardPlan,
  gradNormPlan,
  GROUPS,
  referencePlan,
  scalePlan,
  updatePlan,
} from "../../../src/engine/plan/plans.ts";
import { dispatchesOf, type KernelTarget } from "../../../src/engine/webgpu/kernels/index.ts";
import type { Dispatch } from "../../../src/engine/webgpu/shader.ts";

/** Numbers that say how threads share the work; others follow from the operation's sizes. */
const SHARING = /\blid\b|workgroup/;

const statements = (text: string) =>
  text
    .split(/[;{}\n]| \+ /)
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => one.replace(SHARING.test(one) ? /\d+\.\d+/g : /[0-9.]+/g, "#"));

/** Unrolled statements count once: a head of sixteen numbers and one of eight are one variant if they are staged alike. */
export function variantOf(dispatch: Dispatch): string {
  const { name, workgroup, operands, declarations = "", body } = dispatch;
  const family = name.split(" ")[0]!;
  const types = operands.map((o) => `${o.name} ${o.type}`);
  const lines = new Set(statements(declarations + "\n" + body));
  return [family, `${workgroup} threads`, ...types, ...[...lines].sort()].join("\n");
}

/** What a kernel's text can depend on: sizes, flags, which views there are, and which of them are one. */
export function shapeOf(op: Op): string {
  const seen: string[] = [];
  const one = (_: string, value: unknown) => {
    if (typeof value !== "object" || value === null || !("store" in value)) return value;
    const place = JSON.stringify(value);
    const at = seen.includes(place) ? seen.indexOf(place) : seen.push(place) - 1;
    return "packed" in value ? `${at} packed` : at;
  };
  return JSON.stringify(op, one);
}

/** By variant: an operation that reaches it. */
export function variantsOf(ops: Iterable<Op>, target: KernelTarget): Map<string, Op> {
  const shapes = new Map<string, Op>();
  for (const op of ops) shapes.set(shapeOf(op), op);
  const found = new Map<string, Op>();
  for (const op of shapes.values())
    for (const dispatch of dispatchesOf(op, target)) found.set(variantOf(dispatch), op);
  return found;
}

/** Sizes of passes from the smallest to the largest, and rows of decode steps. */
const PASSES = [16, 64, 240, 768, 2048];
const ROWS = [1, 4, 16, 64, 128];

const shapeWith = (config: ModelConfig, head: ValueHead): ModelShape => ({
  config,
  layout: layoutOf(config, head),
  params: "params",
  positions: 1024,
});

/** Of decoding alone, without a value head. */
export function* decodingOf(config: ModelConfig): Generator<Plan> {
  for (const R of ROWS) yield* decodePlans(shapeWith(config, "none"), R, false);
}

/** Every plan that a model of this shape runs, at the sizes that choose among the kernels' variants. */
export function* plansOf(config: ModelConfig): Generator<Plan> {
  for (const head of ["none", "detached", "shared"] as ValueHead[]) {
    const model = shapeWith(config, head);
    const { layout } = model;
    for (const R of PASSES) yield* passPlans(model, R, head);
    for (const R of ROWS) yield* decodePlans(model, R, head !== "none");
    yield gradNormPlan(layout);
    yield scalePlan(layout);
    yield updatePlan(layout, head === "none" ? ["trunk"] : GROUPS);
  }
}

function* passPlans(model: ModelShape, R: number, head: ValueHead): Generator<Plan> {
  const value = head !== "none";
  const reference = { ...model, params: "reference" };
  const part = Math.max(16, R / 4);
  for (const N of [undefined, part])
    for (const M of [R / 2, part]) {
      const shape = { R, M, value, ...(N && { N }) };
      for (const other of [undefined, reference]) {
        yield backwardPlan(model, shape, head, other, UNLIMITED);
        yield forwardPlan(model, shape, other, UNLIMITED);
      }
      yield referencePlan(model, shape, UNLIMITED);
    }
  yield forwardPlan(model, { R, M: R, value, logits: true }, undefined, UNLIMITED);
}

function* decodePlans(model: ModelShape, R: number, hasValue: boolean): Generator<Plan> {
  const cache = { B: R, C: 96 };
  yield prefillPlan(model, cache, R, UNLIMITED);
  for (const value of hasValue ? [false, true] : [false])
    for (const legal of [false, true]) yield stepPlan(model, cache, R, { value, legal }, UNLIMITED);
}

const BYTES: Record<string, number> = { f32: 4, u32: 4, vec2f: 8, vec4f: 16 };

/** Bytes of a workgroup's memory. */
export function sharedBytes({ declarations = "", body }: Dispatch): number {
  const arrays = /var<workgroup> \w+: (?:array<(\w+), (\d+)>|(\w+));/g;
  let sum = 0;
  for (const [, type, count = "1", single] of (declarations + body).matchAll(arrays))
    sum += Number(count) * BYTES[(type ?? single)!]!;
  return sum;
}
