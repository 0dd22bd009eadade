/** What the engine promises beyond the golden numbers, on nano. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type {
  BackwardRequest,
  DecodeSession,
  Engine,
  EngineModel,
  ForwardResult,
  GenerateRequest,
  TokenRows,
  ValueHead,
  WeightMap,
} from "../../src/engine/engine.ts";
import { normals } from "../../src/numeric/rng.ts";
import { farthest, nano, nanoWeights, openEngine } from "./support.ts";

/** Rows given as lists of segments; -1 is a padding token. */
function rowsOf(rows: number[][][]): TokenRows {
  const flat = rows.map((segments) =>
    segments.flatMap((ids, s) => {
      let position = 0;
      return ids.map((id) => (id < 0 ? { id: 0, s: -1, p: 0 } : { id, s, p: position++ }));
    }),
  );
  const L = Math.max(...flat.map((row) => row.length));
  const all = flat.flatMap(
    (row) => [...row, ...Array(L - row.length).fill({ id: 0, s: -1, p: 0 })] as typeof row,
  );
  return {
    B: rows.length,
    L,
    ids: Int32Array.from(all, ({ id }) => id),
    position: Int32Array.from(all, ({ p }) => p),
    segment: Int32Array.from(all, ({ s }) => s),
  };
}

const tokens = (n: number, from: number) =>
  Array.from({ length: n }, (_, i) => (from * 13 + i * 7 + ((i * i) % 5)) % 50);

const simple = rowsOf([[tokens(9, 1)], [tokens(12, 2)], [tokens(5, 3)]]);

function gradientAt(rows: TokenRows, seed: number): Float32Array {
  const noise = normals(
    { seed, stream: "gradient", iteration: 0, trajectory: 0, step: 0 },
    rows.ids.length,
  );
  return Float32Array.from(noise, (x, i) => (rows.segment[i]! < 0 ? 0 : x * 0.1));
}

const key = (B: number): GenerateRequest["key"] => ({
  seed: 5,
  stream: "rollout",
  iteration: 2,
  trajectory: Array.from({ length: B }, (_, b) => b),
  step: Array<number>(B).fill(0),
});

function flatten(weights: WeightMap): Float32Array {
  return Float32Array.from([...weights.values()].flatMap(({ data }) => [...data]));
}

describe.each(["wasm", "plan wasm"] as const)("on %s", (backend) => {
  let engine: Engine;
  beforeAll(async () => void (engine = await openEngine(backend)));
  afterAll(() => engine.dispose());

  /** Runs a body with a fresh model and frees it. */
  async function withModel<T>(
    head: ValueHead,
    body: (model: EngineModel) => Promise<T>,
    seed = 1,
  ): Promise<T> {
    const model = await engine.createModel(nano, nanoWeights(seed, head), head);
    try {
      return await body(model);
    } finally {
      model.dispose();
    }
  }

  async function gradsOf(model: EngineModel, request: BackwardRequest): Promise<WeightMap> {
    await model.backward(request);
    const grads = await model.readGrads();
    model.zeroGrads();
    return grads;
  }

  describe("rows", () => {
    const all = { temperature: 0.8, entropy: true, value: true, logits: true };

    test("segments of a row never see each other", async () => {
      await withModel("detached", async (model) => {
        const parts = [tokens(7, 1), tokens(11, 2), tokens(7, 4)];
        const joined = await model.forward({ rows: rowsOf([parts]), ...all });
        const apart = await model.forward({ rows: rowsOf(parts.map((ids) => [ids])), ...all });
        let at = 0;
        for (const [b, { length }] of parts.entries()) {
          for (const field of ["logprob", "entropy", "value"] as const) {
            const L = apart.logprob.length / parts.length;
            const own = apart[field]!.subarray(b * L, b * L + length);
            expect(farthest(joined[field]!.subarray(at, at + length), own), field).toBeLessThan(
              1e-5,
            );
          }
          expect([joined.logprob[at], joined.entropy![at]]).toEqual([0, 0]);
          at += length;
        }
      });
    });

    test("padding may be anywhere and changes nothing", async () => {
      await withModel("shared", async (model) => {
        const ids = tokens(8, 3);
        const plain = rowsOf([[ids]]);
        const padded = rowsOf([[[-1, -1, ...ids.slice(0, 3), -1, ...ids.slice(3), -1]]]);
        const real = [...padded.segment.keys()].filter((i) => padded.segment[i]! >= 0);
        const [a, b] = [
          await model.forward({ rows: plain, ...all }),
          await model.forward({ rows: padded, ...all }),
        ];
        for (const field of ["logprob", "entropy", "value"] as const) {
          expect(
            farthest(
              real.map((i) => b[field]![i]!),
              a[field]!,
            ),
            field,
          ).toBeLessThan(1e-5);
        }
        const d = gradientAt(plain, 1);
        const moved = new Float32Array(padded.ids.length);
        real.forEach((at, i) => (moved[at] = d[i]!));
        const ga = await gradsOf(model, { rows: plain, temperature: 1, dLogprob: d, dValue: d });
        const gb = await gradsOf(model, {
          rows: padded,
          temperature: 1,
          dLogprob: moved,
          dValue: moved,
        });
        expect(farthest(flatten(gb), flatten(ga))).toBeLessThan(1e-5);
      });
    });

    test("a mask asks for some tokens and leaves the others 0", async () => {
      await withModel("detached", async (model) => {
        const mask = Uint8Array.from(simple.ids, (_, i) => (i % 3 === 2 ? 1 : 0));
        const full = await model.forward({ rows: simple, ...all });
        const some = await model.forward({ rows: simple, mask, ...all });
        for (const field of ["logprob", "entropy", "value"] as const) {
          const expected = full[field]!.map((x, i) => (mask[i] ? x : 0));
          expect(farthest(some[field]!, expected), field).toBeLessThan(1e-5);
        }
        expect(some.logprob.some((x) => x !== 0)).toBe(true);
      });
    });

    test("labels ask for the log-prob of other tokens, gradient included", async () => {
      await withModel("none", async (model) => {
        const labels = simple.ids.map((id) => (id + 3) % 50);
        const rows = { ...simple, labels };
        const { logprob, logits } = await model.forward({ rows, temperature: 1, logits: true });
        const row = logits!.subarray(4 * 50, 5 * 50); // what token 5 of the first row is drawn from
        const total = row.reduce((sum, z) => sum + Math.exp(z), 0);
        expect(Math.abs(logprob[5]! - (row[labels[5]!]! - Math.log(total)))).toBeLessThan(1e-5);
        await expectSlope(model, { rows, temperature: 1, dLogprob: gradientAt(simple, 2) });
      });
    });

    test("a batch of several passes is the sum of its parts", async () => {
      await withModel("shared", async (model) => {
        // 60 rows of 100 tokens are three passes of 20.
        const one = Array.from({ length: 60 }, (_, b) => [tokens(100, b)]);
        const whole = rowsOf(one);
        const d = gradientAt(whole, 4);
        const together = await gradsOf(model, {
          rows: whole,
          temperature: 1,
          dLogprob: d,
          dValue: d,
        });
        for (const part of [0, 1, 2, 3]) {
          const rows = rowsOf(one.slice(part * 15, part * 15 + 15));
          const slice = d.subarray(part * 1500, part * 1500 + 1500);
          await model.backward({ rows, temperature: 1, dLogprob: slice, dValue: slice });
        }
        const apart = flatten(await model.readGrads());
        const scale = Math.sqrt(apart.reduce((s, x) => s + x * x, 0));
        expect(farthest(flatten(together), apart) / scale).toBeLessThan(1e-5);
      });
    });
  });

  /** The scalar whose gradient backward takes. */
  async function scalarOf(model: EngineModel, r: BackwardRequest): Promise<number> {
    const out: ForwardResult = await model.forward({
      rows: r.rows,
      temperature: r.temperature,
      entropy: r.dEntropy !== undefined,
      value: r.dValue !== undefined,
      ...(r.kl && { kl: r.kl }),
    });
    const pairs = [
      [r.dLogprob, out.logprob],
      [r.dEntropy, out.entropy],
      [r.dValue, out.value],
      [r.dKl, out.kl],
    ] as const;
    return pairs.reduce(
      (sum, [d, y]) => sum + (d ? d.reduce((s, g, i) => s + g * y![i]!, 0) : 0),
      0,
    );
  }

  /** Compares the gradient along itself with the difference quotient of the scalar. */
  async function expectSlope(model: EngineModel, request: BackwardRequest): Promise<void> {
    const grads = await gradsOf(model, request);
    const length = Math.sqrt(flatten(grads).reduce((s, x) => s + x * x, 0));
    expect(length).toBeGreaterThan(1e-3);
    const start = await model.readWeights();
    const along = async (distance: number) => {
      const moved: WeightMap = new Map();
      for (const [name, { shape, data }] of start) {
        const g = grads.get(name)!.data;
        moved.set(name, { shape, data: data.map((x, i) => x + (distance * g[i]!) / length) });
      }
      await model.writeWeights(moved);
      return scalarOf(model, request);
    };
    const quotient = async (h: number) => ((await along(h)) - (await along(-h))) / (2 * h);
    // Richardson: float32 forbids a small h, so the error of a larger one is taken out.
    const slope = (4 * (await quotient(0.01)) - (await quotient(0.02))) / 3;
    await model.writeWeights(start);
    expect(Math.abs(slope / length - 1)).toBeLessThan(5e-3);
  }

  describe("gradients by difference quotient", () => {
    const d = gradientAt(simple, 7);
    const base = { rows: simple, temperature: 0.7 };

    test.each([
      ["log-prob", { dLogprob: d }],
      ["entropy", { dEntropy: d }],
      ["value into the trunk", { dValue: d }],
      [
        "all three",
        { dLogprob: d, dEntropy: gradientAt(simple, 8), dValue: gradientAt(simple, 9) },
      ],
    ])("%s", async (_what, gradients) => {
      await withModel("shared", (model) => expectSlope(model, { ...base, ...gradients }));
    });

    test("KL to a reference", async () => {
      await withModel(
        "none",
        async (reference) => {
          await withModel("none", async (model) => {
            const { kl } = await model.forward({ ...base, kl: reference });
            expect(kl!.every((x) => x > -1e-6) && kl!.some((x) => x > 0.01)).toBe(true);
            const itself = await model.forward({ ...base, kl: model });
            expect(farthest(itself.kl!, new Float32Array(kl!.length))).toBeLessThan(1e-6);
            await expectSlope(model, { ...base, dKl: d.map(Math.abs), kl: reference });
          });
        },
        2,
      );
    });
  });

  describe("value head", () => {
    const d = gradientAt(simple, 3);

    test("detached: the value's gradient stops at the head, the policy's does not", async () => {
      await withModel("detached", async (model) => {
        const both = await gradsOf(model, { rows: simple, temperature: 1, dLogprob: d, dValue: d });
        const policy = await gradsOf(model, { rows: simple, temperature: 1, dLogprob: d });
        const value = await gradsOf(model, { rows: simple, temperature: 1, dValue: d });
        for (const [name, { data }] of both) {
          const head = name.startsWith("value_head.");
          expect(farthest(data, (head ? value : policy).get(name)!.data), name).toBeLessThan(1e-6);
          expect(
            (head ? policy : value).get(name)!.data.every((x) => x === 0),
            name,
          ).toBe(true);
        }
        expect(value.get("value_head.weight")!.data.some((x) => x !== 0)).toBe(true);
      });
    });

    test("starts at zero when the weights have none", async () => {
      const model = await engine.createModel(nano, nanoWeights(1), "shared");
      const { value } = await model.forward({ rows: simple, temperature: 1, value: true });
      expect(value!.every((v) => v === 0)).toBe(true);
      model.dispose();
    });

    test("is refused where there is none", async () => {
      await withModel("none", async (model) => {
        const asked = model.forward({ rows: simple, temperature: 1, value: true });
        await expect(asked).rejects.toThrow("no value head");
      });
    });
  });

  describe("optimiser", () => {
    const d = gradientAt(simple, 3);
    const step = { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.01 };
    const backward = (model: EngineModel) =>
      model.backward({ rows: simple, temperature: 1, dLogprob: d, dValue: d });

    test("leaves groups without a learning rate untouched, and clears every gradient", async () => {
      await withModel("shared", async (model) => {
        const before = await model.readWeights();
        await backward(model);
        await model.update({ ...step, lr: { valueHead: 0.1 } });
        for (const [name, { data }] of await model.readWeights()) {
          const moved = farthest(data, before.get(name)!.data) > 0;
          expect(moved, name).toBe(name.startsWith("value_head."));
        }
        const state = await model.readOptimizer();
        expect(state.step).toEqual({ trunk: 0, valueHead: 1 });
        expect(state.m.get("model.norm.weight")!.data.every((x) => x === 0)).toBe(true);
        expect(await model.gradNorm()).toBe(0);
      });
    });

    test("norms and scales gradients per group", async () => {
      await withModel("shared", async (model) => {
        await backward(model);
        const [trunk, head, both] = [
          await model.gradNorm(["trunk"]),
          await model.gradNorm(["valueHead"]),
          await model.gradNorm(),
        ];
        expect(Math.hypot(trunk, head) / both).toBeCloseTo(1, 6);
        model.scaleGrads(0.5, ["trunk"]);
        expect((await model.gradNorm(["trunk"])) / trunk).toBeCloseTo(0.5, 6);
        expect(await model.gradNorm(["valueHead"])).toBe(head);
      });
    });

    test("continues from a saved state as if never interrupted", async () => {
      const train = async (model: EngineModel, steps: number) => {
        for (let i = 0; i < steps; i++) {
          await backward(model);
          await model.update({ ...step, lr: { trunk: 0.01, valueHead: 0.02 } });
        }
      };
      await withModel("shared", async (straight) => {
        await train(straight, 4);
        await withModel("shared", async (first) => {
          await train(first, 2);
          await withModel(
            "shared",
            async (second) => {
              await second.writeWeights(await first.readWeights());
              await second.writeOptimizer(await first.readOptimizer());
              await train(second, 2);
              expect(flatten(await second.readWeights())).toEqual(
                flatten(await straight.readWeights()),
              );
            },
            2,
          );
        });
      });
    });
  });

  describe("decoding", () => {
    const base = { maxNewTokens: 6, stopIds: [], temperature: 1 };
    const generate = (
      session: DecodeSession,
      prompts: number[][],
      rest: Partial<GenerateRequest> = {},
    ) => session.generate({ ...base, prompts, key: key(prompts.length), ...rest });

    test("the cache gives what a full forward gives, over turns of different lengths", async () => {
      await withModel("detached", async (model) => {
        const session = model.decode(3, 64);
        const history: number[][] = [[], [], []];
        const sampled: { b: number; at: number; logprob: number }[] = [];
        for (const [turn, lengths] of [
          [5, 9, 3],
          [4, 0, 11],
          [1, 6, 2],
        ].entries()) {
          const prompts = lengths.map((n, b) => tokens(n, turn * 3 + b));
          const out = await generate(session, prompts, {
            value: true,
            stopIds: turn === 1 ? [7, 9] : [],
          });
          prompts.forEach((prompt, b) => {
            history[b]!.push(...prompt);
            if (prompt.length === 0) expect([out.ids[b], out.value![b]]).toEqual([[], NaN]);
            out.ids[b]!.forEach((id, i) => {
              sampled.push({ b, at: history[b]!.length, logprob: out.logprobs[b]![i]! });
              history[b]!.push(id);
            });
          });
          expect(session.lengths).toEqual(history.map((row) => row.length));
        }
        const rows = rowsOf(history.map((row) => [row]));
        const { logprob } = await model.forward({ rows, temperature: 1 });
        const expected = sampled.map(({ b, at }) => logprob[b * rows.L + at]!);
        expect(sampled.length).toBeGreaterThan(30);
        expect(
          farthest(
            sampled.map((s) => s.logprob),
            expected,
          ),
        ).toBeLessThan(1e-5);
        session.dispose();
      });
    });

    test("reports V at the state-end", async () => {
      await withModel("shared", async (model) => {
        const prompts = [tokens(5, 1), tokens(9, 2)];
        const session = model.decode(2, 32);
        const { value } = await generate(session, prompts, { value: true });
        const rows = rowsOf(prompts.map((p) => [p]));
        const full = await model.forward({ rows, temperature: 1, value: true });
        expect(
          farthest(
            value!,
            prompts.map((p, b) => full.value![b * rows.L + p.length - 1]!),
          ),
        ).toBeLessThan(1e-5);
        session.dispose();
      });
    });

    test("forgets everything when cleared", async () => {
      await withModel("none", async (model) => {
        const session = model.decode(2, 40);
        const first = await generate(session, [tokens(9, 1), tokens(4, 2)]);
        await generate(session, [tokens(3, 5), tokens(8, 6)]);
        session.clear();
        expect(session.lengths).toEqual([0, 0]);
        expect(await generate(session, [tokens(9, 1), tokens(4, 2)])).toEqual(first);
        session.dispose();
      });
    });

    test("a row draws the same alone and in company", async () => {
      await withModel("none", async (model) => {
        const prompts = [tokens(5, 1), tokens(9, 2), tokens(7, 3)];
        const many = model.decode(3, 32);
        const alone = model.decode(1, 32);
        const all = await generate(many, prompts);
        const one = await generate(alone, [prompts[2]!], { key: { ...key(1), trajectory: [2] } });
        expect(one.ids[0]).toEqual(all.ids[2]);
        many.dispose();
        alone.dispose();
      });
    });

    test("stops at a stop id, which it keeps", async () => {
      await withModel("none", async (model) => {
        const session = model.decode(1, 64);
        const free = await generate(session, [tokens(5, 1)], { maxNewTokens: 12 });
        session.clear();
        const stop = free.ids[0]![3]!;
        const at = free.ids[0]!.indexOf(stop);
        const cut = await generate(session, [tokens(5, 1)], { maxNewTokens: 12, stopIds: [stop] });
        expect(cut.ids[0]).toEqual(free.ids[0]!.slice(0, at + 1));
        session.dispose();
      });
    });

    test("draws what each row may, and counts the rest in the log-probs", async () => {
      await withModel("none", async (model) => {
        const session = model.decode(3, 64);
        const prompts = [tokens(5, 1), tokens(4, 2), tokens(6, 3)];
        const legal = [[7, 40, 41], null, [12]];
        const free = await generate(session, prompts);
        session.clear();
        const { ids, logprobs } = await generate(session, prompts, { legal });
        expect(ids[0]!.every((id) => legal[0]!.includes(id))).toBe(true);
        expect(new Set(ids[0]).size).toBeGreaterThan(1);
        expect(ids[1]).toEqual(free.ids[1]);
        expect(ids[2]).toEqual(ids[2]!.map(() => 12));
        expect(Math.max(...logprobs[2]!)).toBeLessThan(-0.1); // it is not alone in the vocabulary
        session.dispose();
      });
    });

    test("names a legal token that there is not", async () => {
      await withModel("none", async (model) => {
        const session = model.decode(1, 64);
        const one = (legal: number[][]) => generate(session, [tokens(5, 1)], { legal });
        await expect(one([[3, 50]])).rejects.toThrow("legal lists token 50; allowed: 0 to 49");
        await expect(one([[3], [4]])).rejects.toThrow("legal has 2 rows for 1 prompts");
        session.dispose();
      });
    });

    test.each([false, true])(
      "appends prompts without drawing after them (V: %s)",
      async (value) => {
        await withModel("shared", async (model) => {
          const [first, second] = [
            [tokens(5, 1), [], tokens(1, 3)],
            [tokens(4, 4), tokens(3, 5), []],
          ];
          const session = model.decode(3, 40);
          const held = await generate(session, first, { maxNewTokens: 0, value });
          expect([held.ids, held.logprobs]).toEqual([
            [[], [], []],
            [[], [], []],
          ]);
          expect([...session.lengths]).toEqual([5, 0, 1]);
          const more = await generate(session, second);
          expect([...session.lengths]).toEqual([15, 9, 1]);
          const rows = rowsOf([[[...first[0]!, ...second[0]!, ...more.ids[0]!]], [first[2]!]]);
          const full = await model.forward({ rows, temperature: 1, value: true });
          expect(farthest(more.logprobs[0]!, full.logprob.subarray(9, 15))).toBeLessThan(1e-5);
          if (value) {
            expect(held.value![1]).toBeNaN();
            const states = [full.value![4]!, full.value![rows.L]!];
            expect(farthest([held.value![0]!, held.value![2]!], states)).toBeLessThan(1e-5);
          }
          session.dispose();
        });
      },
    );

    test("refuses a number of tokens that there cannot be", async () => {
      await withModel("none", async (model) => {
        const session = model.decode(1, 10);
        for (const maxNewTokens of [-1, 1.5]) {
          await expect(generate(session, [[1]], { maxNewTokens })).rejects.toThrow(
            `maxNewTokens is ${maxNewTokens}; allowed: whole numbers of 0 or more`,
          );
        }
        session.dispose();
      });
    });

    test("says when a row does not fit", async () => {
      await withModel("none", async (model) => {
        const session = model.decode(1, 10);
        await expect(generate(session, [tokens(5, 1)])).rejects.toThrow(
          "row 0 needs 11 tokens; the session holds 10",
        );
        session.dispose();
      });
    });
  });

  describe("tokens that there are not", () => {
    const d = gradientAt(simple, 3);
    const all = { temperature: 1 };
    const spoilt = (field: "ids" | "position", at: number, to: number) => {
      const data = simple[field].slice();
      data[at] = to;
      return { ...simple, [field]: data };
    };

    test.each([50, -1, 1 << 29])("id %d is refused by row and place", async (id) => {
      await withModel("none", async (model) => {
        const rows = spoilt("ids", 12 + 3, id); // L = 12
        const message = `rows.ids, row 1, place 3: ${id}; allowed: 0 to 49`;
        await expect(model.forward({ rows, ...all })).rejects.toThrow(new RangeError(message));
        const backward = model.backward({ rows, ...all, dLogprob: d });
        await expect(backward).rejects.toThrow(new RangeError(message));
        const session = model.decode(2, 20);
        const rule = { maxNewTokens: 1, stopIds: [], temperature: 1, key: key(2) };
        const asked = session.generate({ ...rule, prompts: [[1], [2, 3, id]] });
        const refusal = new RangeError(`prompts, row 1, place 2: ${id}; allowed: 0 to 49`);
        await expect(asked).rejects.toThrow(refusal);
        // Nothing has happened: the session goes on.
        expect((await session.generate({ ...rule, prompts: [[1], [2]] })).ids[1]).toHaveLength(1);
        session.dispose();
      });
    });

    test("labels are checked where they count, positions everywhere, padding nowhere", async () => {
      await withModel("none", async (model) => {
        const labels = simple.ids.slice().fill(-100);
        const mask = new Uint8Array(labels.length);
        [mask[4], labels[4]] = [1, 7];
        const { logprob } = await model.forward({ rows: { ...simple, labels }, mask, ...all });
        expect(logprob[4]).toBeLessThan(0);
        mask[5] = 1;
        const asked = model.forward({ rows: { ...simple, labels }, mask, ...all });
        await expect(asked).rejects.toThrow("rows.labels, row 0, place 5: -100; allowed: 0 to 49");
        const before = model.forward({ rows: spoilt("position", 24, -1), ...all });
        await expect(before).rejects.toThrow("rows.position, row 2, place 0: -1; allowed: 0 or");
        const padding = simple.segment.indexOf(-1);
        const padded = await model.forward({ rows: spoilt("ids", padding, 99), ...all });
        const plain = await model.forward({ rows: simple, ...all });
        expect(padded.logprob).toEqual(plain.logprob);
      });
    });
  });

  describe("after its end", () => {
    const rows = simple;
    const d = gradientAt(simple, 3);
    const step = { lr: { trunk: 1 }, beta1: 0, beta2: 0, eps: 1, weightDecay: 0 };
    const uses: [string, (model: EngineModel, other: EngineModel) => unknown][] = [
      ["forward", (model) => model.forward({ rows, temperature: 1 })],
      ["backward", (model) => model.backward({ rows, temperature: 1, dLogprob: d })],
      ["gradNorm", (model) => model.gradNorm()],
      ["scaleGrads", async (model) => model.scaleGrads(2)],
      ["zeroGrads", async (model) => model.zeroGrads()],
      ["readGrads", (model) => model.readGrads()],
      ["update", (model) => model.update(step)],
      ["decode", async (model) => model.decode(1, 10)],
      ["readWeights", (model) => model.readWeights()],
      ["writeWeights", (model) => model.writeWeights(nanoWeights(1))],
      ["readOptimizer", (model) => model.readOptimizer()],
      ["as reference", (model, other) => other.forward({ rows, temperature: 1, kl: model })],
    ];

    test("a model refuses every use, and allocates nothing", async () => {
      await withModel("none", async (other) => {
        await other.forward({ rows, temperature: 1, kl: other });
        const model = await engine.createModel(nano, nanoWeights(1), "none");
        model.dispose();
        model.dispose();
        const { tensors, bytes } = engine.memory();
        for (const [name, use] of uses)
          await expect(use(model, other), name).rejects.toThrow("has been disposed of");
        expect(engine.memory()).toMatchObject({ tensors, bytes });
      });
    });

    test("a session refuses too, and leaves nothing behind, whichever ends first", async () => {
      const rule = { maxNewTokens: 2, stopIds: [], temperature: 1, key: key(1), prompts: [[3]] };
      const use = async (modelFirst: boolean) => {
        const model = await engine.createModel(nano, nanoWeights(1), "none");
        const session = model.decode(1, 10);
        await session.generate(rule);
        if (modelFirst) {
          model.dispose();
          await expect(session.generate(rule)).rejects.toThrow("has been disposed of");
        }
        session.dispose();
        await expect(session.generate(rule)).rejects.toThrow("has been disposed of");
        model.dispose();
      };
      await use(false);
      const { tensors, bytes } = engine.memory();
      for (const modelFirst of [true, false]) {
        await use(modelFirst);
        expect(engine.memory()).toMatchObject({ tensors, bytes });
      }
    });
  });

  describe("memory", () => {
    test("holds as much after the fifth iteration as after the second, and after 50 decode steps", async () => {
      const before = engine.memory();
      await withModel("shared", async (model) => {
        const d = gradientAt(simple, 1);
        const after = [];
        for (let iteration = 1; iteration <= 5; iteration++) {
          const session = model.decode(3, 48);
          await session.generate({
            ...{ maxNewTokens: 8, stopIds: [], temperature: 1 },
            prompts: [tokens(5, 1), tokens(9, 2), tokens(7, iteration)],
            key: key(3),
            value: true,
          });
          session.dispose();
          await model.forward({ rows: simple, temperature: 1, entropy: true, value: true });
          await model.backward({
            rows: simple,
            temperature: 1,
            dLogprob: d,
            dEntropy: d,
            dValue: d,
          });
          model.scaleGrads(0.5);
          await model.update({
            lr: { trunk: 1e-3, valueHead: 1e-3 },
            beta1: 0.9,
            beta2: 0.999,
            eps: 1e-8,
            weightDecay: 0.01,
          });
          after.push(engine.memory());
        }
        expect(after[4]).toEqual(after[1]);

        const session = model.decode(2, 64);
        const fifty = () =>
          session.generate({
            maxNewTokens: 50,
            stopIds: [],
            temperature: 1,
            prompts: [tokens(3, 1), tokens(3, 2)],
            key: key(2),
          });
        await fifty();
        const early = engine.memory();
        session.clear();
        expect((await fifty()).ids[1]!.length).toBe(50);
        expect(engine.memory()).toEqual(early);
        session.dispose();
      });
      // Constants stay for the engine's life; no model's tensor does.
      const { tensors } = engine.memory();
      expect(tensors).toBeLessThan(before.tensors + 40);
    });

    test("a disposed model leaves nothing behind", async () => {
      const use = () =>
        withModel("shared", (model) =>
          model.forward({ rows: simple, temperature: 1, value: true }),
        );
      await use();
      const { tensors, bytes } = engine.memory();
      await use();
      expect(engine.memory()).toMatchObject({ tensors, bytes });
    });
  });
});
