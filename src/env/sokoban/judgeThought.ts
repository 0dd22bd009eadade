/** Whether a thought about a board fits its answer and the board. */
import { cellOffset, FLOOR, TARGET, WALL, type Action, type Board } from "./board.ts";
import { move } from "./dynamics.ts";
import {
  readThought,
  type ClaimKind,
  type Step,
  type ThoughtClaim,
  type What,
} from "./thoughtForms.ts";

/** How a thought relates to its answer and to the board before it. */
interface ThoughtJudgement {
  /** Every clause has one of the forms, and one says what to do now. */
  reads: boolean;
  /** What it says to do now is what the answer does. False if it does not read. */
  agrees: boolean;
  /** Everything that it says about the board as it is is true. False if it does not read. */
  fits: boolean;
  /** Every move that it names does what it says: no push without a box, no walk into a wall. False if it does not read. */
  works: boolean;
}

/** Judges a thought; `answer`: the actions that the response names, in order. */
export function judgeThought(
  board: Board,
  text: string,
  answer: readonly (Action | undefined)[],
): ThoughtJudgement {
  const claims = readThought(text);
  const now = claims?.find((claim) => claim.kind === "now");
  if (!claims || now?.kind !== "now")
    return { reads: false, agrees: false, fits: false, works: false };
  const agrees =
    now.steps.length === answer.length && now.steps.every(({ action }, i) => action === answer[i]);
  const plans = claims.filter(({ kind }) => PLANS.has(kind));
  const facts = claims.filter(({ kind }) => !PLANS.has(kind));
  const isTrue = truthOfClaims(board, claims, now.steps);
  return { reads: true, agrees, fits: facts.every(isTrue), works: plans.every(isTrue) };
}

/** What is said of moves, not of the board before them. */
const PLANS: ReadonlySet<ClaimKind> = new Set(["side", "step", "moved", "way", "now"]);

/** Whether a claim is true; to be asked in the order of telling. */
export function truthOfClaims(
  board: Board,
  claims: readonly ThoughtClaim[],
  now: readonly Step[],
): (claim: ThoughtClaim) => boolean {
  const cellAt = ({ row, column }: { row: number; column: number }) =>
    row < board.rows && column < board.cols ? row * board.cols + column : -1;
  const named = claims.find((claim) => claim.kind === "box");
  const boxes = named ? [cellAt(named as { row: number; column: number })] : board.boxes;
  const targets = [...board.fixed.keys()].filter((cell) => board.fixed[cell] === TARGET);
  // Steps that are told one by one follow each other.
  let walked = board;
  return (claim: ThoughtClaim): boolean => {
    switch (claim.kind) {
      case "player":
        return board.player === cellAt(claim);
      case "box":
        return board.boxes.includes(cellAt(claim));
      case "target":
        return targets.includes(cellAt(claim));
      case "offset":
        return boxes.some((box) => targets.includes(box + claim.rows * board.cols + claim.columns));
      case "side":
        return boxes.some((box) => board.fixed[box + cellOffset(claim.side, board.cols)] !== WALL);
      case "around":
        return boxes.some(
          (box) => whatIs(board, box + cellOffset(claim.side, board.cols)) === claim.what,
        );
      case "step":
        walked = move(walked, claim.action);
        return walked.player === cellAt(claim);
      case "moved":
        return afterSteps(board, now)?.boxes.includes(cellAt(claim)) ?? false;
      case "way":
      case "now":
        return afterSteps(board, claim.steps) !== null;
    }
  };
}

/** The board after steps that do what they say; null if one does not: a push without a box, a walk into a wall. */
function afterSteps(start: Board, steps: readonly Step[]): Board | null {
  let board = start;
  for (const { action, push } of steps) {
    const next = move(board, action);
    if (next === board || push !== pushes(board, next)) return null;
    board = next;
  }
  return board;
}

export const pushes = (before: Board, after: Board) => before.boxes !== after.boxes;

export function whatIs(board: Board, cell: number): What {
  if (board.player === cell) return "me";
  if (board.boxes.includes(cell)) return "box";
  const kind = board.fixed[cell];
  return kind === FLOOR ? "floor" : kind === TARGET ? "target" : "wall";
}
