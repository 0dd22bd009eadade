/** Props of the control of each kind of question. */
import type { Quiz } from "../../../../notebook/quiz.ts";

export interface AnswerProps {
  quiz: Quiz;
  given: string;
  /** The right answer may be shown. */
  isEnded: boolean;
  onAnswer: (text: string) => void;
}
