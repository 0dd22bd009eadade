import { describe, expect, it } from "vitest";
import {
  boardKey,
  boxesOnTarget,
  isSolved,
  parseBoard,
  renderBoard,
} from "../../../src/env/sokoban/board.ts";
import { move, play, rewardOf, rewardUnits } from "../../../src/env/sokoban/dynamics.ts";
import { actionNamed } from "../../../src/env/sokoban/parseResponse.ts";
import { golden, type StepCase } from "./golden.ts";

/** gym-sokoban starts its count of filled targets at 0 whatever the board. */
const QUIRK = "start_with_box_on_target_quirk";

/** Plays a golden case action by action, starting from the given count of filled targets. */
function replay(testCase: StepCase, startCount: number) {
  let board = parseBoard(testCase.level.join("\n"));
  let count = startCount;
  return testCase.steps.map((step, i) => {
    const next = move(board, actionNamed(step.action)!);
    const after = boxesOnTarget(next);
    const reward = rewardOf(rewardUnits(count, after, isSolved(next)));
    const result = {
      action: step.action,
      reward,
      done: isSolved(next) || i + 1 === testCase.max_steps,
      effective: next.player !== board.player,
      boxes_on_target: after,
      success: isSolved(next),
      obs: renderBoard(next).split("\n"),
    };
    board = next;
    count = after;
    return result;
  });
}

describe("one action", () => {
  it.each(golden.step_cases)("pays and moves as gym-sokoban: $id", (testCase) => {
    const board = parseBoard(testCase.level.join("\n"));
    const count = testCase.id === QUIRK ? 0 : boxesOnTarget(board);
    const steps = replay(testCase, count);
    expect(steps).toEqual(testCase.steps);
    const sum = steps.reduce((total, step) => total + step.reward, 0);
    expect(sum).toBeCloseTo(testCase.return_sum, 9);
  });

  it("differs from gym-sokoban only in the first step's +1 when a box starts on a target", () => {
    const testCase = golden.step_cases.find((step) => step.id === QUIRK)!;
    const ours = replay(testCase, boxesOnTarget(parseBoard(testCase.level.join("\n"))));
    expect(ours.map((step) => step.reward)).toEqual([-0.1, -0.1]);
    expect(testCase.steps.map((step) => step.reward)).toEqual([0.9, -0.1]);
  });

  it("leaves the board it came from alone", () => {
    const board = parseBoard("#####\n#PXO#\n#####");
    const before = structuredClone(board);
    expect(isSolved(move(board, "Right"))).toBe(true);
    expect(board).toEqual(before);
    expect(move(board, "Up")).toBe(board);
  });
});

describe("play", () => {
  it("stops at the solution and sums rewards without rounding noise", () => {
    const board = parseBoard("#######\n#P__XO#\n#_____#\n#######");
    const played = play(board, ["Right", "Left", "Right", "Right", "Right", "Up", "Down"]);
    expect(played.actions).toEqual(["Right", "Left", "Right", "Right", "Right"]);
    expect(played).toMatchObject({ reward: 10.5, solved: true });
  });
});

describe("parseBoard", () => {
  it("tells two boards apart that differ in one cell, and keeps equal ones equal", () => {
    const text = "#####\n#PXO#\n#___#\n#####";
    expect(boardKey(parseBoard(text))).toBe(boardKey(parseBoard(text)));
    expect(boardKey(parseBoard(text.replace("___", "_#_")))).not.toBe(boardKey(parseBoard(text)));
  });

  it.each([
    ["#####\n#PXO\n#####", "row 1 has 4 cells"],
    ["#####\n#P$O#\n#####", 'unknown symbol "$"'],
    ["#####\n#_XO#\n#####", "0 players"],
    ["#####\n#PXS#\n#####", "2 players"],
    ["#####\n#PXO_\n#####", "open at row 1, column 4"],
  ])("refuses %j", (text, message) => {
    expect(() => parseBoard(text)).toThrow(message);
  });
});
