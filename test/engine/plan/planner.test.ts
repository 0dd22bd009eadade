import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EngineError } from "../../../src/engine/errors.ts";
import type { ModelConfig } from "../../../src/engine/modelConfig.ts";
import { layoutOf, pack, unpack } from "../../../src/engine/plan/layout.ts";
import { operands } from "../../../src/engine/plan/ops.ts";
import { ALIGN } from "../../../src/engine/plan/ops/view.ts";
import {
  assignPlaces,
  checkOperands,
  PlanBuilder,
  planBytes,
  slice,
  type Life,
} from "../../../src/engine/plan/planner.ts";
import { backwardPlan, gradNormPlan, updatePlan } from "../../../src/engine/plan/plans.ts";
import { stepPlan } from "../../../src/engine/plan/decode.ts";
import { initModel } from "../../../src/model/initModel.ts";

const limits = { viewBytes: 2 ** 30, storeBytes: 2 ** 31 };

/** The bench model: 0.886 M parameters. */
const bench: ModelConfig = {
  family: "qwen2",
  ...{ vocabSize: 256, hiddenSize: 128, layers: 4, heads: 4, kvHeads: 4, headDim: 32 },
  ...{ intermediateSize: 384, ropeTheta: 10000, rmsNormEps: 1e-6, tieWordEmbeddings: true },
  ...{ attentionBias: false, maxPositions: 1024 },
};
const layout = layoutOf(bench, "none");
const model = { config: bench, layout, params: "params", positions: 256 };

describe("places", () => {
  const life = fc.record({
    size: fc.integer({ min: 1, max: 20 }).map((n) => n * ALIGN),
    from: fc.integer({ min: 0, max: 30 }),
    span: fc.integer({ min: 0, max: 12 }),
  });

  test("temporaries that live at the same time never overlap", () => {
    fc.assert(
      fc.property(fc.array(life, { maxLength: 40 }), (all) => {
        const lives = all.map(({ size, from, span }, id): Life => ({
          id,
          size,
          from,
          to: from + span,
        }));
        const { offsets, total } = assignPlaces(lives);
        for (const a of lives) {
          const start = offsets.get(a.id)!;
          expect(start % ALIGN).toBe(0);
          expect(start + a.size).toBeLessThanOrEqual(total);
          for (const b of lives) {
            if (a.id >= b.id || a.to < b.from || b.to < a.from) continue;
            const other = offsets.get(b.id)!;
            expect(start + a.size <= other || other + b.size <= start).toBe(true);
          }
        }
        // No worse than giving every temporary its own place.
        expect(total).toBeLessThanOrEqual(lives.reduce((sum, { size }) => sum + size, 0));
      }),
    );
  });

  test("what is no longer needed is used again", () => {
    const lives = [0, 1, 2, 3].map((id): Life => ({ id, size: 64, from: id, to: id + 1 }));
    expect(assignPlaces(lives).total).toBe(128);
  });
});

describe("plans", () => {
  const shape = { R: 2048, M: 2048, value: false };
  const plan = backwardPlan(model, shape, "none", undefined, limits);

  test("a training step of the bench model has few operations and little memory", () => {
    const step = [plan, gradNormPlan(layout), updatePlan(layout, ["trunk"])];
    expect(step.reduce((sum, { ops }) => sum + ops.length, 0)).toBeLessThanOrEqual(110);
    const bytes = planBytes(plan) + 4 * 4 * layout.size;
    expect(bytes).toBeLessThan(100e6);
    expect(plan.arenaSize).toBeGreaterThan(shape.R * bench.hiddenSize * 4);
  });

  test("a decode step has at most 30 operations", () => {
    expect(
      stepPlan(model, { B: 64, C: 128 }, 64, { value: false, legal: false }, limits).ops.length,
    ).toBeLessThanOrEqual(30);
  });

  test("every temporary lies in the arena and is written before it is read", () => {
    const written = new Set<number>();
    plan.ops.forEach((op, at) => {
      const all = operands(op).filter(({ view }) => view.store === "arena");
      for (const { view, writes } of all) {
        expect(view.offset + view.size).toBeLessThanOrEqual(plan.arenaSize);
        if (!writes) expect(written.has(view.offset), `operation ${at}, ${op.op}`).toBe(true);
      }
      for (const { view, writes } of all) if (writes) written.add(view.offset);
    });
    expect(written.size).toBeGreaterThan(20);
  });

  test("an overlap of operands is refused", () => {
    const a = { store: "x", offset: 0, size: 128 };
    const op = { op: "swiglu", gateUp: a, out: slice(a, 64, 64), R: 1, F: 64 } as const;
    const empty = {
      arenaSize: 0,
      inputSize: 0,
      inputs: {},
      outputSize: 0,
      outputs: {},
      stores: {},
    };
    expect(() => checkOperands({ name: "bad", ops: [op], ...empty })).toThrow("overlaps");
  });

  test("a shape that does not fit is refused with the numbers", () => {
    const small = { viewBytes: 1 << 20, storeBytes: 1 << 30 };
    const build = () => backwardPlan(model, shape, "none", undefined, small);
    expect(build).toThrow(EngineError);
    expect(build).toThrow(/needs \d+ bytes, the device allows 1048576; about \d+ %/);
    const builder = new PlanBuilder("fits");
    const x = builder.temp(64);
    builder.add({ op: "scale", x, factor: builder.input("factor", 1), size: 64 });
    builder.add({ op: "sumSquares", x, partials: builder.output("sum", 1), size: 64 });
    // Nothing reads it, so nothing computes it.
    builder.add({ op: "scale", x: builder.temp(4096), factor: x, size: 4096 });
    expect(builder.finish(small).arenaSize).toBe(64);
  });
});

describe("layout", () => {
  test.each(["none", "detached"] as const)("weights survive packing (%s)", (head) => {
    const weights = initModel(bench, 3, head);
    const own = layoutOf(bench, head);
    expect(unpack(own, pack(own, weights))).toEqual(weights);
    expect([...own.parts.values()].every(({ offset }) => offset % ALIGN === 0)).toBe(true);
  });

  test("q, k and v are one matrix", () => {
    const at = (part: string) =>
      layout.tensors.get(`model.layers.1.self_attn.${part}_proj.weight`)!;
    expect(at("k").offset).toBe(at("q").offset + at("q").size);
    expect(at("v").offset).toBe(at("k").offset + at("k").size);
    expect(layout.parts.get("qkv.1")!.size).toBe(3 * 128 * 128);
  });
});
