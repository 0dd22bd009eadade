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
  cover: (step: number) => `You move this figure in step ${step}.`,
};

/** Of a class experiment. */
export const classWords = {
  title: "Class experiment",
  steps:
    "Everyone trains the same experiment with another seed. Type your desk number, predict, train, and hand in your code.",
  seat: "Your desk number",
  seatHint: (seats: number) => `A number from 1 to ${seats}; the teacher says which.`,
  noSeat: (text: string, seats: number) => `Is ${text}; must be a whole number from 1 to ${seats}.`,
  seed: (seed: number) => `Your run has seed ${seed}.`,
  predictionStays: "The run has begun, so your prediction stays.",
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
  copyLink: "Copy as link",
  copied: "Copied.",
  notCopied: "The browser did not allow it: select the code and copy it.",
  collect: "For the teacher: collect the codes",
  paste: "Paste codes, one or many",
  pasteHint: "Any text works: a chat, a table, links.",
  add: "Add",
  added: (n: number, found: number) =>
    found === 0 ? "No code in that text." : `${counted(n, "new code")} of ${found}.`,
  file: "From files",
  camera: {
    open: "Camera",
    close: "Close camera",
    opening: "Opening the camera …",
    hint: "Hold a QR code before the camera. It is read in this page and goes nowhere.",
    problems: {
      denied: "The browser blocks the camera. Allow it for this page, or paste the codes.",
      absent: "No camera found. Paste the codes, or choose a file.",
      silent: "The camera gives no picture. Close other programs that use it, or paste the codes.",
    },
  },
  name: "Name of the class",
  nameHint: "Its seeds follow from its name. No two classes train the same runs.",
  drawnName: (word: string) => `class ${word}`,
  isNamed: (name: string) => `The class is “${name}”.`,
  makeLink: "Make the class link",
  linkHint: "It holds the experiment, the question and the desks. All runs use WebAssembly.",
  linkMade: (letters: number) => `The link has ${letters} characters.`,
  linkTooLong: (letters: number, most: number) =>
    `The link would have ${letters} characters; at most ${most} work. Use fewer changes or shorter code.`,
  linkIs: "Class link",
  large: "Full screen",
  copyClass: "Copy link",
  clear: "Forget all codes",
  none: "No codes yet.",
  counts: (n: number, all: number) => `Counted: ${n} of ${counted(all, "code")}.`,
  table: "Codes",
  checkName: "Spot check",
  checkOne: "Check one",
  checkAll: "Check all",
  checkHint: "Trains a code's seed again on this page and compares.",
  checkThis: (desk: number) => `Train desk ${desk} again`,
  checking: (left: number) => `${counted(left, "check")} to go.`,
  checkedAll: "Nothing left to check.",
  stopChecks: "Stop checking",
  desk: "desk",
  predicted: "predicted",
  standing: "standing",
  check: "check",
  fine: "counts",
  checked: "counts: trained again, the same",
  why: {
    otherExperiment: "other settings than the class's",
    noSeat: "a seed of no desk of this class",
    otherCurves: "curves of other iterations or of another metric",
    again: (seat: number) => `desk ${seat} has handed in this run already`,
    contradicted: (seat: number) => `another code says otherwise of desk ${seat}`,
    copied: (seats: readonly number[]) => `the same numbers as desk ${seats.join(", ")}`,
    notReproduced: "trained again, it gave other numbers",
  },
  outcome: "What the class found",
  atEnd: "After the last iteration",
  method: "method",
  mean: "mean",
  interval: "95 % interval",
  best: "best in",
  option: "prediction",
  votes: "votes",
  runs: (n: number) => counted(n, "run"),
};

/** For the page that the link of a code opens. */
export const codeViewWords = {
  title: "A result code",
  intro: "One student's run of a class experiment: seed, prediction, curves and fingerprint.",
  back: "To the notebook",
  facts: (seed: number, prediction: number | null) =>
    `Seed ${seed}; ${prediction === null ? "no prediction" : `prediction: option ${prediction}`}. It says nothing about the student.`,
  notHere:
    "This browser collects no codes of this class. Open the link in the teacher's browser, or paste it on the teacher's page.",
  here: (n: number) => `This browser collects the codes of this class: ${n} so far.`,
  add: "Add to the class",
  added: (n: number) => `Added. The class has ${counted(n, "code")}.`,
  open: "Open the class",
  damaged: (why: string) => `This address holds no result code: ${why}.`,
};
