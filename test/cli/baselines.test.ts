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

  it("tells of the first weights of webshop-class besides, unless told otherwise", async () => {
    const argv = ["baselines", "webshop", "--episodes=24", "--workers=1"];
    const { code, lines } = await run(...argv);
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatchObject({
      policy: "model",
      checkpoint: "models/nano-webshop",
      episodes: 24,
    });
    expect(lines.at(-1)!["reward"]).toBeGreaterThan(0.4);
  });

  it.each([
    ["baselines", "allowed: webshop"],
    ["baselines sokoban", 'not "sokoban"; allowed: webshop'],
    ["baselines webshop now", 'no word "now"'],
    ["baselines webshop --episodes 0", "--episodes"],
    ["baselines webshop --goals train", "allowed: held-out, all"],
    ["baselines webshop --model nano", "allowed: webshop-class, webshop-think, none"],
  ])("%s: one line and exit code 2", async (line, message) => {
    const { code, lines, errors } = await run(...line.split(" "));
    expect([code, lines]).toEqual([2, []]);
    expect(errors).toEqual([expect.stringContaining(message)]);
  });
});
