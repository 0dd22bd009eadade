/** The table of kinds of cells: a line each. Lists, forms, menus and checks read it. */
import { classKind } from "./class.ts";
import { codeKind } from "./code.ts";
import { compareKind } from "./compare.ts";
import { curvesKind } from "./curves.ts";
import { cutsKind } from "./cuts.ts";
import { experimentKind } from "./experiment/experiment.ts";
import { exploreKind } from "./explore.ts";
import { inputKind } from "./input.ts";
import type { CellKind } from "./kind.ts";
import { lessonKind } from "./lesson/lesson.ts";
import { openingKind } from "./opening.ts";
import { panelKind } from "./panel.ts";
import { playgroundKind } from "./playground.ts";
import { quizKind } from "./quiz/quiz.ts";
import { sweepKind } from "./sweep/sweep.ts";
import { turnsKind } from "./turns.ts";

/** In the order in which they are offered. */
const KINDS = {
  code: codeKind,
  input: inputKind,
  experiment: experimentKind,
  panel: panelKind,
  curves: curvesKind,
  compare: compareKind,
  sweep: sweepKind,
  playground: playgroundKind,
  quiz: quizKind,
  explore: exploreKind,
  class: classKind,
  lesson: lessonKind,
  turns: turnsKind,
  cuts: cutsKind,
  opening: openingKind,
} as const satisfies Record<string, CellKind>;

type Kinds = typeof KINDS;
export type CellType = keyof Kinds;

/** Kinds that have an optional property, by its name. */
type KindsWith<Key extends keyof CellKind> = {
  [T in CellType]: Kinds[T] extends Required<Pick<CellKind, Key>> ? T : never;
}[CellType];

/** Kinds whose body consists of fields. */
export type FieldsType = KindsWith<"schema">;
/** Kinds whose body has a form: a control for every field. */
export type FormType = {
  [T in FieldsType]: Kinds[T]["schema"]["shape"] extends Record<string, never> ? never : T;
}[FieldsType];
/** Kinds in which something can be started. */
export type StartedType = KindsWith<"starts">;

export const cellTypes = Object.keys(KINDS) as CellType[];

export function isCellType(type: string): type is CellType {
  return Object.hasOwn(KINDS, type);
}

export function kindOf(type: CellType): CellKind {
  return KINDS[type];
}

export type SchemaOf<T extends FieldsType> = Kinds[T]["schema"];

export function schemaOf<T extends FieldsType>(type: T): SchemaOf<T> {
  return KINDS[type].schema;
}

export function hasFields(type: CellType): type is FieldsType {
  return kindOf(type).schema !== undefined;
}

export function hasForm(type: CellType): type is FormType {
  return Object.keys(kindOf(type).schema?.shape ?? {}).length > 0;
}
