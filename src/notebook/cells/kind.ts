/** What one kind of cell is, without its drawing: a folder or file here each, a line in `kinds.ts`. */
import type { z } from "zod";
import type { Definition } from "../../spec/definitions.ts";
import type { Remark } from "../body.ts";

export interface CellKind {
  /** What the reader calls it. */
  title: string;
  /** Whether it shows an experiment of the notebook, named by `of=`; `named`: only where it names one. */
  shows: boolean | "named";
  /** The body of a new one. */
  blank: string;
  /** One press adds it; all others are in a menu. */
  isFirst?: true;
  /** Fields of its body. Absent: the body is something else. */
  schema?: z.ZodObject;
  /** What is wrong with a body that has no schema; absent: nothing that can be said without running it. */
  remarks?(body: string, definitions: readonly Definition[]): Remark[];
  /** Its body is JavaScript: the cell's name is a variable, and it may define what experiments train with. */
  isCode?: true;
  /** It has a run of its own, which other cells show. */
  hasRun?: true;
  /** A reader answers it, and other cells may wait for that. It is read: it stands with the words of a lesson. */
  isQuestion?: true;
  /** Something can be started in it: `app/book/cells/runs.ts` says what. */
  starts?: true;
  /** Its numbers are the run's, whatever the experiment says by now. */
  showsRun?: true;
  /** It holds what its text does not: the notebook cannot be closed and come again as it was. */
  keepsBeside?: true;
  /** What its body names: code that defines something, or experiments in the field `experiments`. */
  names?: "definitions" | "experiments";
  /** Of `shows: "named"`: whether a body is about an experiment. */
  isAbout?(body: string): boolean;
  /** When a handout has it: always, or where its experiment was recorded; absent: it has to be trained, computed or opened. */
  onPaper?(body: string): "always" | "recorded" | null;
  /** Files beside the page that it shows, by the fields that name them. */
  files?(body: string): [field: string, file: string][];
}
