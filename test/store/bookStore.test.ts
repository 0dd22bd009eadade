/** The open notebook: changes, undo, and how it is kept. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writeCell } from "../../src/notebook/edit.ts";
import type { KeptNotebook, NotebookShelf } from "../../src/runtime/shelf/notebooks.ts";
import type { Place } from "../../src/runtime/shelf/storage.ts";
import {
  createBookStore,
  editBook,
  keepBook,
  newId,
  redoBook,
  rereadBook,
  textOfBook,
  undoBook,
} from "../../src/store/bookStore.ts";

function shelfInMemory(place: Place = { kept: true }) {
  const kept = new Map<string, KeptNotebook>();
  const shelf: NotebookShelf = {
    list: async () => [...kept.values()],
    get: async (id) => kept.get(id),
    put: async (notebook) => {
      kept.set(notebook.id, notebook);
      return place;
    },
    drop: async (id) => void kept.delete(id),
  };
  return { kept, shelf };
}

const write = (text: string) => (draft: Parameters<typeof writeCell>[0]) =>
  writeCell(draft, 0, text);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the open notebook", () => {
  it("follows changes in title and text, and takes them back", () => {
    const store = createBookStore("# One\n");
    editBook(store, write("# Two"));
    expect(store.getState().title).toBe("Two");
    undoBook(store);
    expect(textOfBook(store.getState())).toBe("# One\n");
    redoBook(store);
    expect(textOfBook(store.getState())).toBe("# Two\n");
  });

  it("is kept half a second after the last change, once", async () => {
    const { kept, shelf } = shelfInMemory();
    const put = vi.spyOn(shelf, "put");
    const store = createBookStore("# One\n", "abcd");
    keepBook(store, shelf);
    for (const text of ["# T", "# Tw", "# Two"]) {
      editBook(store, write(text), "write 0");
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(put).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(500);
    expect(put).toHaveBeenCalledTimes(1);
    expect(kept.get("abcd")).toMatchObject({ title: "Two", text: "# Two\n" });
    expect(store.getState().keeping).toEqual({ state: "saved" });
    undoBook(store);
    await vi.advanceTimersByTimeAsync(500);
    expect(kept.get("abcd")!.text).toBe("# One\n");
  });

  it("keeps when it was made", async () => {
    const { kept, shelf } = shelfInMemory();
    const store = createBookStore("# One\n", "abcd");
    const save = keepBook(store, shelf);
    editBook(store, write("a"));
    await save();
    const { created } = kept.get("abcd")!;
    const again = createBookStore("a", "abcd");
    keepBook(again, shelf);
    await vi.advanceTimersByTimeAsync(1);
    vi.setSystemTime(Date.now() + 60_000);
    editBook(again, write("b"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(kept.get("abcd")).toMatchObject({ created });
    expect(kept.get("abcd")!.changed > created).toBe(true);
  });

  it("says when it is in memory only, and why", async () => {
    const { shelf } = shelfInMemory({ kept: false, why: "the browser's storage is full" });
    const store = createBookStore("# One\n", "abcd");
    const save = keepBook(store, shelf);
    editBook(store, write("a"));
    await save();
    expect(store.getState().keeping).toEqual({
      state: "memory",
      why: "the browser's storage is full",
    });
  });

  it("is not written by a tab that only follows, and shows what the other wrote", async () => {
    const { kept, shelf } = shelfInMemory();
    const store = createBookStore("# One\n", "abcd");
    const save = keepBook(store, shelf);
    store.setState({ keeping: { state: "other" } });
    rereadBook(store, "# Theirs\n");
    await save();
    expect(kept.size).toBe(0);
    expect(store.getState().title).toBe("Theirs");
  });

  it("has ids of its own", () => {
    const many = new Set(Array.from({ length: 100 }, newId));
    expect(many.size).toBe(100);
    for (const id of many) expect(id).toMatch(/^[a-z0-9]{10}$/);
  });
});
