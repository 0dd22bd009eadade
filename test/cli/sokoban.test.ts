import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { main } from "../../src/cli/main.ts";
import { golden } from "../env/sokoban/golden.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "turnbook-sokoban-"));
  vi.stubEnv("INIT_CWD", dir);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return name;
}

interface Line {
  observation: string;
  info: { actions?: string[]; actionsLeft: number };
}

/** Runs one command line and keeps what it writes. */
async function run(...argv: string[]) {
  const lines: Line[] = [];
  const errors: string[] = [];
  const code = await main(argv, {
    json: (value) => lines.push(JSON.parse(JSON.stringify(value)) as Line),
    progress: (line) => errors.push(line),
  });
  return { code, lines, errors };
}

const LEVEL = "######\n#@   #\n# $  #\n#  . #\n#    #\n######\n";
const SHOWN = "######\n#P___#\n#_X__#\n#__O_#\n#____#\n######";

describe("play sokoban", () => {
  it("prints the start alone without --actions", async () => {
    const { code, lines, errors } = await run("play", "sokoban", "--level", file("a.xsb", LEVEL));
    const info = { actionsLeft: 10 };
    expect(lines).toEqual([
      { observation: SHOWN, reward: null, terminated: false, truncated: false, info },
    ]);
    expect([code, errors]).toEqual([0, []]);
  });

  it("prints one line per turn and ignores what follows the end", async () => {
    const actions =
      "<answer>Right||Jump</answer>\n\n<answer>down || LEFT||Down||right||Up</answer>\nrest\n";
    const { code, lines } = await run(
      "play",
      "sokoban",
      `--level=${file("b.xsb", LEVEL)}`,
      `--actions=${file("b.txt", actions)}`,
      "--format-penalty",
      "-0.25",
    );
    expect(code).toBe(0);
    expect(lines.slice(1)).toEqual([
      {
        observation: "######\n#_P__#\n#_X__#\n#__O_#\n#____#\n######",
        reward: -0.35,
        terminated: false,
        truncated: false,
        info: {
          actions: ["Right"],
          envReward: -0.1,
          formatPenalty: -0.25,
          success: false,
          boxesOnTarget: 0,
          actionsLeft: 9,
        },
      },
      {
        observation: "######\n#_P__#\n#_X__#\n#__O_#\n#____#\n######",
        reward: -0.25,
        terminated: false,
        truncated: false,
        info: {
          actions: [],
          envReward: 0,
          formatPenalty: -0.25,
          success: false,
          boxesOnTarget: 0,
          actionsLeft: 9,
        },
      },
      {
        observation: "######\n#____#\n#____#\n#_P√_#\n#____#\n######",
        reward: 10.6,
        terminated: true,
        truncated: false,
        info: {
          actions: ["Down", "Left", "Down", "Right"],
          envReward: 10.6,
          formatPenalty: 0,
          success: true,
          boxesOnTarget: 1,
          actionsLeft: 5,
        },
      },
    ]);
  });

  it.each([
    ["", 0],
    ["\n", 1],
    ["\n\n", 2],
    ["Up", 1],
    ["Up\n \n", 2],
  ])("reads %j as %i turns", async (text, turns) => {
    const argv = ["play", "sokoban", "--level", file("c.xsb", LEVEL)];
    const { lines } = await run(...argv, "--actions", file("c.txt", text));
    expect(lines.length - 1).toBe(turns);
  });

  it("obeys its limits and --think", async () => {
    const level = file("d.xsb", LEVEL);
    const text = "<think>a</think> <answer>Down||Up||Down</answer>\n<answer>Down</answer>\nx\n";
    const argv = ["play", "sokoban", "--level", level, "--actions", file("d.txt", text)];
    const { lines } = await run(...argv, "--think", "on", "--max-actions-per-turn", "2");
    expect(lines[1]!.info.actions).toEqual(["Down", "Up"]);
    expect(lines[2]!.info).toMatchObject({ actions: [], formatPenalty: -0.1 });
    const budget = await run(...argv, "--max-actions=2");
    expect(budget.lines.length).toBe(2);
    expect(budget.lines[1]).toMatchObject({ truncated: true, info: { actionsLeft: 0 } });
    const turns = await run(...argv, "--max-turns=2");
    expect(turns.lines.length).toBe(3);
    expect(turns.lines[2]).toMatchObject({ truncated: true, terminated: false });
  });

  it("takes RAGEN's level of a seed", async () => {
    const expected = golden.generated_levels.find((level) => level.dim[0] === 8)!;
    const { lines, errors } = await run(
      ...["play", "sokoban", "--seed", String(expected.seed), "--size", "8x8"],
      ...["--boxes", "2", "--search-depth", "10"],
    );
    expect(lines[0]!.observation).toBe(expected.level.join("\n"));
    expect(errors).toEqual([]);
    const first = await run("play", "sokoban", "--seed=10000");
    expect(first.lines[0]!.observation).toBe(golden.generated_levels[0]!.level.join("\n"));
  });

  it("says when it had to take another seed", async () => {
    const retry = golden.generated_levels.find((level) => level.retry)!;
    const argv = ["play", "sokoban", "--seed", String(retry.seed), "--size", "8x8"];
    const { code, errors } = await run(...argv, "--boxes", "2", "--search-depth", "10");
    expect(code).toBe(0);
    expect(errors).toEqual([
      expect.stringContaining(`cannot reproduce a level for seed ${retry.seed}`),
    ]);
  });
});

describe("solve sokoban", () => {
  it("prints the shortest LURD solution of the level at --index", async () => {
    const levels = file("e.xsb", `${LEVEL}\nTitle: second\n\n#####\n#@$.#\n#####\n`);
    expect(await run("solve", "sokoban", "--level", levels)).toEqual({
      code: 0,
      errors: [],
      lines: [{ solvable: true, moves: "dRurD" }],
    });
    const second = await run("solve", "sokoban", "--level", levels, "--index", "1");
    expect(second.lines).toEqual([{ solvable: true, moves: "R" }]);
  });

  it("says that a level has no solution", async () => {
    const level = file("f.xsb", "#####\n#.@$#\n#####\n");
    const { code, lines } = await run("solve", "sokoban", "--level", level);
    expect([code, lines]).toEqual([0, [{ solvable: false, moves: null }]]);
  });
});

describe("bad input", () => {
  it.each([
    ["play", "not nothing; allowed: sokoban, webshop"],
    ["play chess", 'not "chess"'],
    ["play constructor", 'not "constructor"'],
    ["play sokoban", "needs --level FILE.xsb or --seed N"],
    ["play sokoban --level none.xsb", "--level: cannot read none.xsb (ENOENT)"],
    ["play sokoban --level .", "--level: cannot read . (EISDIR)"],
    [
      "play sokoban --level good.xsb --actions none.txt",
      "--actions: cannot read none.txt (ENOENT)",
    ],
    ["play sokoban --level good.xsb --index 1", "good.xsb: index is 1"],
    ["play sokoban --level good.xsb --index -1", "--index"],
    ["play sokoban --level good.xsb --seed 1", "--seed cannot be combined with --level"],
    ["play sokoban --seed 1 --index 0", "--index needs --level"],
    ["play sokoban --size 8x8", "needs --level"],
    ["play sokoban --seed 1 --size 8", '--size is "8"'],
    ["play sokoban --seed 1 --size 2x2", "size rows is 2"],
    ["play sokoban --seed 1 --boxes 40", "boxes in 6x6 is 40"],
    ["play sokoban --seed 4294967296", "--seed"],
    ["play sokoban --seed 1 --think maybe", "allowed: on, off"],
    ["play sokoban --seed 1 --format-penalty much", "--format-penalty"],
    ["play sokoban --seed 1 --max-turns 0", "--max-turns"],
    ["play sokoban --seed 1 extra", 'no argument "extra"'],
    ["play sokoban --level bad.xsb", "bad.xsb: the level at line 1 has no player"],
    ["solve", "not nothing"],
    ["solve sokoban", "--level FILE.xsb is missing"],
    ["solve sokoban --level bad.xsb", "no player"],
    ["solve sokoban --level good.xsb --depth 3", "unknown option --depth"],
  ])("%s: one line and exit code 2", async (line, message) => {
    file("good.xsb", LEVEL);
    file("bad.xsb", "#####\n# $.#\n#####\n");
    const { code, lines, errors } = await run(...line.split(" "));
    expect(errors).toEqual([expect.stringContaining(message)]);
    expect([code, lines]).toEqual([2, []]);
  });
});
