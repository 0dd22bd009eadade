/** What the control of each kind of question is given. */
import type { Quiz } from "../../../../notebook/cells/quiz/quiz.ts";

export interface AnswerProps {
  quiz: Quiz;
  given: string;
  /** The right answer may be seen. */
  isEnded: boolean;
  onAnswer: (text: string) => void;
}
