/** Of a notebook that came by a link: whether the reader keeps a copy of it, which the link leaves alone, and the way to make one. */
import { useEffect, useState } from "react";
import type { KeptNotebook } from "../../runtime/shelf/notebooks.ts";
import { Button } from "../../ui/Button.tsx";
import { useHash } from "../route.ts";
import { bookAddressOf, bookHash } from "./bookAddress.ts";
import { localVersion, type OpenBook } from "./openBook.ts";
import { words as all } from "./words.ts";

const words = all.local;

export function LocalVersion({ book }: { book: OpenBook }) {
  const key = bookHash(bookAddressOf(useHash()));
  const [found, setFound] = useState<{ key: string; kept: KeptNotebook | null } | null>(null);
  useEffect(() => {
    let current = true;
    void localVersion(book, bookAddressOf(key)).then((kept) => current && setFound({ key, kept }));
    return () => void (current = false);
  }, [book, key]);
  if (found?.key !== key) return null;
  const { kept } = found;
  return (
    <p
      className={kept ? "notice notice-stale" : "notice"}
      role="status"
      data-testid={kept ? "local-version" : "not-mine"}
    >
      {kept ? <OwnCopy kept={kept} /> : words.none}{" "}
      <CopyButton book={book} source={key}>
        {kept ? words.another : words.keep}
      </CopyButton>
    </p>
  );
}

function OwnCopy({ kept: { id, changed } }: { kept: KeptNotebook }) {
  return (
    <>
      {words.have(new Date(changed).toLocaleString(undefined, SHORT))}{" "}
      <a href={bookHash({ kind: "own", id })} data-testid="open-local">
        {words.open}
      </a>
    </>
  );
}

interface CopyButtonProps {
  book: OpenBook;
  /** Address of the notebook. */
  source: string;
  children: string;
}

function CopyButton({ book, source, children }: CopyButtonProps) {
  const [busy, setBusy] = useState(false);
  const copy = async () => {
    setBusy(true);
    const { keepCopy } = await import("./duplicateBook.ts");
    location.hash = await keepCopy(book, bookAddressOf(source));
    setBusy(false);
  };
  return (
    <Button disabled={busy} data-testid="keep-copy" onClick={() => void copy()}>
      {children}
    </Button>
  );
}

const SHORT = { dateStyle: "medium", timeStyle: "short" } as const;
