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

  it("plays several in lockstep, each as it is played alone, and does not wait for ended ones", async () => {
    const [down, home] = [
      "<answer>Down||Down</answer>",
      "<answer>Right||Right||Down||Right</answer>",
    ];
    const up = "<answer>Up</answer>";
    const argv = ["--env", "FrozenLake-v0", "--set", "slippery=false", "--actions", "many.txt"];
    const texts = [
      [down, up],
      [home, null],
      [up, up],
    ];
    writeFileSync(join(dir, "many.txt"), texts.map((each) => JSON.stringify(each)).join("\n"));
    const { code, lines, errors } = await run(...argv, "--seed", "3", "--envs", "2");
    expect([code, errors]).toEqual([0, []]);
    for (const [env, played] of [
      [down, home],
      [up, up],
    ].entries()) {
      writeFileSync(join(dir, "one.txt"), played.join("\n"));
      const alone = await run(...argv.slice(0, -1), "one.txt", "--seed", String(3 + env));
      const own = lines.filter((line) => "env" in line && line.env === env);
      expect(own).toEqual(alone.lines.map((line) => ({ env, ...line })));
    }
    expect(lines.at(-2)).toMatchObject({ env: 0, terminated: true, info: { success: true } });
  });

  it.each(['["Up"]', "Up", '["Up", 1]', "{}"])("refuses the line %s for two", async (line) => {
    writeFileSync(join(dir, "bad.txt"), line);
    const { code, lines, errors } = await run(
      ...["--env", "Bandit-v0", "--envs", "2", "--actions", "bad.txt"],
    );
    expect([code, lines]).toEqual([2, []]);
    expect(errors[0]).toContain("must be a JSON list of 2 texts or nulls");
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
