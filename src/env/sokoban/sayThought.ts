/** The solver's plan as a person would say it. */
import type { ThoughtLength } from "../../spec/thoughts.ts";
import { ACTIONS, cellOffset, type Action, type Board } from "./board.ts";
import { move } from "./dynamics.ts";
import { pushes, truthOfClaims, whatIs } from "./judgeThought.ts";
import { sayClaim, WHATS, type ClaimKind, type Step, type ThoughtClaim } from "./thoughtForms.ts";

interface ThoughtRequest {
  /** The solver's moves from here to the end; at least one of them pushes. */
  plan: readonly Action[];
  /** The moves that the answer makes: those of the plan, or a slip. */
  now: readonly Action[];
  /** About this many tokens; above 0. */
  length: ThoughtLength;
  /** Whether one number of the thought is wrong. */
  misread: boolean;
  /** Numbers in [0, 1) that choose phrasings and slips. At least 16. */
  draws: ArrayLike<number>;
}

/**
 * What the solver thinks before an answer. A clause is left out where it has nothing to say: the
 * offset of a box that stands on its target, the box after an answer that pushes none.
 */
export function sayThought(board: Board, request: ThoughtRequest): string {
  const { plan, now, length, misread, draws } = request;
  const known = claimsOf(board, plan, now);
  const chosen = known.filter(({ kind }) => SAID[kind] <= length);
  const claims = misread
    ? withSlip(board, chosen, stepsOf(board, now), draws[0]!, draws[1]!)
    : chosen;
  const said = claims.map((claim, i) => sayClaim(claim, draws[2 + (i % (draws.length - 2))]!));
  return `${said.join("; ")}.`;
}

/** The shortest thought that contains a claim. */
const SAID: Readonly<Record<ClaimKind, number>> = {
  now: 8,
  box: 24,
  side: 24,
  player: 64,
  target: 64,
  offset: 64,
  way: 64,
  around: 128,
  step: 128,
  moved: 128,
};

/** All that can be said, in the order of telling. */
function claimsOf(board: Board, plan: readonly Action[], now: readonly Action[]): ThoughtClaim[] {
  const at = (cell: number) => ({ row: Math.floor(cell / board.cols), column: cell % board.cols });
  const way = stepsOf(board, plan);
  const first = way.findIndex(({ push }) => push);
  const before = way.slice(0, first).reduce((on, { action }) => move(on, action), board);
  const push = way[first]!.action;
  const box = before.player + cellOffset(push, board.cols);
  const target = pushedTo(before, box, plan.slice(first));
  const offset = {
    rows: at(target).row - at(box).row,
    columns: at(target).column - at(box).column,
  };
  const steps = stepsOf(board, now);
  let walked = board;
  const told = now.map((action): ThoughtClaim => {
    walked = move(walked, action);
    return { kind: "step", action, ...at(walked.player) };
  });
  const moved = walked.boxes.find((cell) => !board.boxes.includes(cell));
  return [
    { kind: "player", ...at(board.player) },
    { kind: "box", ...at(box) },
    { kind: "target", ...at(target) },
    ...(box === target ? [] : [{ kind: "offset" as const, ...offset }]),
    ...ACTIONS.map((side): ThoughtClaim => {
      return { kind: "around", side, what: whatIs(board, box + cellOffset(side, board.cols)) };
    }),
    { kind: "side", side: OPPOSITE[push] },
    { kind: "way", steps: way },
    ...told,
    ...(moved === undefined ? [] : [{ kind: "moved" as const, ...at(moved) }]),
    { kind: "now", steps },
  ];
}

const OPPOSITE: Readonly<Record<Action, Action>> = {
  Up: "Down",
  Down: "Up",
  Left: "Right",
  Right: "Left",
};

function stepsOf(start: Board, actions: readonly Action[]): Step[] {
  let board = start;
  return actions.map((action) => {
    const next = move(board, action);
    const push = pushes(board, next);
    board = next;
    return { action, push };
  });
}

/** Where the plan leaves the box that stands on this cell. */
function pushedTo(start: Board, box: number, plan: readonly Action[]): number {
  let [board, cell] = [start, box];
  for (const action of plan) {
    board = move(board, action);
    if (board.player === cell) cell += cellOffset(action, board.cols);
  }
  return cell;
}

/** One claim is changed so that it is false: a row or column by one, a side, or whether a move pushes. */
function withSlip(
  board: Board,
  claims: readonly ThoughtClaim[],
  now: readonly Step[],
  which: number,
  how: number,
): readonly ThoughtClaim[] {
  const first = Math.floor(which * claims.length);
  const slips = claims.map((_, i) => {
    const at = (first + i) % claims.length;
    return claims.map((claim, j) => (j === at ? slipped(claim, how) : claim));
  });
  return slips.find((one) => !one.every(truthOfClaims(board, one, now))) ?? claims;
}

function slipped(claim: ThoughtClaim, how: number): ThoughtClaim {
  if ("row" in claim) {
    const by = how < 0.5 ? 1 : -1;
    return Math.floor(how * 4) % 2 === 0
      ? { ...claim, row: Math.abs(claim.row + by) }
      : { ...claim, column: Math.abs(claim.column + by) };
  }
  if ("rows" in claim) {
    const flat = claim.columns === 0 ? "rows" : "columns";
    return { ...claim, [flat]: -claim[flat] };
  }
  if ("steps" in claim)
    return { ...claim, steps: claim.steps.map((s, i) => (i === 0 ? { ...s, push: !s.push } : s)) };
  if (claim.kind === "around")
    return { ...claim, what: WHATS[(WHATS.indexOf(claim.what) + 1) % WHATS.length]! };
  return { ...claim, side: OPPOSITE[claim.side] };
}
