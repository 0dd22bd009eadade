/** Questions as cells. */
import { readBody } from "../../body.ts";
import { quizFields } from "../../quiz.ts";
import type { CellKind } from "../kind.ts";

export const quizKind = {
  title: "Question",
  shows: "named",
  blank: [
    "question: Which turn earned the reward?",
    "options: [the first, the last]",
    "answer: 2",
    "explanation: ",
  ].join("\n"),
  schema: quizFields,
  isQuestion: true,
  isAbout: (body) => quizFields.safeParse(readBody(body).fields).data?.kind === "turn",
} satisfies CellKind;
