/** Pasting into a notebook that is written: pictures, tables, links and Markdown become cells behind the one that is selected. */
import { useEffect } from "react";
import type { Cell } from "../../notebook/cell.ts";
import { MAX_LENGTH } from "../../notebook/document.ts";
import { indexOfKey, insertCell } from "../../notebook/edit.ts";
import { pastedCells, pictureCell } from "../../notebook/pasted.ts";
import { LONGEST_LINK } from "../../notebook/sharedText.ts";
import { bookDraft, editBook, textOfBook, type BookStore } from "../../store/bookStore.ts";
import { base64Of } from "../../ui/base64.ts";
import { say } from "../../ui/toasts.ts";
import { words as all } from "./words.ts";

const words = all.pasted;

/** In fields and editors text stays text; a picture is a cell wherever it is pasted. */
export function usePaste(store: BookStore): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const data = event.clipboardData;
      if (!data || event.defaultPrevented || document.querySelector("[role=dialog]")) return;
      const files = [...data.files].filter(({ type, name }) => isPicture(type) || TABLE.test(name));
      const text = isWriting(event) ? "" : data.getData("text/plain");
      if (files.length === 0 && text.trim() === "") return;
      event.preventDefault();
      void add(store, async () =>
        files.length > 0 ? (await Promise.all(files.map(cellsOfFile))).flat() : pastedCells(text),
      );
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, [store]);
}

const TABLE = /\.(csv|tsv)$/i;
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const isPicture = (type: string) => PICTURES.includes(type);

function isWriting(event: ClipboardEvent): boolean {
  return event
    .composedPath()
    .some((one) => one instanceof HTMLElement && one.matches("input, textarea, select, .source"));
}

/** One step, which can be undone; nothing if it does not fit. */
async function add(store: BookStore, make: () => Promise<readonly Cell[]>): Promise<void> {
  const cells = await make().catch((error: unknown) => {
    say({ text: words.failed((error as Error).message), testId: "pasted" });
    return [];
  });
  if (cells.length === 0) return;
  const { selected, history } = store.getState();
  const at = selected === null ? history.now.cells.length : indexOfKey(history.now, selected) + 1;
  const withAll = (draft: typeof history.now) =>
    cells.reduce((now, cell, i) => insertCell(now, at + i, cell), draft);
  const length = textOfBook({
    ...store.getState(),
    history: { ...history, now: withAll(history.now) },
  }).length;
  if (length > MAX_LENGTH)
    return say({ text: words.tooLong(length, MAX_LENGTH), testId: "pasted" });
  const key = history.now.nextKey;
  editBook(store, withAll);
  if (bookDraft(store.getState()) === history.now) return;
  store.setState({ selected: key });
  const rest = length > LONGEST_LINK ? words.noLink(length, LONGEST_LINK) : "";
  say({ text: words.added(cells.length) + rest, testId: "pasted" });
}

async function cellsOfFile(file: File): Promise<readonly Cell[]> {
  if (!isPicture(file.type)) return pastedCells(await file.text());
  const picture = await smaller(file);
  const address = `data:${picture.type};base64,${await base64Of(picture)}`;
  return [pictureCell(address, file.name.replace(/\.\w+$/, ""))];
}

/** Bytes up to which a picture is kept as it is; larger ones are drawn again, from this width down. */
const SMALL = { bytes: 150_000, width: 1600, quality: 0.85, tries: 6 };

async function smaller(file: Blob): Promise<Blob> {
  if (file.size <= SMALL.bytes) return file;
  const picture = await createImageBitmap(file);
  let best = file;
  let width = Math.min(picture.width, SMALL.width);
  for (let i = 0; i < SMALL.tries && best.size > SMALL.bytes; i++) {
    const drawn = await redrawn(picture, width);
    if (!drawn || !isPicture(drawn.type)) break;
    if (drawn.size < best.size) best = drawn;
    // Bytes grow about as the area does.
    width *= Math.min(0.9, Math.sqrt(SMALL.bytes / drawn.size));
  }
  return best;
}

function redrawn(picture: ImageBitmap, width: number): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round((picture.height * width) / picture.width));
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/webp", SMALL.quality));
}
