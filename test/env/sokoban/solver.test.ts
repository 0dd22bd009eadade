import { describe, expect, it } from "vitest";
import { ACTIONS, isSolved, parseBoard, type Board } from "../../../src/env/sokoban/board.ts";
import { move, play } from "../../../src/env/sokoban/dynamics.ts";
import { generateLevel } from "../../../src/env/sokoban/generate.ts";
import {
  distanceToGo,
  solveActions,
  solveLurd,
  toLurd,
  deadSquares,
} from "../../../src/env/sokoban/solver.ts";
import { parseXsbLevel } from "../../../src/env/sokoban/xsb.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import { golden } from "./golden.ts";

const levels = golden.generated_levels.filter((level) => !level.retry);

/**
 * The plainest solver there is, to compare with: breadth first, no pruning, neighbours Up, Down,
 * Left, Right.
 */
function breadthFirst(start: Board): string | null {
  const key = (board: Board) => [board.player, ...board.boxes].join();
  const seen = new Set([key(start)]);
  const queue = [{ board: start, path: "" }];
  for (const { board, path } of queue) {
    if (isSolved(board)) return path;
    for (const action of ACTIONS) {
      const next = move(board, action);
      if (seen.has(key(next))) continue;
      seen.add(key(next));
      queue.push({ board: next, path: path + action[0] });
    }
  }
  return null;
}

describe("solver", () => {
  it.each(levels)("finds the golden solution of seed $seed, $dim, $num_boxes boxes", (level) => {
    const board = parseBoard(level.level.join("\n"));
    const actions = solveActions(board)!;
    expect(actions.map((action) => action[0]).join("")).toBe(level.bfs_solution);
    expect(distanceToGo(board)).toBe(level.bfs_len);
    expect(play(board, actions)).toMatchObject({ solved: true });
    expect(play(board, actions).reward).toBeCloseTo(level.return_sum, 9);
  });

  it("equals plain breadth-first search on 150 other levels, letter by letter", () => {
    const options = { size: [7, 7], boxes: 2, searchDepth: 30 } as const;
    for (let seed = 0; seed < 150; seed++) {
      const { board } = generateLevel(seed, options);
      const found =
        solveActions(board)
          ?.map((action) => action[0])
          .join("") ?? null;
      expect(found).toBe(breadthFirst(board));
    }
  });

  it("agrees with breadth-first search after random moves, also where the level has become unsolvable", () => {
    let unsolvable = 0;
    for (let seed = 0; seed < 120; seed++) {
      let { board } = generateLevel(seed, { size: [6, 6], boxes: 1, searchDepth: 300 });
      for (let i = 0; i < 6; i++) board = move(board, ACTIONS[(seed * 7 + i * i * 5) % 4]!);
      const expected = breadthFirst(board);
      expect(distanceToGo(board)).toBe(expected === null ? null : expected.length);
      if (expected === null) unsolvable++;
    }
    expect(unsolvable).toBeGreaterThan(5);
  });

  it("writes pushes in upper case", () => {
    const board = parseXsbLevel("######\n#@   #\n# $  #\n#  . #\n#    #\n######");
    expect(solveLurd(board)).toBe("dRurD");
    expect(toLurd(board, ["Left", "Down", "Right"])).toBe("ldR");
  });

  it("returns an empty solution for a solved level and none for a dead one", () => {
    expect(solveLurd(parseXsbLevel("#####\n#@*-#\n#####"))).toBe("");
    expect(solveLurd(parseXsbLevel("#####\n#.@$#\n#####"))).toBeNull();
    expect(distanceToGo(parseXsbLevel("#####\n#.@$#\n#####"))).toBeNull();
  });

  it("gives up with a clear sentence beyond its number of states", () => {
    const board = parseXsbLevel(golden.xsb_parse[0]!.xsb.join("\n"));
    expect(() => solveLurd(board, { maxStates: 100 })).toThrow(InputError);
    expect(() => solveLurd(board, { maxStates: 100 })).toThrow("looked at 100 states");
  });

  it("solves a Boxoban level of four boxes as short as breadth-first search", () => {
    const board = parseXsbLevel(golden.xsb_parse[0]!.xsb.join("\n"));
    const actions = solveActions(board)!;
    expect(play(board, actions).solved).toBe(true);
    expect(actions.map((action) => action[0]).join("")).toBe(breadthFirst(board));
  });
});

describe("deadSquares", () => {
  it.each(levels)("finds those of seed $seed, $dim, $num_boxes boxes", (level) => {
    const board = parseBoard(level.level.join("\n"));
    const cells = deadSquares(board).map((cell) => [
      Math.floor(cell / board.cols),
      cell % board.cols,
    ]);
    expect(cells).toEqual(level.simple_dead_squares_rc);
  });
});
