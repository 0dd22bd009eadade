/** Reads that are pending while more work is issued; a failure is kept until all are awaited. */
export class PendingReads {
  readonly #under: Promise<unknown>[] = [];

  add(read: Promise<unknown>): void {
    read.catch(() => undefined); // `all` rejects
    this.#under.push(read);
  }

  /** Resolves when all have arrived, or rejects with the first failure. */
  async all(): Promise<void> {
    await Promise.all(this.#under.splice(0));
  }
}
