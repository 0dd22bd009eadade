/** One of the reader's own notebooks in the list: its title, size, and actions. */
import { useEffect, useId, useRef, useState } from "react";
import { formatBytes } from "../../numeric/format.ts";
import { cellsWith, type Cell } from "../../notebook/cell.ts";
import { parseNotebook } from "../../notebook/document.ts";
import { Button } from "../../ui/Button.tsx";
import { bookHash } from "./bookAddress.ts";
import { sizeOfRuns, type ListedNotebook } from "./galleryState.ts";
import { NotebookPicture } from "./NotebookPicture.tsx";
import { words as all } from "./words.ts";

const words = all.gallery;

interface GalleryCardProps extends ListedNotebook {
  /** Resolves to false if that is not possible. */
  onRename: (title: string) => Promise<boolean>;
  onDuplicate: () => void;
  onRemove: () => void;
}

export function GalleryCard({ notebook, runs, inMemory, ...does }: GalleryCardProps) {
  const { id, title, text, changed } = notebook;
  const [naming, setNaming] = useState(false);
  const { cells } = parseNotebook(text).notebook;
  const size = formatBytes(new TextEncoder().encode(text).length);
  return (
    <li className="gallery-card gallery-own" data-testid="notebook-card">
      <NotebookPicture cells={cells} runs={runs} />
      <div>
        {naming ? (
          <Rename title={title} onRename={does.onRename} onDone={() => setNaming(false)} />
        ) : (
          <a href={bookHash({ kind: "own", id })}>
            <strong>{title}</strong>
          </a>
        )}
        {inMemory !== null && <p className="note">{words.inMemory(inMemory)}</p>}
        <p className="note">{cellCounts(cells)}</p>
        <p className="note" data-testid="notebook-size">
          {words.size(size, runs.length, formatBytes(sizeOfRuns(runs)))}
        </p>
        <p className="note">
          <time dateTime={changed}>{words.changed(new Date(changed).toLocaleString())}</time>
        </p>
        <div className="buttons">
          <CardButton id="rename-notebook" act={() => setNaming(true)}>
            {words.rename}
          </CardButton>
          <CardButton id="duplicate-notebook" act={does.onDuplicate}>
            {words.duplicate}
          </CardButton>
          <CardButton id="delete-notebook" act={does.onRemove}>
            {words.remove}
          </CardButton>
        </div>
      </div>
    </li>
  );
}

function CardButton({ id, act, children }: { id: string; act: () => void; children: string }) {
  return (
    <Button look="quiet" data-testid={id} onClick={act}>
      {children}
    </Button>
  );
}

export function cellCounts(cells: readonly Cell[]): string {
  return words.cells(cellsWith(cells, "hasRun").length, cells.length);
}

/** Limit of characters of a title. */
const LONGEST = 120;

interface RenameProps {
  title: string;
  onRename: (title: string) => Promise<boolean>;
  onDone: () => void;
}

function Rename({ title, onRename, onDone }: RenameProps) {
  const [value, setValue] = useState(title);
  const [refused, setRefused] = useState(false);
  const field = useId();
  const input = useRef<HTMLInputElement>(null);
  // The button that opened this input is gone.
  useEffect(() => input.current?.select(), []);
  const rename = async () => {
    const wanted = value.trim();
    const isDone = wanted === "" || wanted === title || (await onRename(wanted));
    if (isDone) onDone();
    else setRefused(true);
  };
  return (
    <form
      className="gallery-rename"
      onSubmit={(event) => {
        event.preventDefault();
        void rename();
      }}
      onKeyDown={({ key }) => key === "Escape" && onDone()}
    >
      <label htmlFor={field}>{words.renameTitle}</label>
      <input
        id={field}
        ref={input}
        maxLength={LONGEST}
        value={value}
        data-testid="notebook-title"
        onChange={({ target }) => setValue(target.value)}
      />
      <div className="buttons">
        <Button type="submit" data-testid="save-title">
          {words.renamed}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {words.cancel}
        </Button>
      </div>
      {refused && <p role="alert">{words.notRenamed}</p>}
    </form>
  );
}
