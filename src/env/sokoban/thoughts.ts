/**
 * Thoughts about a Sokoban board in words: the solver's plan as a person would say it, and the
 * reading of such sentences. One table of forms writes and reads them, so that what the solver says
 * can always be read; what a model says is judged by the same table.
 */
import type { ThoughtLength } from "../../spec/thoughts.ts";
import { ACTIONS, cellOffset, FLOOR, TARGET, WALL, type Action, type Board } from "./board.ts";
import { move } from "./dynamics.ts";

/** A planned move, and whether it pushes a box. */
interface Step {
  action: Action;
  push: boolean;
}

/** What one clause says. Rows and columns count from 0. */
type ThoughtClaim =
  | { kind: "player" | "box" | "target" | "moved"; row: number; column: number }
  | { kind: "offset"; rows: number; columns: number }
  | { kind: "side"; side: Action }
  | { kind: "around"; side: Action; what: What }
  | { kind: "step"; action: Action; row: number; column: number }
  | { kind: "way" | "now"; steps: Step[] };

type ClaimKind = ThoughtClaim["kind"];

/** How each claim is said: several phrasings. */
const FORMS: Readonly<Record<ClaimKind, readonly string[]>> = {
  player: ["I am at row {row}, column {column}", "I stand at row {row}, column {column}"],
  box: ["box at row {row}, column {column}", "the box is at row {row}, column {column}"],
  target: ["target at row {row}, column {column}", "the target is at row {row}, column {column}"],
  offset: ["target {offset}", "the target is {offset} of the box"],
  around: ["{side} it is {what}", "{side} the box is {what}"],
  side: ["stand {side} it", "I must stand {side} it", "get {side} it"],
  way: ["way: {steps}", "the way is {steps}"],
  step: ["{action} takes me to row {row}, column {column}"],
  now: ["go {steps}", "now {steps}"],
  moved: ["then the box is at row {row}, column {column}"],
};

const SIDES: Readonly<Record<Action, string>> = {
  Up: "above",
  Down: "below",
  Left: "left of",
  Right: "right of",
};
const WHATS = ["wall", "floor", "box", "target", "me"] as const;
type What = (typeof WHATS)[number];
/** A board has at most 16 rows and columns. */
const NUMBERS =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(
    " ",
  );

const word = (action: Action) => action.toLowerCase();
const actionOf = (said: string) => ACTIONS.find((action) => word(action) === said)!;
const DIRECTION = ACTIONS.map(word).join("|");
const STEP = `(?:then )?(?:push )?(?:${DIRECTION})`;
const PART = `(?:${NUMBERS.join("|")}) (?:${DIRECTION})`;

/** The text of each slot. */
const SLOTS: Readonly<Record<string, string>> = {
  row: "\\d+",
  column: "\\d+",
  side: Object.values(SIDES).join("|"),
  what: WHATS.join("|"),
  action: DIRECTION,
  steps: `${STEP}(?:, ${STEP})*`,
  offset: `${PART}(?: and ${PART})?`,
};

/** The forms as patterns with named groups. */
const PATTERNS = (Object.entries(FORMS) as [ClaimKind, readonly string[]][]).flatMap(
  ([kind, forms]) =>
    forms.map((form) => ({
      kind,
      pattern: new RegExp(
        `^${form.replace(/\{(\w+)\}/g, (_, slot: string) => `(?<${slot}>${SLOTS[slot]})`)}$`,
      ),
    })),
);

function slotText(claim: ThoughtClaim, slot: string): string {
  if (slot === "offset" && claim.kind === "offset") return offsetText(claim);
  if (slot === "steps" && "steps" in claim) return stepsText(claim.steps);
  if (slot === "side" && "side" in claim) return SIDES[claim.side];
  if (slot === "action" && "action" in claim) return word(claim.action);
  return String((claim as unknown as Record<string, unknown>)[slot]);
}

function offsetText({ rows, columns }: { rows: number; columns: number }): string {
  const part = (n: number, plus: Action, minus: Action) =>
    n === 0 ? [] : [`${NUMBERS[Math.abs(n) - 1]} ${word(n > 0 ? plus : minus)}`];
  return [...part(columns, "Right", "Left"), ...part(rows, "Down", "Up")].join(" and ");
}

/** `up, left, then push right`: "then" before the first push after a walk. */
function stepsText(steps: readonly Step[]): string {
  return steps
    .map(({ action, push }, i) => {
      const then = push && i > 0 && !steps[i - 1]!.push ? "then " : "";
      return `${then}${push ? "push " : ""}${word(action)}`;
    })
    .join(", ");
}

function readSteps(text: string): Step[] {
  return text.split(", ").map((said) => ({
    action: actionOf(said.split(" ").at(-1)!),
    push: said.includes("push "),
  }));
}

function readOffset(text: string): { rows: number; columns: number } {
  const offset = { rows: 0, columns: 0 };
  for (const part of text.split(" and ")) {
    const [number, direction] = part.split(" ") as [string, string];
    const n = NUMBERS.indexOf(number) + 1;
    const sign = direction === "up" || direction === "left" ? -1 : 1;
    offset[direction === "up" || direction === "down" ? "rows" : "columns"] += sign * n;
  }
  return offset;
}

/** The text of a response's think block; null without one that closes. */
export function thoughtIn(response: string): string | null {
  return /^<think>(.*?)<\/think>/s.exec(response)?.[1] ?? null;
}

/** The claims of a thought; null if a clause has none of the forms, or there is none. */
export function readThought(text: string): ThoughtClaim[] | null {
  const body = text.trim().replace(/\.$/, "");
  if (body === "") return null;
  const claims = body.split("; ").map(readClause);
  return claims.every((claim) => claim !== null) ? claims : null;
}

function readClause(clause: string): ThoughtClaim | null {
  for (const { kind, pattern } of PATTERNS) {
    const slots = pattern.exec(clause)?.groups;
    if (!slots) continue;
    const { row, column, side, what, action, steps, offset } = slots;
    return {
      kind,
      ...(row !== undefined && { row: Number(row) }),
      ...(column !== undefined && { column: Number(column) }),
      ...(side !== undefined && { side: ACTIONS.find((one) => SIDES[one] === side) }),
      ...(what !== undefined && { what }),
      ...(action !== undefined && { action: actionOf(action) }),
      ...(steps !== undefined && { steps: readSteps(steps) }),
      ...(offset !== undefined && readOffset(offset)),
    } as ThoughtClaim;
  }
  return null;
}

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
  const isTrue = truthOf(board, claims, now.steps);
  return { reads: true, agrees, fits: facts.every(isTrue), works: plans.every(isTrue) };
}

/** What is said of moves, not of the board before them. */
const PLANS: ReadonlySet<ClaimKind> = new Set(["side", "step", "moved", "way", "now"]);

/** Whether a claim is true; to be asked in the order of telling. */
function truthOf(
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

const pushes = (before: Board, after: Board) => before.boxes !== after.boxes;

function whatIs(board: Board, cell: number): What {
  if (board.player === cell) return "me";
  if (board.boxes.includes(cell)) return "box";
  const kind = board.fixed[cell];
  return kind === FLOOR ? "floor" : kind === TARGET ? "target" : "wall";
}

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
  const said = claims.map((claim, i) => {
    const forms = FORMS[claim.kind];
    const form = forms[Math.floor(draws[2 + (i % (draws.length - 2))]! * forms.length)]!;
    return form.replace(/\{(\w+)\}/g, (_, slot: string) => slotText(claim, slot));
  });
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
  return slips.find((one) => !one.every(truthOf(board, one, now))) ?? claims;
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
