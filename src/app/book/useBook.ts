/** The notebook that a cell is in. */
import { createContext, use, useMemo } from "react";
import { useStore } from "zustand";
import { definitionsIn } from "../../notebook/cell.ts";
import type { Definition } from "../../spec/definitions.ts";
import { bookCells, type BookStore } from "../../store/bookStore.ts";
import type { OpenBook } from "./openBook.ts";

export const BookContext = createContext<OpenBook | null>(null);

export function useBook(): OpenBook {
  const book = use(BookContext);
  if (!book) throw new Error("No notebook above this component.");
  return book;
}

/** What the notebook's code cells define; the same list while they are equal. */
export function useDefinitions(store: BookStore): readonly Definition[] {
  const text = useStore(store, (state) => JSON.stringify(definitionsIn(bookCells(state))));
  return useMemo(() => JSON.parse(text) as Definition[], [text]);
}
