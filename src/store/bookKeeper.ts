/** Keeps a notebook in the browser's storage whenever it changes, and earlier versions of it. */
import type { KeptNotebook, NotebookShelf } from "../runtime/shelf/notebooks.ts";
import type { KeptVersion } from "../runtime/shelf/versions.ts";
import { keepingAt, rereadBook, restoreText, textOfBook, type BookStore } from "./bookStore.ts";

/** Milliseconds after the last change at which it is kept. */
const SAVE_AFTER = 400;
/** Milliseconds that a change waits at most, however long somebody writes without a pause. */
const LONGEST_WAIT = 800;
/** Milliseconds of writing after which what is there becomes a version, too. */
const VERSION_AFTER = 600_000;

export class BookKeeper {
  #store: BookStore;
  #shelf: NotebookShelf;
  #onKept: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Milliseconds of the first change that is not kept; null: all are. */
  #waiting: number | null = null;
  /** As it was kept last; undefined while that is not known. */
  #kept: KeptNotebook | undefined;
  /** Milliseconds at which the last version was made in this page; the first change makes one. */
  #versionAt = -Infinity;
  /** Done once what is kept is known. */
  readonly #known: Promise<void>;

  /** @param onKept it has been written. */
  constructor(store: BookStore, shelf: NotebookShelf, onKept: () => void = () => {}) {
    this.#store = store;
    this.#shelf = shelf;
    this.#onKept = onKept;
    this.#known = this.#look();
    store.subscribe((now, before) => {
      const isSame = now.history.now === before.history.now && now.isForeign === before.isForeign;
      if (!isSame && now.keeping.state !== "other") this.#later();
    });
  }

  /** Shows what another tab wrote. */
  async reread(): Promise<void> {
    await this.#look();
    if (this.#kept) rereadBook(this.#store, this.#kept.text);
  }

  /** Puts an earlier text in the place of the present one, which becomes a version itself. */
  async restore(text: string): Promise<void> {
    await this.#known;
    await this.save();
    this.#versionAt = -Infinity;
    restoreText(this.#store, text);
    await this.save();
  }

  /** Keeps at once what waits to be kept. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    const notebook = this.#waiting === null ? null : this.#asNow();
    if (!notebook) return;
    this.#waiting = null;
    const before = this.#replaced(notebook.text);
    if (before) this.#versionAt = Date.now();
    this.#kept = notebook;
    // Put at once: where the page is being closed nothing more is waited for.
    const place = await this.#shelf.put(notebook, before);
    this.#onKept();
    if (this.#waiting === null) this.#store.setState({ keeping: keepingAt(place) });
  }

  #later(): void {
    const now = Date.now();
    this.#waiting ??= now;
    if (this.#store.getState().keeping.state === "saved")
      this.#store.setState({ keeping: { state: "saving" } });
    clearTimeout(this.#timer);
    const wait = Math.min(SAVE_AFTER, Math.max(0, this.#waiting + LONGEST_WAIT - now));
    this.#timer = setTimeout(() => void this.save(), wait);
  }

  async #look(): Promise<void> {
    const { id } = this.#store.getState();
    const kept = id === null ? undefined : await this.#shelf.get(id);
    // What has been kept meanwhile is newer.
    if (kept && kept.changed >= (this.#kept?.changed ?? "")) this.#kept = kept;
  }

  #asNow(): KeptNotebook | null {
    const state = this.#store.getState();
    const { id, title, isForeign } = state;
    if (id === null) return null;
    const changed = new Date().toISOString();
    const times = { created: this.#kept?.created ?? changed, changed };
    const { source } = this.#kept ?? {};
    const from = { ...(source !== undefined && { source }), ...(isForeign && { isForeign }) };
    return { id, title, text: textOfBook(state), ...times, ...from };
  }

  /** What becomes a version now that another text takes its place; undefined where it is not time. */
  #replaced(text: string): KeptVersion | undefined {
    const kept = this.#kept;
    const isTime = Date.now() - this.#versionAt >= VERSION_AFTER;
    if (!kept || !isTime || kept.text === text) return undefined;
    return { notebook: kept.id, saved: kept.changed, title: kept.title, text: kept.text };
  }
}
