/** Words of a lesson's frame. */
import { counted } from "../../numeric/counted.ts";

export const words = {
  all: "All lessons",
  title: (number: number, title: string) => `Lesson ${number}: ${title}`,
  steps: "Steps of the lesson",
  step: (n: number, of: number, title: string) =>
    `Step ${n} of ${of}${title === "" ? "" : `: ${title}`}`,
  left: (minutes: number) =>
    minutes < 1 ? "almost done" : `about ${counted(Math.round(minutes), "minute")} left`,
  back: "Back",
  next: "Next",
  skip: "Skip",
  coming: (title: string) => `Next: ${title}`,
  answer: "Choose an answer, or skip the question",
  end: "This was the last step.",
  figures: "Figures of this step",
};
