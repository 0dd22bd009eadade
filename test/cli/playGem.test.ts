import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { main } from "../../src/cli/main.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "turnbook-gem-"));
  vi.stubEnv("INIT_CWD", dir);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

async function run(...argv: string[]) {
  const lines: { observation: string; reward: number | null; info: object }[] = [];
  const errors: string[] = [];
  const code = await main(["play", "gem", ...argv], {
    json: (value) => lines.push(JSON.parse(JSON.stringify(value))),
    progress: (line) => errors.push(line),
  });
  return { code, lines, errors };
}

describe("play gem", () => {
  it("plays FrozenLake from a file of answers", async () => {
    const turns = [
      "<answer>Down || Down</answer>",
      "<answer>Right||Right||Down||Right</answer>",
      "",
    ];
    writeFileSync(join(dir, "a.txt"), turns.join("\n"));
    const argv = ["--env", "FrozenLake-v0", "--set", "slippery=false", "--actions", "a.txt"];
    const { code, lines, errors } = await run(...argv, "--seed", "3");
    expect([code, errors, lines.length]).toEqual([0, [], 3]);
    expect(lines[0]!.observation).toMatch(/P___\n_O_O\n___O\nO__G\nYou have 100 actions/);
    expect(lines[0]!.reward).toBeNull();
    expect(lines[2]).toMatchObject({
      reward: 1,
      terminated: true,
      info: { success: true, turns: 2, episodeReward: 1 },
    });
    const history = await run(...argv, "--observation", "concat_with_action", "--max-turns", "1");
    expect(history.lines).toHaveLength(2);
    expect(history.lines[1]).toMatchObject({ truncated: true });
    expect(history.lines[1]!.observation).toContain(`O__G\n${turns[0]}\n____`);
  });

  it.each([
    [["--seed", "1"], "option --env is missing; allowed: Sokoban-v0, WebShop-v0"],
    [["--env", "Lake"], 'environment is "Lake"'],
    [
      ["--env", "Bandit-v0", "--set", "arms"],
      'option --set is "arms"; it must look like key=value',
    ],
    [["--env", "Bandit-v0", "--set", "daringReward=much"], 'daringReward is "much"'],
    [["--env", "FrozenLake-v0", "--set", "map=9x9"], 'map is "9x9"'],
    [["--env", "Bandit-v0", "--observation", "all"], "option --observation is"],
    [["FrozenLake-v0"], 'play gem takes no argument "FrozenLake-v0"'],
    [["--env", "Bandit-v0", "--actions", "none.txt"], "cannot read none.txt"],
  ])("refuses %j", async (argv, message) => {
    const { code, lines, errors } = await run(...argv);
    expect(code).toBe(2);
    expect(lines).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(message);
  });
});
