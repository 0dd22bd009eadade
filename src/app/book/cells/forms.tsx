/**
 * The form of each kind of cell that has one, beside its text: a control for every field of its
 * schema. Experiments have their own form.
 */
import type { FieldsOf } from "../../../notebook/cellFields.ts";
import type { InputFields } from "../../../notebook/cells/input.ts";
import type { FormType } from "../../../notebook/cells/kinds.ts";
import type { QuizKind } from "../../../notebook/quiz.ts";
import { LineField, LinesField, NumberField, TextField } from "../formControls.tsx";
import type { CellField, FieldPartProps } from "../LabelledField.tsx";
import { ComparedMetrics, ExperimentBoxes, MetricBoxes, MetricSelect } from "../NameBoxes.tsx";
import { words as all } from "../words.ts";
import { inputKindOf, InputKindSelect, InputValueField } from "./InputFields.tsx";
import { DataFields, FigureSelect, HandleBoxes, HandleFields } from "./explore/ExploreFields.tsx";
import { PanelSelect, SettingFields } from "./panel/PanelFields.tsx";
import { PlaceFields } from "./panel/PlaceFields.tsx";
import { AnswerField, FeedbackField, KindSelect, kindOfQuiz } from "./quiz/QuizFields.tsx";
import { CauseSelect, OverFields, SeedsField } from "./sweep/SweepFields.tsx";

const words = all.form;

type FieldTable = { [T in FormType]: Readonly<Record<keyof FieldsOf<T>, CellField>> };

const isOf =
  (...kinds: readonly QuizKind[]) =>
  (written: FieldPartProps["written"]) =>
    kinds.includes(kindOfQuiz(written));

const isInput = (kind: InputFields["kind"]) => (written: FieldPartProps["written"]) =>
  inputKindOf(written) === kind;

/** The schema's names are the table's: a field without a control does not compile. */
const TABLE: FieldTable = {
  panel: {
    panel: { Control: PanelSelect, label: words.panel },
    at: { Control: PlaceFields, label: words.place },
    settings: { Control: SettingFields, label: words.settings },
    caption: { Control: LineField, label: words.caption },
  },
  curves: { metrics: { Control: MetricBoxes, label: words.metrics } },
  compare: {
    experiments: { Control: ExperimentBoxes, label: words.experiments },
    metrics: { Control: ComparedMetrics, label: words.metrics },
  },
  quiz: {
    question: { Control: TextField, label: words.question },
    kind: { Control: KindSelect, label: words.kind },
    options: {
      Control: LinesField,
      label: words.options,
      hint: words.optionsHint,
      hintFor: (written) => (kindOfQuiz(written) === "order" ? words.orderHint : undefined),
      when: isOf("choice", "order"),
    },
    at: { Control: LineField, label: words.episodeOf, hint: words.episodeHint, when: isOf("turn") },
    answer: { Control: AnswerField, label: words.answer, when: isOf("choice", "number", "turn") },
    tolerance: { Control: NumberField, label: words.tolerance, when: isOf("number") },
    unit: { Control: LineField, label: words.unit, when: isOf("number") },
    hint: { Control: TextField, label: words.hint },
    feedback: { Control: FeedbackField, label: words.feedback, hint: words.feedbackHint },
    explanation: { Control: TextField, label: words.explanation },
  },
  input: {
    label: { Control: LineField, label: words.inputLabel, hint: words.inputLabelHint },
    kind: { Control: InputKindSelect, label: words.inputKind },
    min: { Control: NumberField, label: words.least, when: isInput("slider") },
    max: { Control: NumberField, label: words.most, when: isInput("slider") },
    step: { Control: NumberField, label: words.stepSize, when: isInput("slider") },
    options: {
      Control: LinesField,
      label: words.options,
      hint: words.optionsHint,
      when: isInput("choice"),
    },
    value: { Control: InputValueField, label: words.atFirst },
  },
  explore: {
    figure: { Control: FigureSelect, label: words.figure },
    set: { Control: HandleFields, label: words.handles },
    hide: { Control: HandleBoxes, label: words.shownHandles },
    data: { Control: DataFields, label: words.data },
    source: { Control: LineField, label: words.sourceOf },
  },
  class: {
    question: { Control: TextField, label: words.question },
    options: { Control: LinesField, label: words.options, hint: words.optionsHint },
    metric: { Control: MetricSelect, label: words.metric },
    seats: { Control: NumberField, label: words.seats },
    name: { Control: LineField, label: words.className, hint: words.classNameHint },
  },
  sweep: {
    over: { Control: OverFields, label: words.over },
    seeds: { Control: SeedsField, label: words.seeds, hint: words.seedsHint },
    metrics: { Control: MetricBoxes, label: words.metrics },
    cause: { Control: CauseSelect, label: words.cause },
  },
  playground: { at: { Control: PlaceFields, label: words.place } },
  opening: {
    figure: { Control: LineField, label: words.figureFile },
    note: { Control: TextField, label: words.note },
  },
  cuts: { figure: { Control: LineField, label: words.figureFile } },
  lesson: {
    number: { Control: NumberField, label: words.lessonNumber },
    minutes: { Control: NumberField, label: words.minutes },
  },
};

/** Fields by name, in the order of the form. */
export function formFieldsOf(type: FormType): readonly (readonly [string, CellField])[] {
  return Object.entries(TABLE[type]);
}
