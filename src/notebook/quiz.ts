/** A question: the fields of its cell, and whether a reader's answer is right. Answers are kept as texts. */
import { z } from "../spec/zod.ts";
import { readTypedNumber, type NotRead } from "../numeric/typedNumber.ts";
import { permutation, streamHash } from "../numeric/rng.ts";
import { EPISODE_PLACE } from "../spec/turnPlace.ts";
import { line, option, text } from "./cells/fields.ts";

const episodePlace = z
  .string()
  .check(z.regex(EPISODE_PLACE, "must be method, iteration and episode, as in turn-ppo,26,7"));

export const QUIZ_KINDS = ["choice", "number", "order", "turn"] as const;
export type QuizKind = (typeof QUIZ_KINDS)[number];

/** Limit: a place has that many digits. */
const MOST_TURNS = 9999;

export const quizFields = z
  .object({
    question: text,
    kind: z._default(z.enum(QUIZ_KINDS), "choice"),
    /** For `order`: in the right order; the page mixes them. */
    options: z._default(z.array(option).check(z.maxLength(12)), []),
    /** For `turn`: the episode whose turns are the options. */
    at: z.optional(episodePlace),
    /** The number of the right option or turn, from 1; or the number. NaN for `order`. */
    answer: z._default(z.number(), NaN),
    /** Tolerance of a number. */
    tolerance: z._default(z.number().check(z.gte(0)), 0),
    unit: z._default(line, ""),
    hint: z.nullish(text),
    /**
     * By wrong answer, what its reader should know: an option, a turn, a number within the
     * tolerance, or for `order` the first item out of its place.
     */
    feedback: z._default(z.record(z.string(), text), {}),
    explanation: z.nullish(text),
  })
  .check(
    z.superRefine((quiz, context) => {
      for (const [path, message] of [...problemsOf(quiz), ...feedbackProblems(quiz)])
        context.addIssue({ code: "custom", path: [path], message });
    }),
  );

export type Quiz = z.output<typeof quizFields>;

/** Fields and their problems. */
function problemsOf({ kind, options, answer, at }: Quiz): [string, string][] {
  const isPlace = (most: number) => Number.isInteger(answer) && answer >= 1 && answer <= most;
  const missing: [string, string][] = Number.isNaN(answer) ? [["answer", "is missing"]] : [];
  if ((kind === "choice" || kind === "order") && options.length < 2)
    return [["options", "needs at least two"]];
  if (kind === "order") {
    const twice = options.find((one, i) => options.indexOf(one) !== i);
    return twice === undefined ? [] : [["options", `must differ; "${twice}" is there twice`]];
  }
  if (kind === "turn" && at === undefined)
    return [["at", "is missing: the episode, as in turn-ppo,26,7"], ...missing];
  if (missing.length > 0) return missing;
  if (kind === "choice" && !isPlace(options.length))
    return [["answer", `is ${answer}; it must be the number of an option, from 1`]];
  if (kind === "turn" && !isPlace(MOST_TURNS))
    return [["answer", `is ${answer}; it must be the number of a turn, from 1`]];
  return [];
}

function feedbackProblems(quiz: Quiz): [string, string][] {
  const { kind, options, feedback } = quiz;
  const most = { choice: options.length, order: options.length, turn: MOST_TURNS };
  return Object.entries(feedback).flatMap(([wrong, said]): [string, string][] => {
    const number = wrong.trim() === "" ? NaN : Number(wrong);
    const isPlace = Number.isInteger(number) && number >= 1;
    if (kind === "number" ? !Number.isFinite(number) : !isPlace || number > most[kind])
      return [["feedback", `is for "${wrong}"; it must be for ${FEEDBACK_FOR[kind]}`]];
    if (said.trim() === "") return [["feedback", `is empty for ${wrong}`]];
    if (kind !== "order" && isNumberRight(quiz, number))
      return [["feedback", `is for ${wrong}, which is right; it must be for a wrong answer`]];
    return [];
  });
}

const FEEDBACK_FOR = {
  choice: "the number of an option, from 1",
  order: "the number of an option, from 1",
  turn: "the number of a turn, from 1",
  number: "a number",
} satisfies Record<QuizKind, string>;

/** Whether a text is the answer: a number, or the options in order, as `3,1,2`. */
export function isRightAnswer(quiz: Quiz, given: string): boolean {
  return judgeAnswer(quiz, given).verdict === "right";
}

/** What any question says of a wrong answer. `items`: for an order, those in their place. */
type Miss =
  | { kind: "sign" | "high" | "low" | "near" | "power" }
  | { kind: "option" }
  | { kind: "turn" }
  | { kind: "items"; right: number; of: number };

type AnswerJudged =
  | { verdict: "right" }
  /** `feedback`: the question's own, on this mistake. */
  | { verdict: "wrong"; miss: Miss; feedback: string | null }
  /** It is not a number, or is ambiguous: it is not judged. */
  | { verdict: "unread"; why: NotRead };

/** @param given a number, a turn or an option by its number, or the options in order, as `3,1,2`. */
export function judgeAnswer(quiz: Quiz, given: string): AnswerJudged {
  const { kind } = quiz;
  if (kind === "order") return judgeOrder(quiz, given);
  const number = readAnswer(quiz, given);
  if (typeof number === "string") return { verdict: "unread", why: number };
  if (isNumberRight(quiz, number)) return { verdict: "right" };
  return {
    verdict: "wrong",
    miss: kind === "number" ? missOf(quiz, number) : { kind: kind === "turn" ? "turn" : "option" },
    feedback: feedbackOn(quiz, number),
  };
}

/** 0.1 + 0.2 is as good as 0.3. */
const SLACK = 1e-9;

function isNumberRight({ kind, answer, tolerance }: Quiz, number: number): boolean {
  return Math.abs(number - answer) <= (kind === "number" ? tolerance + SLACK : 0);
}

/** On the nearest of the mistakes that it knows. */
function feedbackOn({ kind, feedback, tolerance }: Quiz, number: number): string | null {
  const off = ([wrong]: [string, string]) => Math.abs(Number(wrong) - number);
  const [nearest] = Object.entries(feedback).sort((a, b) => off(a) - off(b));
  const allowed = kind === "number" ? tolerance + SLACK : 0;
  return nearest && off(nearest) <= allowed ? nearest[1] : null;
}

function judgeOrder(quiz: Quiz, given: string): AnswerJudged {
  const { options } = quiz;
  const order = given.split(",").map(Number);
  const right = options.filter((_, i) => order[i] === i + 1).length;
  if (order.length === options.length && right === order.length) return { verdict: "right" };
  const misplaced = order.find((one, i) => one !== i + 1) ?? NaN;
  return {
    verdict: "wrong",
    miss: { kind: "items", right, of: options.length },
    feedback: feedbackOn(quiz, misplaced),
  };
}

/** The intended number, with or without the question's unit. */
function readAnswer({ kind, unit }: Quiz, given: string): number | NotRead {
  const text = kind === "turn" ? given.trim().replace(/^turn\s*/i, "") : given.trim();
  if (unit !== "" && text.toLowerCase().endsWith(unit.toLowerCase()))
    return readTypedNumber(text.slice(0, -unit.length));
  return readTypedNumber(text);
}

/** This many tolerances, or this share of the answer, is near. */
const NEAR = { tolerances: 5, share: 0.02 };

function missOf({ answer, tolerance }: Quiz, number: number): Miss {
  const isIt = (x: number) => Math.abs(x - answer) <= tolerance + SLACK;
  if (answer !== 0 && isIt(-number)) return { kind: "sign" };
  if (answer !== 0 && [0.01, 0.1, 10, 100].some((power) => isIt(number * power)))
    return { kind: "power" };
  const near = Math.max(NEAR.tolerances * tolerance, NEAR.share * Math.abs(answer));
  if (Math.abs(number - answer) <= near) return { kind: "near" };
  return { kind: number > answer ? "high" : "low" };
}

/** The options' numbers in the reader's order, from 1; mixed if no valid order is given. */
export function orderGiven({ question, options }: Quiz, given: string): number[] {
  const order = given.split(",").map(Number);
  const isOrder = order.length === options.length && options.every((_, i) => order.includes(i + 1));
  return isOrder ? order : mixed(options.length, question);
}

/** The same whenever the question is opened, and never the right order. @param n at least 2 */
function mixed(n: number, question: string): number[] {
  const seed = streamHash(question.replace(/[^ -~]/g, ""));
  const key = { seed, stream: "quiz", iteration: 0, trajectory: 0, step: 0 };
  const order = Array.from(permutation(n, key), (at) => at + 1);
  const isRight = order.every((one, i) => one === i + 1);
  return isRight ? [...order.slice(1), order[0]!] : order;
}

/** With the item at a place moved to another; places out of range are clamped. */
export function movedTo(order: readonly number[], from: number, to: number): number[] {
  const others = order.filter((_, i) => i !== from);
  const place = Math.min(Math.max(to, 0), others.length);
  return [...others.slice(0, place), order[from]!, ...others.slice(place)];
}
