/** Moves a cell: dragged, with a line where it would stand, or by the arrow keys. Both say where it stands now. */
import { useRef } from "react";
import { indexOfKey, labelOf, moveCell } from "../../notebook/edit.ts";
import { bookDraft, editBook, type BookStore } from "../../store/bookStore.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { say } from "../../ui/toasts.ts";
import { words } from "./words.ts";

interface DragHandleProps {
  store: BookStore;
  cellKey: number;
  label: string;
}

export function DragHandle({ store, cellKey: key, label }: DragHandleProps) {
  const end = useRef<() => void>(null);
  const begin = (event: React.PointerEvent<HTMLButtonElement>) => {
    const list = event.currentTarget.closest<HTMLElement>("article");
    if (event.button !== 0 || !list) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    end.current = follow(list, (place) => moveTo(store, key, place));
  };
  const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };
  return (
    <Button
      className="drag-handle"
      aria-label={words.move(label)}
      title={words.moveTitle}
      data-testid="drag-cell"
      onPointerDown={begin}
      onLostPointerCapture={() => end.current?.()}
      onKeyDown={(event) => {
        const by = steps[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        moveBy(store, key, by);
      }}
    >
      <Icon name="grip" size={14} />
    </Button>
  );
}

export function moveBy(store: BookStore, key: number, by: number): void {
  const before = bookDraft(store.getState());
  editBook(store, (draft) => moveCell(draft, key, by));
  const draft = bookDraft(store.getState());
  if (draft === before) return;
  const at = indexOfKey(draft, key);
  const name = labelOf(draft.cells[at]!.cell) || words.emptyProse;
  say({ text: words.moved(name, at + 1, draft.cells.length), testId: "cell-moved" });
}

/** @param place of the gap between cells, 0 being above the first. */
function moveTo(store: BookStore, key: number, place: number): void {
  const from = indexOfKey(bookDraft(store.getState()), key);
  moveBy(store, key, place > from ? place - 1 - from : place - from);
}

/** Pixels from the window's edges within which it scrolls, and how far at a time. */
const EDGE = 120;
const SCROLL = 16;

/** Draws the line below the pointer until the press ends, and then drops; Escape gives up. @returns what ends it without a drop. */
function follow(list: HTMLElement, drop: (place: number) => void): () => void {
  let place: number | null = null;
  let y: number | null = null;
  const places = () => [...list.querySelectorAll<HTMLElement>(":scope > .edit-place")];
  const mark = () => {
    for (const [i, one] of places().entries()) one.toggleAttribute("data-drop", i === place);
    list.toggleAttribute("data-drop", place === places().length);
  };
  const look = () => {
    if (y === null) return;
    place = gapAt(places(), y);
    mark();
  };
  const timer = setInterval(() => {
    if (y === null || (y > EDGE && y < innerHeight - EDGE)) return;
    scrollBy(0, y <= EDGE ? -SCROLL : SCROLL);
    look();
  }, 16);
  const listening = new AbortController();
  const { signal } = listening;
  const stop = () => {
    clearInterval(timer);
    listening.abort();
    place = null;
    mark();
  };
  const finish = () => {
    const chosen = place;
    stop();
    if (chosen !== null) drop(chosen);
  };
  addEventListener("pointermove", (event) => ((y = event.clientY), look()), { signal });
  addEventListener("pointerup", finish, { signal });
  addEventListener("pointercancel", stop, { signal });
  addEventListener("keydown", ({ key }) => key === "Escape" && stop(), { signal });
  return stop;
}

/** The gap nearest to a height in the window: that above the first cell whose middle is below it. */
function gapAt(cells: readonly HTMLElement[], y: number): number {
  const below = cells.findIndex((one) => {
    const { top, height } = one.getBoundingClientRect();
    return y < top + height / 2;
  });
  return below < 0 ? cells.length : below;
}
