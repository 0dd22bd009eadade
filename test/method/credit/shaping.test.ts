import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { potentialAfter, tokenShaping, turnShaping } from "../../../src/method/credit/shaping.ts";
import { ACTIONS, boardKey, parseBoard, type Board } from "../../../src/env/sokoban/board.ts";
import { play } from "../../../src/env/sokoban/dynamics.ts";
import { uniform, streamHash } from "../../../src/numeric/rng.ts";
import { sokobanPotential } from "../../../src/env/sokoban/solver.ts";

const open = parseBoard(["######", "#P___#", "#_X_O#", "#____#", "######"].join("\n"));
const corridor = parseBoard(["#####", "#P_##", "#_X_#", "#_O_#", "#####"].join("\n"));
const twoBoxes = parseBoard(["######", "#_P__#", "#OX_##", "##_XO#", "######"].join("\n"));

/** Reward of one move: what the environment pays, and what is added to it. */
type Added = (before: Board, after: Board, ended: boolean) => number;
const nothing: Added = () => 0;

interface Answer {
  value: number;
  /** Every optimal action, by state (board and moves left). */
  optimal: Map<string, string>;
}

/** Exact search of the whole game of `moves` moves, one move a turn. */
function solve(start: Board, moves: number, gamma: number, added: Added): Answer {
  const values = new Map<string, number>();
  const optimal = new Map<string, string>();
  const V = (board: Board, left: number): number => {
    const key = `${left} ${boardKey(board)}`;
    const known = values.get(key);
    if (known !== undefined) return known;
    const Q = ACTIONS.map((action) => {
      const { board: next, reward, solved } = play(board, [action]);
      const ended = solved || left === 1;
      return reward + added(board, next, ended) + (ended ? 0 : gamma * V(next, left - 1));
    });
    const best = Math.max(...Q);
    optimal.set(key, ACTIONS.filter((_, a) => best - Q[a]! < 1e-9).join(" "));
    values.set(key, best);
    return best;
  };
  return { value: V(start, moves), optimal };
}

type Phi = (board: Board) => number;

/** The shaping under test, on the one turn from `before` to `after`. */
const shapedBy =
  (phi: Phi, gamma: number, zeroAtEnd = true): Added =>
  (before, after, ended) =>
    turnShaping({
      potential: Float64Array.of(phi(before)),
      finalPotential: Float64Array.of(ended && zeroAtEnd ? 0 : phi(after)),
      turnStart: Int32Array.of(0, 1),
      gamma,
    })[0]!;

const exact = sokobanPotential(12);
/** Streams are named in ASCII. */
const keyOf = (board: Board) => encodeURIComponent(boardKey(board));
/** Any function of the state at all. */
const arbitrary: Phi = (board) =>
  20 * uniform({ seed: 7, stream: keyOf(board), iteration: 0, trajectory: 0, step: 0 }) - 10;

describe.each([1, 0.99, 0.9, 0.5])("with discount %f", (gamma) => {
  test.each([
    ["open room", open, 8],
    ["narrow room", corridor, 8],
    ["two boxes", twoBoxes, 7],
  ])("every optimal action of every state stays, none is added: %s", (_, board, moves) => {
    const plain = solve(board, moves, gamma, nothing);
    expect(plain.optimal.size).toBeGreaterThan(20);
    for (const phi of [exact, arbitrary]) {
      const shaped = solve(board, moves, gamma, shapedBy(phi, gamma));
      expect(shaped.optimal).toEqual(plain.optimal);
      expect(shaped.value).toBeCloseTo(plain.value - phi(board), 9);
    }
  });
});

test("summing good steps instead changes the optimum: it pays to go away and come again", () => {
  const good: Added = (before, after) => (exact(after) > exact(before) ? 1 : 0);
  const plain = solve(open, 8, 1, nothing);
  const summed = solve(open, 8, 1, good);
  expect(summed.optimal).not.toEqual(plain.optimal);
  // One push solves it. Rewarded by the step, pushing at once is no longer best.
  const near = parseBoard(["######", "#____#", "#_PXO#", "#____#", "######"].join("\n"));
  const start = `8 ${boardKey(near)}`;
  expect(solve(near, 8, 1, nothing).optimal.get(start)).toBe("Right");
  expect(solve(near, 8, 1, good).optimal.get(start)).not.toContain("Right");
});

test("without the zero at the end the optimum changes: it pays to end where the potential is high", () => {
  const phi: Phi = (board) => streamHash(keyOf(board)) % 10;
  const plain = solve(open, 4, 1, nothing);
  expect(solve(open, 4, 1, shapedBy(phi, 1, false)).optimal).not.toEqual(plain.optimal);
  expect(solve(open, 4, 1, shapedBy(phi, 1)).optimal).toEqual(plain.optimal);
});

test("the exact potential is the fewest moves left, with one floor for deadlocks and far boards", () => {
  const phi = sokobanPotential(6);
  expect(phi(parseBoard(["#####", "#P__#", "#_X_#", "#_O_#", "#####"].join("\n")))).toBe(-2);
  expect(phi(parseBoard(["####", "#√P#", "####"].join("\n")))).toBe(0);
  expect(phi(parseBoard(["#####", "#XP_#", "#__O#", "#####"].join("\n")))).toBe(-7);
  const far = parseBoard(["##########", "#PX_____O#", "##########"].join("\n"));
  expect(sokobanPotential(6)(far)).toBe(-6);
  expect(sokobanPotential(5)(far)).toBe(-6);
  expect(sokobanPotential(4)(far)).toBe(-5);
});

const number = fc.double({ min: -50, max: 50, noNaN: true });
const trajectories = fc.array(
  fc.record({
    potential: fc.array(number, { minLength: 1, maxLength: 6 }),
    final: number,
    lengths: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 6, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 5 },
);

function packed(drawn: { potential: number[]; final: number; lengths: number[] }[]) {
  const starts = (counts: number[]) =>
    Int32Array.from([0, ...counts].map((_, i) => counts.slice(0, i).reduce((a, b) => a + b, 0)));
  return {
    potential: Float64Array.from(drawn.flatMap(({ potential }) => potential)),
    finalPotential: Float64Array.from(drawn, ({ final }) => final),
    turnStart: starts(drawn.map(({ potential }) => potential.length)),
    tokenStart: starts(
      drawn.flatMap(({ potential, lengths }) => lengths.slice(0, potential.length)),
    ),
  };
}

function discountedSum(x: Float64Array, from: number, to: number, gamma: number): number {
  let sum = 0;
  for (let i = to - 1; i >= from; i--) sum = x[i]! + gamma * sum;
  return sum;
}

test("from any turn on, discounted shaping sums to gamma^n Phi(end) - Phi(s_h), whatever happens between", () => {
  fc.assert(
    fc.property(trajectories, fc.double({ min: 0, max: 1, noNaN: true }), (drawn, gamma) => {
      const { tokenStart, ...input } = packed(drawn);
      const F = turnShaping({ ...input, gamma });
      const token = tokenShaping({ ...input, gamma }, tokenStart);
      drawn.forEach(({ final }, b) => {
        const [first, end] = [input.turnStart[b]!, input.turnStart[b + 1]!];
        for (let k = first; k < end; k++) {
          const turns = gamma ** (end - k) * final - input.potential[k]!;
          expect(discountedSum(F, k, end, gamma)).toBeCloseTo(turns, 9);
          const tokens = tokenStart[end]! - tokenStart[k]!;
          expect(discountedSum(token, tokenStart[k]!, tokenStart[end]!, gamma)).toBeCloseTo(
            gamma ** tokens * final - input.potential[k]!,
            9,
          );
        }
      });
    }),
  );
});

test("the state after a turn is the one before the next, or the end's", () => {
  const after = potentialAfter({
    potential: Float64Array.of(1, 2, 3),
    finalPotential: Float64Array.of(8, 9),
    turnStart: Int32Array.of(0, 2, 3),
  });
  expect([...after]).toEqual([2, 8, 9]);
});
