import { describe, expect, it } from "vitest";
import { BanditEnv } from "../../../src/env/bandit/banditEnv.ts";

const arms = { arms: "Baker/Racer" };

describe("BanditEnv", () => {
  it("pays the steady arm's wage always", () => {
    for (let seed = 0; seed < 20; seed++) {
      const env = new BanditEnv(arms);
      env.reset(seed);
      expect(env.step("<answer> baker </answer>")).toMatchObject({
        observation: "Baker pays 0.1.",
        reward: 0.1,
        terminated: true,
        info: { success: false, actions: ["Baker"] },
      });
      expect(() => env.step("")).toThrow("ended");
    }
  });

  it("pays the daring arm 1 in a quarter of the seeds, and of the members of a seed", () => {
    const paid = (seed: number, member: number) => {
      const env = new BanditEnv({ ...arms, member });
      env.reset(seed);
      const { reward, info } = env.step("<answer>Racer</answer>");
      expect(info.success).toBe(true);
      return reward;
    };
    const n = 2000; // two standard errors are 0.02
    const bySeed = Array.from({ length: n }, (_, i) => paid(i, 0));
    const byMember = Array.from({ length: n }, (_, i) => paid(5, i));
    for (const list of [bySeed, byMember]) {
      expect(new Set(list)).toEqual(new Set([0, 1]));
      expect(Math.abs(list.reduce((a, b) => a + b) / n - 0.25)).toBeLessThan(0.03);
    }
  });

  it("names the arms in either order, and the test split has other names", () => {
    const first = (seed: number, split: "train" | "test") =>
      new BanditEnv({ split }).reset(seed).observation;
    const train = new Set(Array.from({ length: 200 }, (_, i) => first(i, "train")));
    const test = new Set(Array.from({ length: 200 }, (_, i) => first(i, "test")));
    expect([train.size, test.size]).toEqual([8, 4]);
    expect([...train].filter((text) => test.has(text))).toEqual([]);
  });

  it("truncates after a turn without a name", () => {
    const env = new BanditEnv({ ...arms, maxTurns: 2 });
    env.reset(1);
    expect(env.step("Racer")).toMatchObject({ reward: -0.1, terminated: false, truncated: false });
    expect(env.step("<answer>Pilot</answer>")).toMatchObject({ reward: -0.1, truncated: true });
  });

  it.each([
    [{ arms: "Baker" }, 'arms is "Baker"'],
    [{ arms: "Baker/baker" }, "arms is"],
    [{ split: "dev" as "test" }, "split is"],
    [{ daringProbability: 1.5 }, "daringProbability is 1.5"],
  ])("refuses %j", (options, message) => {
    expect(() => new BanditEnv(options)).toThrow(message);
  });
});
