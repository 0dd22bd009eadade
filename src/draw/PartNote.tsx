/** Of many cards or rows some are drawn: those around the cursor, or a page of them. */
import { useState } from "react";
import { around } from "../numeric/lists.ts";
import { Button } from "../ui/Button.tsx";

/** Limit of cards or rows that are drawn around the cursor. */
export const MOST_SHOWN = 64;
/** Rows of a page. */
export const PAGE_ROWS = 50;

/** Says how many are drawn; nothing if all are. */
export function PartNote({ shown, of }: { shown: number; of: number }) {
  if (shown === of) return null;
  return <p className="note">{`${shown} of ${of} are shown, those around the cursor.`}</p>;
}

/** The rows that are drawn. With `pages`, the first page until the cursor or the reader moves to another, and again when `pages` changes. */
export function useDrawnRows(current: number, count: number, pages: string | undefined) {
  const [page, setPage] = useState({ first: 0, current, pages });
  if (page.pages !== pages) setPage({ first: 0, current, pages });
  else if (page.current !== current) setPage({ first: pageOf(current), current, pages });
  const show = (first: number) => setPage({ first, current, pages });
  if (pages === undefined) return { ...around(current, count, MOST_SHOWN), show };
  const from = Math.min(page.first, pageOf(count - 1));
  return { from, to: Math.min(from + PAGE_ROWS, count), show };
}

const pageOf = (place: number) => Math.floor(Math.max(0, place) / PAGE_ROWS) * PAGE_ROWS;

interface PageNoteProps extends ReturnType<typeof useDrawnRows> {
  of: number;
  testId: string;
}

export function PageNote({ from, to, of, show, testId }: PageNoteProps) {
  if (of <= PAGE_ROWS) return null;
  const button = (name: string, first: number) => {
    const isThere = first >= 0 && first < of;
    return (
      <Button aria-disabled={!isThere} onClick={() => isThere && show(first)}>
        {name}
      </Button>
    );
  };
  return (
    <p data-testid={testId}>
      {`Rows ${from + 1} to ${to} of ${of}.`} {button("Earlier rows", from - PAGE_ROWS)}{" "}
      {button("Later rows", from + PAGE_ROWS)}
    </p>
  );
}
