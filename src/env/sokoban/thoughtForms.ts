/**
 * Thoughts about a Sokoban board in words. One table of forms writes and reads them, so that what
 * the solver says can always be read; what a model says is judged by the same table.
 */
import { ACTIONS, type Action } from "./board.ts";

/** A planned move, and whether it pushes a box. */
export interface Step {
  action: Action;
  push: boolean;
}

/** What one clause says. Rows and columns count from 0. */
export type ThoughtClaim =
  | { kind: "player" | "box" | "target" | "moved"; row: number; column: number }
  | { kind: "offset"; rows: number; columns: number }
  | { kind: "side"; side: Action }
  | { kind: "around"; side: Action; what: What }
  | { kind: "step"; action: Action; row: number; column: number }
  | { kind: "way" | "now"; steps: Step[] };

export type ClaimKind = ThoughtClaim["kind"];

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
export const WHATS = ["wall", "floor", "box", "target", "me"] as const;
export type What = (typeof WHATS)[number];
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

/** In one of its phrasings; `draw` in [0, 1) chooses it. */
export function sayClaim(claim: ThoughtClaim, draw: number): string {
  const forms = FORMS[claim.kind];
  const form = forms[Math.floor(draw * forms.length)]!;
  return form.replace(/\{(\w+)\}/g, (_, slot: string) => slotText(claim, slot));
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
