/** The fork panel's numbers and its pencil. */
import { describe, expect, it } from "vitest";
import { parseBoard, renderBoard } from "../../src/env/sokoban/board.ts";
import { draw, isBoard, problemOf } from "../../src/panels/fork/boardEdit.ts";
import { difference, meanOf, stacks } from "../../src/panels/fork/spread.ts";

const BOARD = ["#####", "#PXO#", "#__S#".replace("S", "_"), "#####"].join("\n");

describe("spread", () => {
  it("has the textbook t interval", () => {
    // Of 1, 2, 3, 4: std 1.29099, t(3) = 3.18245.
    const { mean, low, high } = meanOf([1, 2, 3, 4]);
    expect(mean).toBe(2.5);
    expect(high - mean).toBeCloseTo((3.18245 * 1.29099) / 2, 3);
    expect(mean - low).toBeCloseTo(high - mean, 12);
    expect(meanOf([5]).low).toBeNaN();
    expect(meanOf([7, 7, 7])).toEqual({ mean: 7, low: 7, high: 7 });
  });

  it("has Welch's interval of a difference", () => {
    const { mean, low, high } = difference([1, 2, 3, 4], [0, 0, 2, 2, 1]);
    expect(mean).toBeCloseTo(1.5, 12);
    // Variances 5/12 and 1/5; df = 5.6, rounded down to 5; t(5) = 2.57058.
    expect((high - low) / 2).toBeCloseTo(2.57058 * Math.sqrt(5 / 12 + 1 / 5), 3);
    expect(difference([3, 3], [1, 1])).toEqual({ mean: 2, low: 2, high: 2 });
  });

  it("stacks returns without losing any, the largest included", () => {
    const all = stacks([0, 0, 10, 5, 5.01], 20, 0, 10);
    expect(all.map(({ count }) => count)).toEqual([2, 2, 1]);
    expect(all[0]!.value).toBe(0);
    expect(all[1]!.value).toBeCloseTo(5.005, 12);
    expect(stacks([3, 3, 3], 20, 3, 3)).toEqual([{ value: 3, count: 3 }]);
  });
});

describe("the board's pencil", () => {
  it("draws boards that can be read back", () => {
    let board = draw(BOARD, "player", 2, 1);
    expect(board.split("\n")[1]).toBe("#_XO#");
    expect(board.split("\n")[2]).toBe("#P__#");
    board = draw(board, "box", 1, 3);
    expect(board.split("\n")[1]).toBe("#_X√#");
    board = draw(board, "target", 1, 2);
    expect(board.split("\n")[1]).toBe("#_√√#");
    expect(problemOf(board)).toContain("solved already");
    expect(renderBoard(parseBoard(board))).toBe(board);
  });

  it("keeps the border and the one player", () => {
    expect(draw(BOARD, "floor", 0, 2)).toBe(BOARD);
    expect(draw(BOARD, "wall", 1, 1)).toBe(BOARD);
    expect(draw(BOARD, "wall", 9, 9)).toBe(BOARD);
    expect(draw(BOARD, "target", 1, 1).split("\n")[1]).toBe("#SXO#");
    const moved = draw(draw(BOARD, "target", 1, 1), "player", 2, 2);
    expect(moved.split("\n")[1]).toBe("#OXO#");
  });

  it("says why a board cannot be played", () => {
    expect(problemOf(BOARD)).toBeNull();
    expect(problemOf(draw(BOARD, "floor", 1, 2))).toContain("needs a box");
    expect(problemOf(draw(BOARD, "target", 1, 3))).toContain("0 targets");
    expect(isBoard(BOARD)).toBe(true);
    expect(isBoard("Welcome to the shop")).toBe(false);
    expect(isBoard(`${BOARD}\n2 turns left`)).toBe(false);
  });
});
