/** The page that the students of a class open: a notebook of the experiment and the class, made of what the teacher's page has. */
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { changeBody, type FieldChange } from "../../notebook/body.ts";
import type { TypedCell } from "../../notebook/cell.ts";
import { serialiseNotebook } from "../../notebook/document.ts";
import { withExperiment } from "../../notebook/cells/experiment/experiment.ts";
import { notebookToWord } from "../../notebook/sharedText.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { bookHash } from "../book/bookAddress.ts";
import { classWords as words } from "./words.ts";

/** @param spec pinned to WebAssembly, with the seed of desk 0 of this class; @returns the notebook's text. */
function classNotebook(spec: ExperimentSpec, fields: FieldsOf<"class">): string {
  const cell = { of: null, flags: [] };
  const experiment: TypedCell = {
    ...cell,
    type: "experiment",
    id: "experiment",
    flags: ["fold"],
    body: withExperiment("", spec),
  };
  const changes = Object.entries(fields).map(([name, value]): FieldChange => {
    return { path: [name], value };
  });
  const room: TypedCell = {
    ...cell,
    type: "class",
    id: "class",
    of: experiment.id,
    body: changeBody("", changes),
  };
  const prose = { type: "prose", markdown: `# ${words.title}\n\n${words.steps}` } as const;
  return serialiseNotebook({ cells: [prose, room, experiment] });
}

/** The whole address. */
export function classLinkOf(spec: ExperimentSpec, fields: FieldsOf<"class">): string {
  const word = notebookToWord(classNotebook(spec, fields));
  return new URL(bookHash({ kind: "text", word }), location.href).href;
}
