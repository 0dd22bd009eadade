/** One kind of cell, without its drawing: a folder or file here each, a line in `kinds.ts`. */
import type { z } from "../../spec/zod.ts";
import type { Definition } from "../../spec/definitions.ts";
import type { Remark } from "../body.ts";

/** What a reader sets in an input cell. */
export type InputValue = number | string;

export interface CellKind {
  /** Its name for readers. */
  title: string;
  /** Whether it shows an experiment of the notebook, named by `of=`; `named`: only if it names one. */
  shows: boolean | "named";
  /** The body of a new cell. */
  blank: string;
  /** What the button says that adds it by one press; the others are in a menu. */
  button?: string;
  /** Fields of its body. Absent: the body is something else. */
  schema?: z.ZodMiniObject;
  /** What is wrong with a body that has no schema; absent: nothing that can be known without running it. */
  remarks?(body: string, definitions: readonly Definition[]): Remark[];
  /** Its body is JavaScript: the cell's name is a variable, and it may define what experiments train with. */
  isCode?: true;
  /** What code reads under the cell's name, once a reader has set `moved`; null for a wrong body. */
  given?(body: string, moved?: InputValue): InputValue | null;
  /** It has its own run, which other cells show. */
  hasRun?: true;
  /** A reader answers it, and other cells may wait for that. In a lesson it is placed with the words. */
  isQuestion?: true;
  /** Something can be started in it: see `app/book/cells/runs.ts`. */
  starts?: true;
  /** Its numbers are the run's, even if the experiment was changed since. */
  showsRun?: true;
  /**
   * It holds data that its text does not: the notebook cannot be closed and opened again unchanged.
   */
  keepsBeside?: true;
  /**
   * What its body names: code that defines something, or experiments in the field `experiments`.
   */
  names?: "definitions" | "experiments";
  /** For `shows: "named"`: whether a body is about an experiment. */
  isAbout?(body: string): boolean;
  /** When a handout includes it: always, or if its experiment was recorded; absent: it has to be trained, computed or opened. */
  onPaper?(body: string): "always" | "recorded" | null;
  /** Files beside the page that it shows, by the fields that name them. */
  files?(body: string): [field: string, file: string][];
}
