/** Writes a run's checkpoints into the browser's file system, from the run's worker: only workers can write a file synchronously. */
import { browserRoot, runFolder, type OpenRoot } from "./runFiles.ts";
import { decodeHead, encodeHead, HEAD_BYTES, SLOT_NAMES, type Slot } from "./slot.ts";
import { inTime } from "./storage.ts";

/** Maximum milliseconds of a write: the run waits for it, and must not hang if it gets no answer. */
const TIME_LIMIT = 10_000;

/** Available in workers only, so TypeScript's DOM library lacks it. */
interface SyncAccess {
  truncate(size: number): void;
  write(bytes: Uint8Array, options: { at: number }): number;
  flush(): void;
  close(): void;
}

type WritableFile = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncAccess> };

export class SlotWriter {
  #root: OpenRoot;
  #id: string;
  /** Events of the checkpoint that the run started from: anything later belongs to a discarded run. */
  #base: number;
  #folder: FileSystemDirectoryHandle | null = null;
  /** The slot to write next: never the newest one. */
  #next = 0;
  /** A write got no answer: it may still hold its file, so no other write is started. */
  #silent = false;

  constructor(id: string, base: number, root: OpenRoot = browserRoot) {
    this.#id = id;
    this.#base = base;
    this.#root = root;
  }

  /**
   * False if the browser has no file system, no space or gives no answer; what was stored before
   * stays valid.
   */
  async write(slot: Slot): Promise<boolean> {
    if (this.#silent) return false;
    const written = this.#write(slot).then(
      () => true,
      () => false,
    );
    return inTime(written, TIME_LIMIT).catch(() => {
      this.#silent = true;
      return false;
    });
  }

  async #write(slot: Slot): Promise<void> {
    this.#folder ??= await this.#open();
    await writeSlot(this.#folder, SLOT_NAMES[this.#next]!, slot);
    this.#next = 1 - this.#next;
  }

  async #open(): Promise<FileSystemDirectoryHandle> {
    const folder = await runFolder(this.#root, this.#id, true);
    const events = await Promise.all(SLOT_NAMES.map((name) => this.#sound(folder, name)));
    this.#next = events[0]! > events[1]! ? 1 : 0;
    return folder;
  }

  /** Events of a slot; -1 if there is none, or none that is still valid. */
  async #sound(folder: FileSystemDirectoryHandle, name: string): Promise<number> {
    const handle = await folder.getFileHandle(name).catch(() => null);
    if (!handle) return -1;
    const file = await handle.getFile();
    const head = decodeHead(
      new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()),
      file.size,
    );
    if (head && head.events <= this.#base) return head.events;
    await folder.removeEntry(name);
    return -1;
  }
}

/** @throws Error if it cannot be written completely. */
async function writeSlot(
  folder: FileSystemDirectoryHandle,
  name: string,
  slot: Slot,
): Promise<void> {
  const file = (await folder.getFileHandle(name, { create: true })) as WritableFile;
  const access = await file.createSyncAccessHandle();
  try {
    access.truncate(0);
    const { tail, checkpoint } = slot;
    writeAt(access, tail.bytes, HEAD_BYTES);
    writeAt(access, checkpoint.bytes, HEAD_BYTES + tail.bytes.length);
    access.flush();
    writeAt(access, encodeHead(slot), 0);
    access.flush();
  } finally {
    // An open handle would prevent the removal of the run.
    access.close();
  }
}

function writeAt(access: SyncAccess, bytes: Uint8Array, at: number): void {
  const written = access.write(bytes, { at });
  if (written !== bytes.length) throw new Error(`${written} of ${bytes.length} bytes were written`);
}
