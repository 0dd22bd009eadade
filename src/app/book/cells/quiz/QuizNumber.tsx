/** A number as an answer, typed between its name and its unit. */
import type { AnswerProps } from "./quizAnswerProps.ts";

interface QuizNumberProps extends Pick<AnswerProps, "given" | "onAnswer"> {
  label: string;
  unit?: string;
  inputMode: "decimal" | "numeric";
}

export function QuizNumber({ label, unit = "", inputMode, given, onAnswer }: QuizNumberProps) {
  return (
    <label className="quiz-number">
      {label}{" "}
      <input
        inputMode={inputMode}
        autoComplete="off"
        value={given}
        onChange={({ currentTarget }) => onAnswer(currentTarget.value)}
      />{" "}
      {unit}
    </label>
  );
}
