import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";

async function run(...argv: string[]) {
  const lines: Record<string, unknown>[] = [];
  const errors: string[] = [];
  const code = await main(argv, {
    json: (value) => void lines.push(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
    progress: (line) => void errors.push(line),
  });
  return { code, lines, errors };
}

describe("baselines webshop", () => {
  it("tells of each scripted policy on the same held-out goals", async () => {
    const { code, lines } = await run(
      ...["baselines", "webshop", "--episodes=60", "--noise=0.2", "--model=none"],
    );
    expect(code).toBe(0);
    expect(lines.map(({ policy }) => policy)).toEqual([
      ...["random", "search and buy first", "expert", "expert, noise 0.2"],
    ]);
    for (const line of lines) {
      expect(line).toMatchObject({ episodes: 60, distinctGoals: 60, goals: "held-out" });
      const [low, high] = line["reward95"] as [number, number];
      expect(line["reward"]).toBeGreaterThanOrEqual(low);
      expect(line["reward"]).toBeLessThanOrEqual(high);
    }
    const [random, first, best, noisy] = lines.map(({ reward }) => reward as number);
    expect(random).toBeLessThan(first!);
    expect(first).toBeLessThan(noisy!);
    expect(noisy).toBeLessThan(best!);
  });

  it("rates the policies and webshop-class's first weights over 200 trips as promised", async () => {
    const { code, lines } = await run("baselines", "webshop", "--episodes=200", "--workers=1");
    expect(code).toBe(0);
    expect(lines.map(({ policy }) => policy)).toEqual([
      ...["random", "search and buy first", "expert", "model"],
    ]);
    for (const line of lines) {
      expect(line).toMatchObject({ episodes: 200, distinctGoals: 200, goals: "held-out" });
      expect(line["success"]).toBeGreaterThanOrEqual(0);
      expect(line["success"]).toBeLessThanOrEqual(1);
    }
    const [random, first, best, model] = lines.map(({ reward }) => reward as number);
    expect(random).toBeLessThanOrEqual(0.1);
    expect(first).toBeGreaterThanOrEqual(0.4);
    expect(first).toBeLessThanOrEqual(0.7);
    expect(best).toBeGreaterThan(0.9);
    expect(model).toBeGreaterThan(0.55);
    expect(lines[3]).toMatchObject({ checkpoint: "models/nano-webshop" });
  });

  it.each([
    ["baselines", "allowed: webshop"],
    ["baselines sokoban", 'not "sokoban"; allowed: webshop'],
    ["baselines webshop now", 'no argument "now"'],
    ["baselines webshop --episodes 0", "--episodes"],
    ["baselines webshop --goals train", "allowed: held-out, all"],
    [
      "baselines webshop --model nano",
      "allowed: webshop-class, webshop-think, webshop-progress, webshop-fair, webshop-qwen2, webshop-qwen2-progress, webshop-think-progress, none",
    ],
  ])("%s: one line and exit code 2", async (line, message) => {
    const { code, lines, errors } = await run(...line.split(" "));
    expect([code, lines]).toEqual([2, []]);
    expect(errors).toEqual([expect.stringContaining(message)]);
  });
});
