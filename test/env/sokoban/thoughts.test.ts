import { describe, expect, it } from "vitest";
import { parseBoard } from "../../../src/env/sokoban/board.ts";
import { generateLevel } from "../../../src/env/sokoban/generate.ts";
import { SokobanEnv } from "../../../src/env/sokoban/sokobanEnv.ts";
import { solveActions } from "../../../src/env/sokoban/solver.ts";
import { judgeThought } from "../../../src/env/sokoban/judgeThought.ts";
import { sayThought } from "../../../src/env/sokoban/sayThought.ts";
import { readThought } from "../../../src/env/sokoban/thoughtForms.ts";
import { thoughtBlock, thoughtIn } from "../../../src/env/thoughtBlock.ts";
import { uniforms } from "../../../src/numeric/rng.ts";
import { THOUGHT_LENGTHS } from "../../../src/spec/thoughts.ts";

const LENGTHS = THOUGHT_LENGTHS.filter((length) => length > 0);
const drawsOf = (seed: number) =>
  uniforms({ seed, stream: "test", iteration: 0, trajectory: 0, step: 0 }, 16);
const level = parseBoard("######\n#P___#\n#_X__#\n#__O_#\n#____#\n######");
const board = (seed: number) =>
  generateLevel(seed, { size: [6, 6], boxes: 1 + (seed % 2), searchDepth: 60 }).board;

describe("sayThought", () => {
  it.each(LENGTHS)("says what is true and what the answer does, length %s", (length) => {
    for (let seed = 1; seed <= 60; seed++) {
      const on = board(seed);
      const plan = solveActions(on)!;
      const now = plan.slice(0, 2);
      const text = sayThought(on, { plan, now, length, misread: false, draws: drawsOf(seed) });
      const sound = { reads: true, agrees: true, fits: true, works: true };
      expect(judgeThought(on, text, now), text).toEqual(sound);
    }
  });

  it("varies its phrasing with its draws, and repeats it for the same ones", () => {
    const plan = solveActions(level)!;
    const request = { plan, now: plan.slice(0, 2), length: 64, misread: false } as const;
    const texts = Array.from({ length: 20 }, (_, seed) =>
      sayThought(level, { ...request, draws: drawsOf(seed) }),
    );
    expect(new Set(texts).size).toBeGreaterThan(10);
    expect(sayThought(level, { ...request, draws: drawsOf(3) })).toBe(texts[3]);
  });

  it("is wrong about the board where a slip is planted, and still agrees with its answer", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const plan = solveActions(level)!;
      const now = plan.slice(0, 2);
      const text = sayThought(level, {
        plan,
        now,
        length: 24,
        misread: true,
        draws: drawsOf(seed),
      });
      const sound = { reads: true, agrees: true };
      const judged = judgeThought(level, text, now);
      expect(judged, text).toMatchObject(sound);
      expect(judged.fits && judged.works, text).toBe(false);
    }
  });
});

describe("judgeThought", () => {
  const judge = (text: string, ...answer: ("Up" | "Down" | "Left" | "Right")[]) =>
    judgeThought(level, text, answer);

  it.each([
    ["box at row 2, column 2; stand left of it; go down.", ["Down"], true, true, true],
    ["box at row 2, column 3; stand left of it; go down.", ["Down"], true, false, true],
    ["box at row 2, column 2; target one right and one down; go down.", ["Down"], true, true, true],
    ["target one left; go down.", ["Down"], true, false, true],
    ["go down, then push right.", ["Down", "Right"], true, true, true],
    ["go push down.", ["Down"], true, true, false],
    ["go up.", ["Up"], true, true, false],
    ["box at row 2, column 2; go up.", ["Up"], true, true, false],
    ["go down.", ["Right"], false, true, true],
    ["go down.", ["Down", "Right"], false, true, true],
    ["above it is floor; below it is wall; go right.", ["Right"], true, false, true],
    [
      "I am at row 1, column 1; down takes me to row 2, column 1; go down.",
      ["Down"],
      true,
      true,
      true,
    ],
    ["box at row 99, column 2; go down.", ["Down"], true, false, true],
  ] as const)("judges %j", (text, answer, agrees, fits, works) => {
    expect(judge(text, ...answer)).toEqual({ reads: true, agrees, fits, works });
  });

  it.each(["", "hello", "box at row 2, column 2.", "go sideways.", "go up; and so on.", "go up;"])(
    "does not read %j",
    (text) => {
      expect(judge(text, "Up")).toEqual({
        reads: false,
        agrees: false,
        fits: false,
        works: false,
      });
    },
  );
});

describe("readThought", () => {
  it("reads steps with and without pushes", () => {
    expect(readThought("now up, left, then push down, push down.")).toEqual([
      {
        kind: "now",
        steps: [
          { action: "Up", push: false },
          { action: "Left", push: false },
          { action: "Down", push: true },
          { action: "Down", push: true },
        ],
      },
    ]);
  });
});

describe("thoughtIn", () => {
  it("takes the first think block, and none that never closes", () => {
    expect(thoughtIn("<think>go up.</think><answer>Up</answer>")).toBe("go up.");
    expect(thoughtIn("<think>go up.")).toBeNull();
    expect(thoughtIn("<answer>Up</answer>")).toBeNull();
  });

  it("says where a block ends, and whether it closes", () => {
    const closed = { thought: "go up.", closes: true, length: 23 };
    expect(thoughtBlock("\n <think>go up.</think> <answer>Up</answer>")).toEqual(closed);
    expect(thoughtBlock("<think>go")).toEqual({ thought: "go", closes: false, length: 9 });
    expect(thoughtBlock("Up <think>go</think>")).toBeNull();
  });
});

describe("an environment that judges thoughts", () => {
  it("reports every turn's thought", () => {
    const env = new SokobanEnv({ level, think: true, judgeThoughts: true });
    env.reset(1);
    const marks = (text: string) => env.step(text).info.turnMarks;
    const all = (is: boolean) => ({
      thought_reads: is,
      thought_agrees: is,
      thought_fits: is,
      thought_works: is,
    });
    expect(marks("<think>go down.</think><answer>Down</answer>")).toEqual(all(true));
    expect(marks("<think>go down, right</answer>")).toEqual(all(false));
    expect(marks("<think>go down.</think><answer>Jump</answer>")).toMatchObject({
      thought_reads: true,
      thought_agrees: false,
    });
  });

  it("says nothing of thoughts otherwise", () => {
    const env = new SokobanEnv({ level });
    env.reset(1);
    expect(env.step("<answer>Down</answer>").info).not.toHaveProperty("turnMarks");
  });
});
