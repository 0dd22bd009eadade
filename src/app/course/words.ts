/** Words of the course: its index, the links from lesson to lesson, and its quiz. */
import { counted } from "../../numeric/counted.ts";

export const words = {
  title: "Lessons",
  order: (lessons: number) => `${lessons}, in order`,
  card: (number: number, title: string) => `${number}. ${title}`,
  length: (steps: number, read: number) => `${counted(steps, "step")}, ${counted(read, "word")}`,
  step: (n: number, of: number) => `Step ${n} of ${of}`,
  done: "Done",
  picture: (title: string) => `Figure of the lesson: ${title}`,
  quiz: "Eight questions before and after",
  quizHint: "What do you know before lesson 1, and after lesson 5?",
  guide: "For teachers",
  guideHint: "Plans for 45 and 90 minutes and for 14 weeks, a lab sheet, present mode.",
  course: "Beside this lesson",
  previous: (title: string) => `Lesson before: ${title}`,
  next: (title: string) => `Next lesson: ${title}`,
  rounds: {
    back: "All lessons",
    title: { before: "Before lesson 1", after: "After lesson 5" },
    rounds: { before: "before", after: "after" },
    kept: "Your first answers are kept. Answer again after lesson 5; then both are compared.",
    question: (number: number, text: string) => `${number}. ${text}`,
    handIn: "Hand in",
    left: (n: number) => `${counted(n, "question")} left`,
    compared: "Before and after",
    change: (before: number, after: number, of: number) =>
      `${before} of ${of} right before, ${after} after.`,
    asked: "question",
    right: "right answer",
    why: "why",
    again: "Start over",
  },
};
