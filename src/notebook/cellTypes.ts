/** What kinds of cells there are, and what each is made of: names and rules only, no drawing. */

interface CellFacts {
  /** What the reader calls it. */
  title: string;
  /** Whether it shows an experiment of the notebook, named by `of=`; `named`: only where it names one. */
  shows: boolean | "named";
  /** The body of a new one. */
  blank: string;
}

const FACTS = {
  experiment: { title: "Experiment", shows: false, blank: "preset: nano" },
  panel: { title: "Panel", shows: true, blank: "panel: credits" },
  curves: { title: "Curves", shows: true, blank: "metrics: [reward, heldout]" },
  compare: { title: "Comparison", shows: false, blank: "metrics: [reward, heldout]" },
  sweep: {
    title: "Sweep",
    shows: true,
    blank: "over:\n  optimisation.actorLr: [3e-4, 1e-3]\nseeds: [1, 2]\nmetrics: [reward, heldout]",
  },
  playground: { title: "Playground", shows: true, blank: "" },
  quiz: {
    title: "Question",
    shows: "named",
    blank: [
      "question: Which turn earned the reward?",
      "options: [the first, the last]",
      "answer: 2",
      "explanation: ",
    ].join("\n"),
  },
  code: {
    title: "Code",
    shows: false,
    blank: "// The last line is the cell's value.\nObject.keys(runs)",
  },
  explore: { title: "Figure with handles", shows: false, blank: "figure: group" },
  class: {
    title: "Class experiment",
    shows: true,
    blank: "question: Which method will be ahead?\noptions: [GRPO, Turn-PPO]\nseats: 30",
  },
  lesson: { title: "Lesson", shows: false, blank: "number: 1\nminutes: 10" },
  turns: { title: "Turns", shows: true, blank: "" },
  cuts: { title: "Three ways to cut", shows: false, blank: "figure: figures/opening.json" },
  opening: { title: "Figure", shows: true, blank: "figure: figures/opening.json" },
} as const satisfies Record<string, CellFacts>;

export type CellType = keyof typeof FACTS;

export const cellTypes = Object.keys(FACTS) as CellType[];

export function isCellType(type: string): type is CellType {
  return Object.hasOwn(FACTS, type);
}

export function cellFacts(type: CellType): CellFacts {
  return FACTS[type];
}

/** Whether it cannot do without one. */
export function showsExperiment(type: CellType): boolean {
  return FACTS[type].shows === true;
}

export function mayShowExperiment(type: CellType): boolean {
  return FACTS[type].shows !== false;
}

/** Words after a cell's type: folded until the reader opens it; not shown to who reads; not changed until it is unlocked. */
const FLAGS = ["fold", "hide", "lock"] as const;
export type Flag = (typeof FLAGS)[number];

export function isFlag(word: string): word is Flag {
  return (FLAGS as readonly string[]).includes(word);
}
