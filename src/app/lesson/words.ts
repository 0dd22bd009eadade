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
  answer: "Answer, or skip the question",
  end: "This was the last step.",
  figures: "Figures of this step",
};

/** Of a class experiment. */
export const classWords = {
  title: "Class experiment",
  seat: "Your desk number",
  seatHint: (seats: number) => `A number from 1 to ${seats}; the teacher says which.`,
  noSeat: (text: string, seats: number) => `Is ${text}; must be a whole number from 1 to ${seats}.`,
  seed: (seed: number) => `Your run has seed ${seed}.`,
  train: "Train with my seed",
  first: "First a desk number and a prediction.",
  states: {
    idle: "Nobody else in the class trains this run.",
    loading: "The model is loading.",
    running: "Training.",
    paused: "Paused: go on in the run bar.",
    finished: "Done.",
    failed: "The run failed; its message stands above.",
  },
  handIn:
    "Hand in this code. It says seed, prediction, curves and fingerprint, and nothing about you.",
  otherEngine:
    "This run gives no code: only WebAssembly gives the same numbers on every machine. Choose it and train again.",
  copy: "Copy code",
  copied: "Copied.",
  notCopied: "The browser did not allow it: select the code and copy it.",
  collect: "For the teacher: collect the codes",
  paste: "Paste codes, one or many",
  pasteHint: "Any text will do: a chat, a table, links.",
  add: "Add",
  added: (n: number, found: number) =>
    found === 0 ? "No code in that text." : `${counted(n, "new code")} of ${found}.`,
  file: "From a file",
  clear: "Forget all codes",
  none: "No codes yet.",
  counts: (n: number, all: number) => `${n} of ${counted(all, "code")} count.`,
  table: "Codes",
  desk: "desk",
  predicted: "predicted",
  standing: "standing",
  fine: "counts",
  checked: "counts: trained again, the same",
  why: {
    otherExperiment: "other settings than the class's",
    noSeat: "a seed of no desk",
    otherCurves: "curves of other iterations or of another metric",
    contradicted: (seat: number) => `another code says otherwise of desk ${seat}`,
    copied: (seats: readonly number[]) => `the same numbers as desk ${seats.join(", ")}`,
    notReproduced: "trained again, it gave other numbers",
  },
  outcome: "What the class found",
  method: "method",
  mean: "mean",
  interval: "95 % interval",
  best: "best in",
  option: "prediction",
  votes: "votes",
  runs: (n: number) => counted(n, "run"),
};
