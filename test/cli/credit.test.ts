import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { expectClose } from "../golden/load.ts";

const token = { logprob: -1, oldLogprob: -1.1, refLogprob: -1, value: 0.1, newValue: 0.1 };
const turn = { reward: 0, value: 0.2, newValue: 0.2, tokens: [token] };
const example = {
  trajectories: [
    {
      task: "t0",
      terminated: true,
      bootstrapValue: 0,
      turns: [turn, { ...turn, reward: 1, tokens: [token, token] }],
    },
    {
      task: "t0",
      terminated: false,
      bootstrapValue: 0.5,
      turns: [{ ...turn, tokens: [token, token, token] }],
    },
  ],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "turnbook-credit-"));
  writeFileSync(join(folder, "batch.json"), JSON.stringify(example));
  writeFileSync(join(folder, "broken.json"), '{"trajectories": [');
  const wrong = { trajectories: [{ turns: [{ tokens: [{ logprob: "x" }] }] }] };
  writeFileSync(join(folder, "wrong.json"), JSON.stringify(wrong));
  const bare = { trajectories: [{ turns: [{ tokens: [{}] }] }] };
  writeFileSync(join(folder, "bare.json"), JSON.stringify(bare));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...argv: string[]) {
  const json: unknown[] = [];
  const lines: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(value),
    progress: (line: string) => void lines.push(line),
  };
  const code = await main(argv, out);
  return { code, json, lines };
}

interface CreditOutput {
  advantages: number[][] | null;
  tokenAdvantages: number[][][];
  returns: number[][] | number[][][] | null;
}
interface ObjectiveOutput {
  loss: number;
  dLogprob: number[][][];
  valueLoss: number | null;
  dValue: number[][] | number[][][] | null;
  metrics: Record<string, number>;
  note?: string;
}

async function answer<T>(command: string, algorithm: string, ...rest: string[]): Promise<T> {
  const result = await run(
    command,
    "--algorithm",
    algorithm,
    "--batch",
    join(folder, "batch.json"),
    ...rest,
  );
  expect(result).toMatchObject({ code: 0, lines: [] });
  expect(result.json).toHaveLength(1);
  return result.json[0] as T;
}

/** Lengths of a nested array, e.g. [[1, 2], [3]]. */
const shape = (x: unknown[][]) =>
  x.map((row) => row.map((cell) => (Array.isArray(cell) ? cell.length : 0)));

describe("credit", () => {
  it("turn-ppo: advantages and returns per turn", async () => {
    const set = ["--set", "whiten=none", "--set=gamma=0.5", "--set", "lambda=0.5"];
    const { advantages, tokenAdvantages, returns } = await answer<CreditOutput>(
      "credit",
      "turn-ppo",
      ...set,
    );
    // delta = -0.1, 0.8 | 0.05; bootstrap counts only in the truncated trajectory.
    expectClose(advantages!.flat(), [0.1, 0.8, 0.05], 1e-12);
    expectClose((returns as number[][]).flat(), [0.3, 1, 0.25], 1e-12);
    expect(shape(tokenAdvantages)).toEqual([[1, 2], [3]]);
    expect(tokenAdvantages).toEqual(
      advantages!.map((row, b) => row.map((A, k) => tokenAdvantages[b]![k]!.map(() => A))),
    );
  });
  it("turn-ppo: returns before whitening, advantages after", async () => {
    const [white, plain] = [
      await answer<CreditOutput>("credit", "turn-ppo"),
      await answer<CreditOutput>("credit", "turn-ppo", "--set", "whiten=none"),
    ];
    expect(white.returns).toEqual(plain.returns);
    expect(white.advantages!.flat().reduce((a, b) => a + b)).toBeCloseTo(0, 12);
  });
  it("token-ppo: no advantages per turn, returns per token", async () => {
    const { advantages, tokenAdvantages, returns } = await answer<CreditOutput>(
      "credit",
      "token-ppo",
    );
    expect(advantages).toBeNull();
    expect(shape(tokenAdvantages)).toEqual([[1, 2], [3]]);
    expectClose((returns as number[][][]).flat(2), [1, 1, 1, 0.5, 0.5, 0.5], 1e-12);
  });
  it("grpo: one number a trajectory, no returns", async () => {
    const { advantages, returns } = await answer<CreditOutput>("credit", "grpo");
    const A = 0.5 / (Math.SQRT1_2 + 1e-6);
    expectClose(advantages!.flat(), [A, A, -A], 1e-12);
    expect(returns).toBeNull();
  });
});

describe("objective", () => {
  const w = Math.exp(0.1);
  it("grpo", async () => {
    const { loss, dLogprob, valueLoss, dValue, metrics } = await answer<ObjectiveOutput>(
      "objective",
      "grpo",
      "--set",
      "betaKl=0.5",
    );
    const A = 0.5 / (Math.SQRT1_2 + 1e-6);
    expect(loss).toBeCloseTo(0, 12);
    expectClose(
      dLogprob.flat(2),
      [1, 1, 1, -1, -1, -1].map((s) => (-s * w * A) / 6),
      1e-12,
    );
    expect([valueLoss, dValue]).toEqual([null, null]);
    expect(metrics["actor/kl_loss"]).toBe(0);
  });
  it("turn-ppo: dValue per turn, valueLoss half the mean of means", async () => {
    const { dLogprob, valueLoss, dValue } = await answer<ObjectiveOutput>(
      "objective",
      "turn-ppo",
      "--set",
      "gamma=0.5",
      "--set",
      "lambda=0.5",
    );
    expect(shape(dLogprob)).toEqual([[1, 2], [3]]);
    const errors = [0.2 - 0.3, 0.2 - 1, 0.2 - 0.25];
    expect(valueLoss).toBeCloseTo(
      (0.5 * ((errors[0]! ** 2 + errors[1]! ** 2) / 2 + errors[2]! ** 2)) / 2,
      12,
    );
    expectClose(
      (dValue as number[][]).flat(),
      [errors[0]! / 4, errors[1]! / 4, errors[2]! / 2],
      1e-12,
    );
    expect((dValue as number[][]).map((row) => row.length)).toEqual([2, 1]);
  });
  it("token-ppo: dValue per token", async () => {
    const { valueLoss, dValue } = await answer<ObjectiveOutput>("objective", "token-ppo");
    expect(shape(dValue as number[][][])).toEqual([[1, 2], [3]]);
    expect(valueLoss).toBeCloseTo((0.5 * (3 * 0.81 + 3 * 0.16)) / 6, 12);
  });
  it("clipping bias: corrected over log-probs, a note where parameters are needed", async () => {
    const tight = ["--set", "epsLow=0.01", "--set", "epsHigh=0.01", "--set", "clipBiasKappa=0.001"];
    const over = (scope: string) => ["--set", `clipBiasScope=${scope}`];
    const none = await answer<ObjectiveOutput>(
      "objective",
      "s-ppo",
      ...tight,
      "--set=clipBias=none",
    );
    const plain = await answer<ObjectiveOutput>("objective", "s-ppo", ...tight);
    const own = await answer<ObjectiveOutput>("objective", "s-ppo", ...tight, ...over("logprobs"));
    expect(plain.note).toContain("clipBias max-one is not applied: with clipBiasScope minibatch,");
    expect({ ...plain, note: undefined }).toEqual({ ...none, note: undefined });
    for (const { note } of [none, own]) expect(note).toBeUndefined();
    const by = own.metrics["actor/clip_bias_denominator/mean"]!;
    expect(by).toBeGreaterThan(1);
    expect(by).toBeCloseTo(own.metrics["actor/clip_bias_norm/mean"]! / 0.001, 9);
    expectClose(
      own.dLogprob.flat(2),
      plain.dLogprob.flat(2).map((g) => g / by),
      1e-14,
    );
    expect(own.loss).toBe(plain.loss);
  });
  it("prints finite metrics under verl's names", async () => {
    const { metrics } = await answer<ObjectiveOutput>("objective", "turn-ppo");
    const names = [
      "actor/pg_loss",
      "actor/pg_clipfrac",
      "actor/ppo_kl",
      "actor/turn_clipfrac",
      "critic/vf_loss",
      "critic/vf_explained_var",
      "critic/advantages/mean",
      "critic/rewards/max",
    ];
    expect(Object.keys(metrics)).toEqual(expect.arrayContaining(names));
    expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
  });
});

describe("bad input: exit 2 and one line", () => {
  const file = (name: string) => ["--batch", join(folder, name)];
  const good = () => file("batch.json");
  it.each<[string, () => string[], string]>([
    ["no algorithm", good, "credit needs --algorithm NAME"],
    ["no batch", () => ["--algorithm", "grpo"], "credit needs --batch FILE"],
    [
      "unknown algorithm",
      () => ["--algorithm", "ppo", ...good()],
      'algorithm is "ppo"; allowed: reinforce',
    ],
    ["missing file", () => ["--algorithm", "grpo", ...file("none.json")], "none.json (ENOENT)"],
    ["invalid JSON", () => ["--algorithm", "grpo", ...file("broken.json")], "is not valid JSON"],
    [
      "wrong field",
      () => ["--algorithm", "grpo", ...file("wrong.json")],
      'trajectories[0].turns[0].tokens[0].logprob is "x"',
    ],
    [
      "missing field",
      () => ["--algorithm", "turn-ppo", ...file("bare.json")],
      "trajectories[0].turns[0].value is missing; turn-ppo needs it",
    ],
    [
      "unknown setting",
      () => ["--algorithm", "grpo", ...good(), "--set", "beta=1"],
      '"beta" is not a setting',
    ],
    [
      "setting out of range",
      () => ["--algorithm", "grpo", ...good(), "--set", "gamma=-1"],
      'gamma is "-1"; it must be a number from 0 to 1',
    ],
    [
      "setting without value",
      () => ["--algorithm", "grpo", ...good(), "--set", "gamma"],
      '--set is "gamma"; it must be KEY=VALUE',
    ],
    [
      "setting twice",
      () => ["--algorithm", "grpo", ...good(), "--set", "gamma=1", "--set", "gamma=0"],
      "--set gamma is given twice",
    ],
    [
      "stray word",
      () => ["here", "--algorithm", "grpo", ...good()],
      'credit takes options only, not "here"',
    ],
  ])("%s", async (_, argv, message) => {
    const { code, json, lines } = await run("credit", ...argv());
    expect({ code, json, count: lines.length }).toEqual({ code: 2, json: [], count: 1 });
    expect(lines[0]).toContain(message);
    expect(lines[0]).not.toContain("\n");
  });
});
