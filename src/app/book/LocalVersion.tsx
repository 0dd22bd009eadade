/** Of a notebook that came by a link: that the reader keeps a copy of it, which the link leaves alone. */
import { useEffect, useState } from "react";
import type { KeptNotebook } from "../../runtime/shelf/notebooks.ts";
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
  const kept = found?.key === key ? found.kept : null;
  if (!kept) return null;
  const when = new Date(kept.changed).toLocaleString(undefined, SHORT);
  return (
    <p className="notice notice-stale" role="status" data-testid="local-version">
      {words.have(when)}{" "}
      <a href={bookHash({ kind: "own", id: kept.id })} data-testid="open-local">
        {words.open}
      </a>
    </p>
  );
}

const SHORT = { dateStyle: "medium", timeStyle: "short" } as const;
