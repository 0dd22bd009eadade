/** A notebook as a file of another kind: what the menu of a notebook offers beside Markdown. What makes a file is loaded when asked for. */
import { formatBytes } from "../../numeric/format.ts";
import { parseNotebook } from "../../notebook/document.ts";
import { isCarried } from "../../runtime/carried.ts";
import { listOfAnswers } from "../../store/quizAnswers.ts";
import { NOTEBOOK_ZIP } from "../../store/savedLimits.ts";
import { download, fileName } from "../../ui/download.ts";
import { answersIn } from "./bookAnswers.ts";
import { textAsShown, type OpenBook } from "./openBook.ts";
import { words } from "./words.ts";

interface MadeFile {
  content: Blob;
  /** What follows the notebook's title. */
  ending: string;
}

const MAKERS = {
  page: (book: OpenBook) => webPage(book, false),
  "page-runs": (book: OpenBook) => webPage(book, true),
  jupyter,
  zip: zipped,
} satisfies Record<string, (book: OpenBook) => Promise<MadeFile>>;

export type ExportName = keyof typeof MAKERS;

/** In the menu's order. A page that carries its files has nothing to make another one of. */
export function exportNames(): ExportName[] {
  const all = Object.keys(MAKERS) as ExportName[];
  return all.filter((name) => !isCarried() || !name.startsWith("page"));
}

/** Hands the file to the reader; says in one sentence what it is. @throws Error saying why there is none */
export async function exportBook(book: OpenBook, what: ExportName): Promise<string> {
  const { content, ending } = await MAKERS[what](book);
  const name = fileName(book.store.getState().title) + ending;
  download(content, name, content.type);
  return words.exports.made(name, formatBytes(content.size));
}

async function webPage(book: OpenBook, withRuns: boolean): Promise<MadeFile> {
  const { exportPage } = await import("../carried/exportPage.ts");
  const content = new Blob([await exportPage(book, withRuns)], { type: "text/html" });
  return { content, ending: ".html" };
}

async function jupyter(book: OpenBook): Promise<MadeFile> {
  const [{ toJupyter }, { cellPictures }] = await Promise.all([
    import("../../notebook/jupyter.ts"),
    import("./cellPictures.ts"),
  ]);
  const { notebook } = parseNotebook(textAsShown(book));
  const text = toJupyter(notebook, await cellPictures(document));
  return { content: new Blob([text], { type: "application/x-ipynb+json" }), ending: ".ipynb" };
}

async function zipped(book: OpenBook): Promise<MadeFile> {
  const [{ saveNotebook }, { finishedSweeps }] = await Promise.all([
    import("../../store/notebookFiles.ts"),
    import("./cells/sweep/bookSweeps.ts"),
  ]);
  const { map } = book.experiments.getState();
  const answers = listOfAnswers(answersIn(book.store).store.getState().answers);
  const content = await saveNotebook(
    textAsShown(book),
    map.values(),
    answers.length > 0 ? answers : null,
    await finishedSweeps(book),
  );
  return { content, ending: NOTEBOOK_ZIP };
}
