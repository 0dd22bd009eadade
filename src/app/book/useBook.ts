/** The notebook that a cell is in. */
import { createContext, use } from "react";
import type { OpenBook } from "./openBook.ts";

export const BookContext = createContext<OpenBook | null>(null);

export function useBook(): OpenBook {
  const book = use(BookContext);
  if (!book) throw new Error("No notebook above this component.");
  return book;
}
