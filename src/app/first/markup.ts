/** The first screen as HTML, made from the first notebook's text; the build runs it (`../build/frame.ts`). */
import MarkdownIt from "markdown-it";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server.edge";
import { pictureOf } from "../../env/descriptors.ts";
import { readFields } from "../../notebook/cellFields.ts";
import { experimentShownBy, isTyped, typedCells, type Cell } from "../../notebook/cell.ts";
import { parseNotebook } from "../../notebook/document.ts";
import { readExperiment } from "../../notebook/cells/experiment/experiment.ts";
import { boardsOf } from "../../panels/opening/strip.ts";
import { readOpening } from "../../reading/opening.ts";
import { openingTitles } from "../../reading/openingTitles.ts";
import { learnerNames } from "../../spec/preference.ts";
import { FIRST_ID, type FirstFacts } from "./facts.ts";
import { FirstScreen } from "./FirstScreen.tsx";

export { BEFORE_PAINT } from "./beforePaint.ts";
export { lessonMarkup } from "./lessonMarkup.ts";

/** Text of a file beside the page. */
type ReadFile = (path: string) => string;

/** `notebook`: its text. Until the frame is interactive, nothing in it can be pressed or is read aloud. */
export function firstMarkup(notebook: string, readFile: ReadFile): string {
  const { cells } = parseNotebook(notebook).notebook;
  const facts = factsOf(cells, readFile);
  const screen = createElement(FirstScreen, { prose: proseOf(cells), facts });
  const json = JSON.stringify(facts).replaceAll("<", "\\u003c");
  return (
    `<div id="frame" aria-hidden="true" inert>${renderToStaticMarkup(screen)}</div>` +
    `<script type="application/json" id="${FIRST_ID}">${json}</script>`
  );
}

function proseOf([first]: readonly Cell[]): string {
  if (!first || isTyped(first)) return "";
  return new MarkdownIt({ html: false, typographer: true }).render(first.markdown);
}

/** Null if the notebook has no opening figure. @throws Error if the figure's file or its experiment is wrong */
function factsOf(cells: readonly Cell[], readFile: ReadFile): FirstFacts | null {
  const [cell] = typedCells(cells);
  if (cell?.type !== "opening") return null;
  const { figure: file, note = "" } = readFields(cell.type, cell.body).value!;
  const experiment = experimentShownBy(cells, cell);
  if (!experiment) throw new Error(`There is no experiment ${cell.of}.`);
  const opening = readOpening(readFile(file));
  return {
    file,
    opening,
    pictures: boardsOf(opening).map(pictureOf),
    titles: openingTitles,
    note,
    methods: learnerNames(readExperiment(experiment.body).spec).length,
  };
}
