/** Answers to the course's questions, before and after its first lessons: kept apart, in this browser. */
import { readValue, writeValue } from "../../runtime/shelf/smallValue.ts";
import { z } from "../../spec/zod.ts";

export const ROUNDS = ["before", "after"] as const;
export type QuizRound = (typeof ROUNDS)[number];

/** By question: the number of an option, from 1. */
export type RoundAnswers = Readonly<Record<string, number>>;

/** A missing round was not handed in. */
export type Rounds = Partial<Record<QuizRound, RoundAnswers>>;

const KEY = "turnbook-course-quiz";

const answers = z.record(z.string().check(z.maxLength(64)), z.int().check(z.gte(1), z.lte(12)));
const rounds = z.object({ before: z.optional(answers), after: z.optional(answers) });

/** Anything that is not an answer counts as none. */
export function readRounds(): Rounds {
  const { before, after } = rounds.safeParse(readValue("site", KEY)).data ?? {};
  return { ...(before && { before }), ...(after && { after }) };
}

export function keepRounds(all: Rounds): void {
  writeValue("site", KEY, all);
}

/** The next round; null once both are handed in. */
export function nextRound(all: Rounds): QuizRound | null {
  return ROUNDS.find((round) => all[round] === undefined) ?? null;
}

interface Keyed {
  id: string;
  answer: number;
}

/** Right answers of a round. */
export function countRight(questions: readonly Keyed[], given: RoundAnswers): number {
  return questions.filter(({ id, answer }) => given[id] === answer).length;
}
