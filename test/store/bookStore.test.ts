/** The open notebook: changes, undo, and how it is kept. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writeCell } from "../../src/notebook/edit.ts";
import type { KeptNotebook, NotebookShelf } from "../../src/runtime/shelf/notebooks.ts";
import type { Place } from "../../src/runtime/shelf/storage.ts";
import type { KeptVersion } from "../../src/runtime/shelf/versions.ts";
import { BookKeeper } from "../../src/store/bookKeeper.ts";
import {
  bookDraft,
  createBookStore,
  editBook,
  newId,
  redoBook,
  restoreText,
  textOfBook,
  undoBook,
} from "../../src/store/bookStore.ts";

function shelfInMemory(place: Place = { kept: true }) {
  const kept = new Map<string, KeptNotebook>();
  const versions: KeptVersion[] = [];
  const shelf: NotebookShelf = {
    list: async () => [...kept.values()],
    get: async (id) => kept.get(id),
    put: async (notebook, before) => {
      kept.set(notebook.id, notebook);
      if (before) versions.unshift(before);
      return place;
    },
    placeOf: () => place,
    versions: async () => versions,
    answers: async () => [],
    putAnswers: async () => ({ kept: true }),
    drop: async (id) => void kept.delete(id),
  };
  return { kept, versions, shelf };
}

const keptText = (text: string): KeptNotebook => ({
  ...{ id: "abcd", title: "Kept", text },
  ...{ created: "2026-01-01T00:00:00.000Z", changed: "2026-01-02T00:00:00.000Z" },
});

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

  it("takes the same text for no change: what was taken back can still come again", () => {
    const store = createBookStore("# One\n");
    editBook(store, write("# Two"));
    undoBook(store);
    // An editor that shows a text writes that text once more.
    editBook(store, write("# One"));
    redoBook(store);
    expect(textOfBook(store.getState())).toBe("# Two\n");
  });

  it("is kept three tenths of a second after a change, once for all that came by then", async () => {
    const { kept, shelf } = shelfInMemory();
    const put = vi.spyOn(shelf, "put");
    const store = createBookStore("# One\n", { id: "abcd" });
    new BookKeeper(store, shelf);
    for (const text of ["# T", "# Tw", "# Two"]) {
      editBook(store, write(text), "write 0");
      await vi.advanceTimersByTimeAsync(90);
    }
    expect(put).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(30);
    expect(put).toHaveBeenCalledTimes(1);
    expect(kept.get("abcd")).toMatchObject({ title: "Two", text: "# Two\n" });
    expect(store.getState().keeping).toEqual({ state: "saved" });
    undoBook(store);
    await vi.advanceTimersByTimeAsync(300);
    expect(kept.get("abcd")!.text).toBe("# One\n");
  });

  it("keeps when it was made", async () => {
    const { kept, shelf } = shelfInMemory();
    const store = createBookStore("# One\n", { id: "abcd" });
    const keeper = new BookKeeper(store, shelf);
    editBook(store, write("a"));
    await keeper.save();
    const { created } = kept.get("abcd")!;
    const again = createBookStore("a", { id: "abcd" });
    new BookKeeper(again, shelf);
    await vi.advanceTimersByTimeAsync(1);
    vi.setSystemTime(Date.now() + 60_000);
    editBook(again, write("b"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(kept.get("abcd")).toMatchObject({ created });
    expect(kept.get("abcd")!.changed > created).toBe(true);
  });

  it("says when it is in memory only, and why", async () => {
    const { shelf } = shelfInMemory({ kept: false, why: "the browser's storage is full" });
    const store = createBookStore("# One\n", { id: "abcd" });
    const keeper = new BookKeeper(store, shelf);
    editBook(store, write("a"));
    await keeper.save();
    expect(store.getState().keeping).toEqual({
      state: "memory",
      why: "the browser's storage is full",
    });
  });

  it("is not written by a tab that only follows, and shows what the other wrote", async () => {
    const { kept, shelf } = shelfInMemory();
    const store = createBookStore("# One\n", { id: "abcd" });
    const keeper = new BookKeeper(store, shelf);
    store.setState({ keeping: { state: "other" } });
    kept.set("abcd", keptText("# Theirs\n"));
    const put = vi.spyOn(shelf, "put");
    await keeper.reread();
    await keeper.save();
    expect(put).not.toHaveBeenCalled();
    expect(store.getState().title).toBe("Theirs");
  });

  it("says so from the start where it could not be stored", () => {
    const place = { kept: false, why: "the browser's storage is full" } as const;
    const { keeping } = createBookStore("# One\n", { id: "abcd", place }).getState();
    expect(keeping).toEqual({ state: "memory", why: "the browser's storage is full" });
    expect(createBookStore("# One\n", { id: "abcd" }).getState().keeping.state).toBe("saved");
    expect(createBookStore("# One\n").getState().keeping.state).toBe("not-kept");
  });

  it("is kept all the time while somebody writes without a pause", async () => {
    const { kept, shelf } = shelfInMemory();
    const store = createBookStore("# One\n", { id: "abcd" });
    new BookKeeper(store, shelf);
    for (let i = 0; i < 20; i++) {
      editBook(store, write(`# ${"x".repeat(i + 1)}`), "write 0");
      await vi.advanceTimersByTimeAsync(100);
      // In letters, one each tenth of a second.
      if (i > 3) expect(i + 1 - kept.get("abcd")!.title.length).toBeLessThanOrEqual(3);
    }
  });

  describe("on a slow disk", () => {
    /** Each write takes as long as the test likes. */
    function slowShelf() {
      const { kept, shelf } = shelfInMemory();
      const ends: (() => void)[] = [];
      const asked: string[] = [];
      const { put } = shelf;
      shelf.put = async (notebook, before) => {
        asked.push(notebook.text);
        await new Promise<void>((resolve) => ends.push(resolve));
        return put(notebook, before);
      };
      return { kept, shelf, asked, end: () => ends.shift()!() };
    }

    it("what is written during a write is written as soon as that has ended, as it is then", async () => {
      const { kept, shelf, asked, end } = slowShelf();
      const store = createBookStore("# 0\n", { id: "abcd" });
      new BookKeeper(store, shelf);
      for (let i = 1; i <= 20; i++) {
        editBook(store, write(`# ${i}`), "write 0");
        await vi.advanceTimersByTimeAsync(100);
      }
      // None is asked for in vain: the second takes the place of many.
      expect(asked).toEqual(["# 3\n"]);
      end();
      await vi.advanceTimersByTimeAsync(0);
      expect(asked).toEqual(["# 3\n", "# 20\n"]);
      expect(store.getState().keeping).toEqual({ state: "saving" });
      end();
      await vi.advanceTimersByTimeAsync(0);
      expect(kept.get("abcd")!.text).toBe("# 20\n");
      expect(store.getState().keeping).toEqual({ state: "saved" });
    });

    it("a page that is being closed waits for no write", async () => {
      const { shelf, asked } = slowShelf();
      const store = createBookStore("# 0\n", { id: "abcd" });
      const keeper = new BookKeeper(store, shelf);
      editBook(store, write("# 1"));
      await vi.advanceTimersByTimeAsync(300);
      editBook(store, write("# 2"));
      void keeper.save();
      expect(asked).toEqual(["# 1\n", "# 2\n"]);
    });
  });

  it("has ids of its own", () => {
    const many = new Set(Array.from({ length: 100 }, newId));
    expect(many.size).toBe(100);
    for (const id of many) expect(id).toMatch(/^[a-z0-9]{10}$/);
  });
});

describe("earlier versions", () => {
  const FIRST = keptText("# One\n");

  function setUp() {
    const { kept, versions, shelf } = shelfInMemory();
    kept.set("abcd", FIRST);
    const open = async () => {
      const store = createBookStore(kept.get("abcd")!.text, { id: "abcd" });
      const keeper = new BookKeeper(store, shelf);
      await vi.advanceTimersByTimeAsync(1);
      const edit = async (text: string) => {
        editBook(store, write(text));
        await vi.advanceTimersByTimeAsync(1000);
      };
      return { store, keeper, edit };
    };
    return { kept, open, texts: () => versions.map(({ text }) => text), versions };
  }

  it("are made once a session, of the text as it was before, and every ten minutes of writing", async () => {
    const { open, texts, versions } = setUp();
    const { edit } = await open();
    await edit("# Two");
    await edit("# Three");
    expect(texts()).toEqual(["# One\n"]);
    expect(versions[0]).toMatchObject({ notebook: "abcd", saved: FIRST.changed, title: "Kept" });
    await vi.advanceTimersByTimeAsync(600_000);
    await edit("# Four");
    expect(texts()).toEqual(["# Three\n", "# One\n"]);
    const next = await open();
    await next.edit("# Five");
    expect(texts()).toEqual(["# Four\n", "# Three\n", "# One\n"]);
  });

  it("take the place of the present text, which becomes one itself; that is undone like any change", async () => {
    const { kept, open, texts } = setUp();
    const { store, keeper, edit } = await open();
    await edit("# Two");
    editBook(store, write("# Typed just now"));
    await keeper.restore("# One\n");
    expect(kept.get("abcd")!.text).toBe("# One\n");
    expect(texts()).toEqual(["# Typed just now\n", "# One\n"]);
    expect(store.getState().title).toBe("One");
    undoBook(store);
    await vi.advanceTimersByTimeAsync(1000);
    expect(kept.get("abcd")!.text).toBe("# Typed just now\n");
  });

  it("leave cells of the same name what they are, so that their runs go on", async () => {
    const text = "# A\n\n```experiment id=one\npreset: nano\n```\n";
    const store = createBookStore(text, { id: "abcd" });
    const keyOf = () => bookDraft(store.getState()).cells.at(-1)!.key;
    const before = keyOf();
    restoreText(store, "# B\n\nMore.\n\n```experiment id=one\npreset: tiny\n```\n");
    expect(keyOf()).toBe(before);
    const keys = bookDraft(store.getState()).cells.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
