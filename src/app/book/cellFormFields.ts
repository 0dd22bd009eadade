/** The form of each kind of cell that has one: a control for every field of its schema. */
import type { FieldsOf } from "../../notebook/cellFields.ts";
import type { CellType } from "../../notebook/cellTypes.ts";
import type { QuizKind } from "../../notebook/quiz.ts";
import { words as all } from "./words.ts";

const words = all.form;

/** What a field is written with. */
type Control =
  | "line"
  | "text"
  | "number"
  /** A figure with handles: where they stand at first, which are hidden, and its numbers. */
  | "figure"
  | "handles"
  | "hidden"
  | "data"
  /** Of a sweep: values by setting, and seeds. */
  | "over"
  | "seeds"
  /** One of those that a result code has. */
  | "metric"
  /** A list with a line for each item. */
  | "lines"
  /** What the question asks for. */
  | "kind"
  /** The right one of the options, or a number. */
  | "answer"
  | "panel"
  /** Method, iteration, episode, turn, token. */
  | "place"
  /** Of the panel. */
  | "settings"
  /** Boxes of what the notebook has. */
  | "experiments"
  | "metrics";

export interface CellField {
  control: Control;
  label: string;
  hint?: string;
  /** Where it means something: the question's kinds. */
  only?: readonly QuizKind[];
  /** Another hint for one kind of question. */
  hints?: Partial<Record<QuizKind, string>>;
}

/** Kinds of cells with a form beside their text; an experiment has its own. */
export type FormType = Exclude<CellType, "experiment" | "code" | "turns">;

type FieldTable = { [T in FormType]: Readonly<Record<keyof FieldsOf<T>, CellField>> };

/** The schema's names are the table's: a field without a control does not compile. */
const TABLE: FieldTable = {
  panel: {
    panel: { control: "panel", label: words.panel },
    at: { control: "place", label: words.place },
    settings: { control: "settings", label: words.settings },
    caption: { control: "line", label: words.caption },
  },
  curves: { metrics: { control: "metrics", label: words.metrics } },
  compare: {
    experiments: { control: "experiments", label: words.experiments },
    metrics: { control: "metrics", label: words.metrics },
  },
  quiz: {
    question: { control: "text", label: words.question },
    kind: { control: "kind", label: words.kind },
    options: {
      control: "lines",
      label: words.options,
      hint: words.optionsHint,
      hints: { order: words.orderHint },
      only: ["choice", "order"],
    },
    at: { control: "line", label: words.episodeOf, hint: words.episodeHint, only: ["turn"] },
    answer: { control: "answer", label: words.answer, only: ["choice", "number", "turn"] },
    tolerance: { control: "number", label: words.tolerance, only: ["number"] },
    unit: { control: "line", label: words.unit, only: ["number"] },
    hint: { control: "text", label: words.hint },
    explanation: { control: "text", label: words.explanation },
  },
  explore: {
    figure: { control: "figure", label: words.figure },
    set: { control: "handles", label: words.handles },
    hide: { control: "hidden", label: words.shownHandles },
    data: { control: "data", label: words.data },
    source: { control: "line", label: words.sourceOf },
  },
  class: {
    question: { control: "text", label: words.question },
    options: { control: "lines", label: words.options, hint: words.optionsHint },
    metric: { control: "metric", label: words.metric },
    seats: { control: "number", label: words.seats },
    name: { control: "line", label: words.className, hint: words.classNameHint },
  },
  sweep: {
    over: { control: "over", label: words.over },
    seeds: { control: "seeds", label: words.seeds, hint: words.seedsHint },
    metrics: { control: "metrics", label: words.metrics },
  },
  playground: { at: { control: "place", label: words.place } },
  opening: {
    figure: { control: "line", label: words.figureFile },
    note: { control: "text", label: words.note },
  },
  cuts: { figure: { control: "line", label: words.figureFile } },
  lesson: {
    number: { control: "number", label: words.lessonNumber },
    minutes: { control: "number", label: words.minutes },
  },
};

export function hasForm(type: CellType): type is FormType {
  return Object.hasOwn(TABLE, type);
}

/** Fields by name, in the order of the form. */
export function formFieldsOf(type: FormType): readonly (readonly [string, CellField])[] {
  return Object.entries(TABLE[type]);
}
