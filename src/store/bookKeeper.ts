/** Saves a notebook in the browser's storage whenever it changes, and earlier versions of it. */
import type { KeptNotebook, NotebookShelf } from "../runtime/shelf/notebooks.ts";
import type { KeptVersion } from "../runtime/shelf/versions.ts";
import { keepingAt, rereadBook, restoreText, textOfBook, type BookStore } from "./bookStore.ts";

/**
 * Milliseconds to wait for further changes before saving. At most a second of typing may be lost: a
 * busy machine needs the rest of it to write.
 */
const WAIT = 300;
/** Milliseconds of writing after which the text is also saved as a version. */
const VERSION_AFTER = 600_000;

export class BookKeeper {
  #store: BookStore;
  #shelf: NotebookShelf;
  #onKept: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** There are changes that are not being saved yet. */
  #isNew = false;
  /** Resolved once the last write has succeeded or failed. */
  #writing: Promise<unknown> = Promise.resolve();
  /** The notebook as last saved; undefined while unknown. */
  #kept: KeptNotebook | undefined;
  /** Time in milliseconds of the last version made in this page; the first change makes one. */
  #versionAt = -Infinity;
  /** Resolved once the saved state is known. */
  readonly #known: Promise<void>;

  /** @param onKept called after each save. */
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

  /** Restores an earlier text; the current one becomes a version. */
  async restore(text: string): Promise<void> {
    await this.#known;
    await this.save();
    this.#versionAt = -Infinity;
    restoreText(this.#store, text);
    await this.save();
  }

  /** Saves waiting changes at once. */
  async save(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const notebook = this.#isNew ? this.#asNow() : null;
    if (!notebook) return;
    this.#isNew = false;
    const before = this.#replaced(notebook.text);
    if (before) this.#versionAt = Date.now();
    this.#kept = notebook;
    // Started at once: a page that is closing does not wait for anything more.
    const put = this.#shelf.put(notebook, before);
    this.#writing = put.catch(() => undefined);
    const place = await put;
    this.#onKept();
    // If more changes are waiting, only a failure is reported already.
    if (!this.#isNew || !place.kept) this.#store.setState({ keeping: keepingAt(place) });
  }

  #later(): void {
    this.#isNew = true;
    if (this.#store.getState().keeping.state === "saved")
      this.#store.setState({ keeping: { state: "saving" } });
    // Writes do not overlap: a slow disk gets fewer of them, each with the newest text.
    this.#timer ??= setTimeout(() => void this.#writing.then(() => this.save()), WAIT);
  }

  async #look(): Promise<void> {
    const { id } = this.#store.getState();
    const kept = id === null ? undefined : await this.#shelf.get(id);
    // A notebook saved in the meantime is newer.
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

  /** The text to save as a version when another replaces it; undefined if it is not due. */
  #replaced(text: string): KeptVersion | undefined {
    const kept = this.#kept;
    const isTime = Date.now() - this.#versionAt >= VERSION_AFTER;
    if (!kept || !isTime || kept.text === text) return undefined;
    return { notebook: kept.id, saved: kept.changed, title: kept.title, text: kept.text };
  }
}
