import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";

/** One token per trajectory: golden G11 as two rollouts of a task, and a third of another. */
const rollout = (task: string, reward: number, margin: number, kl?: unknown) => ({
  task,
  turns: [{ reward, tokens: [{ logprob: margin - 3, refLogprob: -3, kl }] }],
});
const files = {
  pairs: [rollout("a", 0, -0.8, 0.9), rollout("b", 5, 0.1, 0.2), rollout("a", 1, 1.2, 0.3)],
  bare: [rollout("a", 0, -0.8), rollout("a", 1, 1.2)],
  wrong: [rollout("a", 0, -0.8, "much"), rollout("a", 1, 1.2, 0.3)],
  ties: [rollout("a", 1, -0.8, 0.9), rollout("a", 1, 1.2, 0.3), rollout("b", 2, 0, 0)],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "turnbook-pairs-"));
  for (const [name, trajectories] of Object.entries(files))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ trajectories }));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Told {
  loss: number;
  pairs: { task: string; chosen: number; rejected: number; logit: number; loss: number }[];
  dLogprob: number[][][];
  dKl: number[][][] | null;
}

async function objective(algorithm: string, file: string, ...more: string[]) {
  const json: unknown[] = [];
  const lines: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(value),
    progress: (line: string) => void lines.push(line),
  };
  const batch = join(folder, `${file}.json`);
  const code = await main(["objective", "--algorithm", algorithm, "--batch", batch, ...more], out);
  return { code, told: json[0] as Told, line: lines[0] };
}

describe("objective on pairs", () => {
  it.each([
    ["dpo", 2, 0.598139],
    ["tdpo1", 1.4, 0.625595],
    ["tdpo2", 1.7, 0.611755],
  ])("%s: golden G11", async (name, logit, loss) => {
    const { code, told } = await objective(name, "pairs");
    expect(code).toBe(0);
    expect(told.pairs).toHaveLength(1);
    expect(told.pairs[0]).toMatchObject({ task: "a", chosen: 2, rejected: 0 });
    expect(told.pairs[0]!.logit).toBeCloseTo(logit, 12);
    expect(told.loss).toBeCloseTo(loss, 6);
    // beta sigmoid(-beta z), up for the chosen one; the trajectory without a partner has no part in it.
    const pull = 0.1 / (1 + Math.exp(0.1 * logit));
    const gradients = told.dLogprob.flat(2);
    [pull, 0, -pull].forEach((d, i) => expect(gradients[i]).toBeCloseTo(d, 12));
    const weight = { dpo: null, tdpo1: [1, 0, -1], tdpo2: [0.5, 0, 0] }[name];
    if (!weight) expect(told.dKl).toBeNull();
    else weight.forEach((w, i) => expect(told.dKl!.flat(2)[i]).toBeCloseTo(w * pull, 12));
  });

  it("takes its settings", async () => {
    const { told } = await objective("tdpo2", "pairs", "--set", "alpha=0", "--set", "beta=0.1");
    const { told: dpo } = await objective("dpo", "bare");
    expect(told.loss).toBe(dpo.loss);
  });

  it.each([
    ["tdpo1", "bare", [], "trajectories[0].turns[0].tokens[0].kl is missing; TDPO1 needs it"],
    [
      "tdpo2",
      "wrong",
      [],
      'trajectories[0].turns[0].tokens[0].kl is "much"; it must be a number from 0',
    ],
    ["dpo", "ties", [], "the batch has no pair: no task has two trajectories"],
    ["dpo", "pairs", ["--set", "beta=0"], 'beta is "0"; it must be a number from 0.000001 to 1000'],
    ["dpo", "pairs", ["--set", "gamma=1"], '"gamma" is not a setting of dpo; allowed: beta, alpha'],
    [
      "dpo",
      "pairs",
      ["--set", "pairsPerTask=1.5"],
      'pairsPerTask is "1.5"; it must be a whole number',
    ],
  ])("%s on %s %j: one line that says what is wrong", async (name, file, more, message) => {
    const { code, line } = await objective(name, file, ...more);
    expect(code).toBe(2);
    expect(line).toContain(message);
  });
});
