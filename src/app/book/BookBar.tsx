/** The bar above a notebook of the reader's own: its title, where it is kept, reading or editing, and what can be done with it. */
import { cellsWith, typedCells } from "../../notebook/cell.ts";
import { useState } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import {
  bookCells,
  redoBook,
  textOfBook,
  undoBook,
  type BookState,
  type BookStore,
} from "../../store/bookStore.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { MoreMenu } from "../../ui/MoreMenu.tsx";
import { copyBadge, copyBookLink } from "./bookLink.ts";
import { duplicateBook } from "./duplicateBook.ts";
import { RunButtons } from "./RunBook.tsx";
import { StorageWarning } from "./StorageUse.tsx";
import { VersionsDialog } from "./VersionsDialog.tsx";
import { formatBytes } from "../../numeric/format.ts";
import { parseNotebook } from "../../notebook/document.ts";
import { isCarried } from "../../runtime/carried.ts";
import { listOfAnswers } from "../../store/quizAnswers.ts";
import { NOTEBOOK_ZIP } from "../../store/savedLimits.ts";
import { download, fileName } from "../../ui/download.ts";
import { answersIn } from "./bookAnswers.ts";
import { textAsShown, type OpenBook } from "./openBook.ts";
import { words } from "./words.ts";

const selectBar = ({ title, mode, keeping, history }: BookState) => ({
  title,
  mode,
  keeping,
  canUndo: history.past.length > 0,
  canRedo: history.future.length > 0,
});

export function BookBar({ book }: { book: OpenBook }) {
  const { store } = book;
  const { title, mode, keeping, canUndo, canRedo } = useStore(store, useShallow(selectBar));
  const edits = mode === "edit";
  const [said, setSaid] = useState("");
  const runs = useStore(store, (state) => cellsWith(bookCells(state), "starts").length > 0);
  return (
    <section className="book-bar" aria-label={words.title} data-testid="book-bar">
      <strong className="book-title">{title}</strong>
      <span className="badge" data-testid="keeping" data-state={keeping.state}>
        {words.keeping[keeping.state]}
        {keeping.state === "saved" && <span className="where-saved"> {words.savedWhere}</span>}
      </span>
      {keeping.state === "memory" && <NotSaved why={keeping.why} store={store} />}
      <StorageWarning />
      {keeping.state === "other" && <span className="note">{words.otherTab}</span>}
      <div className="book-modes" role="group" aria-label={words.mode}>
        {(["read", "edit"] as const).map((one) => (
          <Button
            key={one}
            look="quiet"
            aria-pressed={mode === one}
            disabled={keeping.state === "other" && one === "edit"}
            data-testid={`mode-${one}`}
            onClick={() => store.setState({ mode: one })}
          >
            {words[one]}
          </Button>
        ))}
      </div>
      {runs && <RunButtons />}
      {edits && (
        <>
          <IconButton
            icon="undo"
            name={words.undo}
            disabled={!canUndo}
            data-testid="undo"
            onClick={() => undoBook(store)}
          />
          <IconButton
            icon="redo"
            name={words.redo}
            disabled={!canRedo}
            data-testid="redo"
            onClick={() => redoBook(store)}
          />
        </>
      )}
      <BookMenu book={book} onSaid={setSaid} />
      <span className="note" role="status" data-testid="book-said">
        {said}
      </span>
    </section>
  );
}

function NotSaved({ why, store }: { why: string; store: BookStore }) {
  return (
    <span className="notice notice-problem" role="alert" data-testid="not-kept">
      {words.notSaved(why)}{" "}
      <Button onClick={() => downloadBook(store)}>{words.notSavedAction}</Button>
    </span>
  );
}

export function downloadBook(store: BookStore): void {
  const { title } = store.getState();
  download(textOfBook(store.getState()), `${fileName(title)}.turnbook.md`, "text/markdown");
}

/** Where there is anything locked. */
function lockEntries(store: BookStore, unlocked: boolean) {
  const cells = typedCells(bookCells(store.getState()));
  const isLocked = cells.some(({ flags }) => flags.includes("lock"));
  if (!isLocked) return [];
  const name = unlocked ? words.lockAgain : words.unlock;
  const onSelect = () => store.setState({ unlocked: !unlocked });
  return [{ name, testId: "unlock-cells", onSelect }];
}

function BookMenu({ book, onSaid }: { book: OpenBook; onSaid: (sentence: string) => void }) {
  const { store } = book;
  const unlocked = useStore(store, (state) => state.unlocked);
  const [versions, setVersions] = useState(false);
  const [busy, setBusy] = useState(false);
  const duplicate = async () => {
    setBusy(true);
    const state = store.getState();
    if (state.id !== null)
      location.hash = await duplicateBook(state.id, textOfBook(state), state.isForeign);
    setBusy(false);
  };
  const save = async (what: ExportName) => {
    setBusy(true);
    onSaid(words.exports.making);
    const said = await exportBook(book, what).catch((error: unknown) =>
      words.exports.failed(error instanceof Error ? error.message : String(error)),
    );
    onSaid(said);
    setBusy(false);
  };
  return (
    <>
      <VersionsDialog book={book} open={versions} onOpenChange={setVersions} onRestored={onSaid} />
      <MoreMenu
        name={words.more}
        testId="book-menu"
        align="end"
        className="quiet book-more"
        disabled={busy}
        entries={[
          {
            name: words.copyLink,
            testId: "copy-book-link",
            onSelect: () => void copyBookLink(book).then(onSaid),
          },
          {
            name: words.badge,
            testId: "copy-badge",
            onSelect: () => void copyBadge(book).then(onSaid),
          },
          { name: words.download, testId: "download-book", onSelect: () => downloadBook(store) },
          ...lockEntries(store, unlocked),
          ...exportNames().map((what) => ({
            name: words.exports.names[what],
            testId: `export-${what}`,
            onSelect: () => void save(what),
          })),
          { name: words.duplicate, testId: "duplicate-book", onSelect: () => void duplicate() },
          {
            name: words.versions.item,
            testId: "book-versions",
            onSelect: () => setVersions(true),
          },
        ]}
      />
    </>
  );
}

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

type ExportName = keyof typeof MAKERS;

/** In the menu's order. A page that carries its files has nothing to make another one of. */
function exportNames(): ExportName[] {
  const all = Object.keys(MAKERS) as ExportName[];
  return all.filter((name) => !isCarried() || !name.startsWith("page"));
}

/** Hands the file to the reader; says in one sentence what it is. @throws Error saying why there is none */
async function exportBook(book: OpenBook, what: ExportName): Promise<string> {
  const { content, ending } = await MAKERS[what](book);
  const name = fileName(book.store.getState().title) + ending;
  download(content, name, content.type);
  return words.exports.made(name, formatBytes(content.size));
}

/** A notebook as a file of another kind: what the menu of a notebook offers beside Markdown. What makes a file is loaded when asked for. */
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
