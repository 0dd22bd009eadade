/** Earlier versions of a notebook: listed, read, restored, or opened as a copy. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { formatBytes } from "../../numeric/format.ts";
import { isTyped, nameOfCell } from "../../notebook/cell.ts";
import { parseNotebook } from "../../notebook/document.ts";
import type { KeptVersion } from "../../runtime/shelf/versions.ts";
import { Empty } from "../../ui/Empty.tsx";
import { Button } from "../../ui/Button.tsx";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { Prose } from "../Prose.tsx";
import { createBook, shelf, type OpenBook } from "./openBook.ts";
import { words as all } from "./words.ts";

const words = all.versions;

interface VersionsDialogProps {
  book: OpenBook;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** An earlier text has replaced the present one. */
  onRestored: (sentence: string) => void;
}

export function VersionsDialog({ book, open, onOpenChange, onRestored }: VersionsDialogProps) {
  const restore = async ({ saved, text }: KeptVersion) => {
    await book.keeper?.restore(text);
    onOpenChange(false);
    onRestored(words.restored(timeOf(saved)));
  };
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      className="versions"
      testId="versions"
    >
      <p className="note">{words.rule}</p>
      <Versions book={book} onRestore={(version) => void restore(version)} />
    </Sheet>
  );
}

interface VersionsProps {
  book: OpenBook;
  onRestore: (version: KeptVersion) => void;
}

function Versions({ book: { store }, onRestore }: VersionsProps) {
  const id = useStore(store, (state) => state.id);
  const isOther = useStore(store, (state) => state.keeping.state === "other");
  const isForeign = useStore(store, (state) => state.isForeign);
  const versions = useVersions(id);
  const [shown, setShown] = useState<KeptVersion | null>(null);
  if (versions?.length === 0) return <Empty>{words.none}</Empty>;
  const columns = columnsOf(isOther ? null : onRestore, (one) =>
    setShown((now) => (now === one ? null : one)),
  );
  return (
    <>
      <DataTable
        label={words.title}
        testId="version-list"
        columns={columns}
        rows={versions ?? []}
        keyOf={({ saved }) => saved}
        rowProps={(one) => ({ "aria-current": one === shown ? "true" : undefined })}
      />
      {shown && <ReadVersion version={shown} isForeign={isForeign} />}
    </>
  );
}

/** Null until they have been read. */
function useVersions(id: string | null): readonly KeptVersion[] | null {
  const [versions, setVersions] = useState<readonly KeptVersion[] | null>(null);
  useEffect(() => {
    let current = true;
    if (id !== null) void shelf.versions(id).then((all) => current && setVersions(all));
    return () => void (current = false);
  }, [id]);
  return versions;
}

/** @param onRestore null if this tab may not write. */
function columnsOf(
  onRestore: ((version: KeptVersion) => void) | null,
  onShow: (version: KeptVersion) => void,
): TableColumn<KeptVersion>[] {
  return [
    { id: "saved", head: words.saved, kind: "name", cell: ({ saved }) => timeOf(saved) },
    { id: "name", head: words.name, cell: ({ title }) => title },
    {
      id: "size",
      head: words.size,
      kind: "number",
      cell: ({ text }) => formatBytes(new TextEncoder().encode(text).length),
    },
    {
      id: "actions",
      head: words.actions,
      cell: (version) => (
        <>
          <VersionButton id="read-version" act={() => onShow(version)} {...{ version }}>
            {words.read}
          </VersionButton>
          {onRestore && (
            <VersionButton id="restore-version" act={() => onRestore(version)} {...{ version }}>
              {words.restore}
            </VersionButton>
          )}
        </>
      ),
    },
  ];
}

interface VersionButtonProps {
  id: string;
  version: KeptVersion;
  act: () => void;
  children: string;
}

function VersionButton({ id, version, act, children }: VersionButtonProps) {
  return (
    <Button
      look="quiet"
      aria-label={words.of(children, timeOf(version.saved))}
      data-testid={id}
      onClick={act}
    >
      {children}
    </Button>
  );
}

interface ReadVersionProps {
  version: KeptVersion;
  /** A copy's code asks for consent as the notebook's does. */
  isForeign: boolean;
}

/** Its text as prose, and its cells as source: nothing in it runs. */
function ReadVersion({ version: { saved, text }, isForeign }: ReadVersionProps) {
  const { cells } = parseNotebook(text).notebook;
  return (
    <section className="version" aria-label={timeOf(saved)} data-testid="version">
      <div className="buttons">
        <Button
          data-testid="copy-version"
          onClick={() => void createBook(text, isForeign).then((hash) => (location.hash = hash))}
        >
          {words.copy}
        </Button>
      </div>
      {cells.map((cell, i) =>
        !isTyped(cell) ? (
          <Prose key={i} markdown={cell.markdown} />
        ) : (
          <figure key={i}>
            <figcaption className="note">{nameOfCell(cell)}</figcaption>
            <pre className="source">{cell.body}</pre>
          </figure>
        ),
      )}
    </section>
  );
}

function timeOf(saved: string): string {
  return new Date(saved).toLocaleString();
}
