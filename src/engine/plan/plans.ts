/** Whole plans by purpose and shape: the requested outputs determine the operations. */
import type { ParameterGroup, ValueHead } from "../engine.ts";
import { headBackward, scatterHidden, trunkBackward, valueBackward } from "./backward.ts";
import {
  headForward,
  headInputs,
  headPart,
  keptInputs,
  passInputs,
  REFERENCE_HIDDEN,
  trunkForward,
} from "./forward.ts";
import { matrix, trained, weight, type Layout, type ModelShape } from "./layout.ts";
import { SQUARES_CHUNK } from "./ops/update.ts";
import type { BufferView } from "./ops/view.ts";
import { align, PlanBuilder, type Limits, type Plan } from "./planner.ts";

export interface PassShape {
  /** Rows, and M actual targets (0: none). */
  R: number;
  M: number;
  value: boolean;
  logits?: boolean;
  /** Rows whose last hidden states are read, padded (KeptRows); absent: all, as for logits. */
  N?: number;
  /** Whether a backward runs layers again, see trunkForward. */
  recomputes?: boolean;
}

/** A plan for a kind of pass; also its key. */
export const keyOfPass = (kind: string, { R, M, N, value, logits, recomputes }: PassShape) =>
  [
    `${kind} R${R} M${M} N${N ?? R}`,
    ...Object.entries({ value, logits, recomputes }).flatMap(([name, is]) => (is ? [name] : [])),
  ].join(" ");

/** Outputs: policy [3, M], value [N or R], logits [R, V], as requested. */
export function forwardPlan(
  m: ModelShape,
  shape: PassShape,
  reference: ModelShape | undefined,
  limits: Limits,
): Plan {
  const { R, M, N } = shape;
  const b = new PlanBuilder(keyOfPass("forward", shape));
  const { hidden } = trunkForward(b, m, passInputs(b, R), keptInputs(b, R, N));
  const n = N ?? R;
  if (M > 0) headForward(b, m, headInputs(b, m, hidden, M, reference), b.output("policy", 3 * M));
  if (shape.value) addValue(b, m, n, hidden, b.output("value", n));
  if (shape.logits) addLogits(b, m, R, hidden, b.output("logits", R * m.config.vocabSize));
  return b.finish(limits);
}

export function addValue(
  b: PlanBuilder,
  m: ModelShape,
  R: number,
  h: BufferView,
  out: BufferView,
): void {
  const [w, bias] = [weight(m, "valueWeight"), weight(m, "valueBias")];
  b.add({ op: "value", h, weight: w, bias, out, R, D: m.config.hiddenSize });
}

function addLogits(b: PlanBuilder, m: ModelShape, R: number, h: BufferView, out: BufferView): void {
  const { vocabSize: N, hiddenSize: K } = m.config;
  const w = matrix(m, headPart(m));
  b.add({ op: "matmul", layout: "NT", a: h, ...w, out, M: R, N, K });
}

/** The reference's part of a KL: its hidden states of the targets, written to a store. */
export function referencePlan(m: ModelShape, shape: PassShape, limits: Limits): Plan {
  const { R, M, N } = shape;
  const b = new PlanBuilder(keyOfPass("reference", shape));
  const { hidden } = trunkForward(b, m, passInputs(b, R), keptInputs(b, R, N));
  const D = m.config.hiddenSize;
  const out = { store: REFERENCE_HIDDEN, offset: 0, size: M * D };
  b.add({ op: "gatherRows", x: hidden, index: b.input("target", M), out, M, D });
  return b.finish(limits);
}

/** Forward, then backward from the coefficients (M > 0) and dValue (value); adds to grads. */
export function backwardPlan(
  m: ModelShape,
  shape: PassShape,
  valueHead: ValueHead,
  reference: ModelShape | undefined,
  limits: Limits,
): Plan {
  const { R, M, N } = shape;
  const b = new PlanBuilder(keyOfPass("backward", shape));
  const [p, kept] = [passInputs(b, R), keptInputs(b, R, N)];
  const saved = trunkForward(b, m, p, kept, shape.recomputes);
  const { hidden } = saved;
  let dHidden: BufferView | null = null;
  if (M > 0) {
    const dh = headBackward(b, m, headInputs(b, m, hidden, M, reference));
    dHidden = scatterHidden(b, m, N ?? R, dh);
  }
  if (shape.value) dHidden = valueBackward(b, m, N ?? R, hidden, valueHead, dHidden);
  if (dHidden) trunkBackward(b, m, p, saved, dHidden, kept);
  return b.finish(limits);
}

const part = (store: string, layout: Layout, group: ParameterGroup): BufferView =>
  trained(layout, store, layout.groups[group]);

export const GROUPS: readonly ParameterGroup[] = ["trunk", "valueHead"];

/** Groups that have parameters. */
export function presentGroups({ groups }: Layout): ParameterGroup[] {
  return GROUPS.filter((group) => groups[group].size > 0);
}

/** Outputs, by group: partial sums of its squared gradients. */
export function gradNormPlan(layout: Layout): Plan {
  const b = new PlanBuilder("gradNorm");
  for (const group of presentGroups(layout)) {
    const x = part("grads", layout, group);
    const partials = b.output(group, Math.ceil(x.size / SQUARES_CHUNK));
    b.add({ op: "sumSquares", x, partials, size: x.size });
  }
  return b.finish();
}

/** Inputs, by group: the factor of its gradients. */
export function scalePlan(layout: Layout): Plan {
  const b = new PlanBuilder("scale");
  for (const group of presentGroups(layout)) {
    const x = part("grads", layout, group);
    b.add({ op: "scale", x, factor: b.input(group, 1), size: x.size });
  }
  return b.finish();
}

/** One AdamW step of the given groups. Per-step numbers are data, by group. */
export function updatePlan(layout: Layout, groups: readonly ParameterGroup[]): Plan {
  const b = new PlanBuilder(`update ${groups.join(" ")}`);
  for (const group of groups) {
    const p = { store: "params", ...layout.groups[group] };
    const g = part("grads", layout, group);
    const [m, v] = [part("m", layout, group), part("v", layout, group)];
    b.add({ op: "adamw", p, g, m, v, scalars: b.input(group, 9), size: p.size });
  }
  return b.finish();
}

/** Words of the rope store for this many positions. */
export function ropeSize(headDim: number, positions: number): number {
  return 2 * align((positions * headDim) / 2);
}
