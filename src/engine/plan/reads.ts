/** Results that are on their way while more work is given out; a failure is kept until somebody asks for all. */
export class PendingReads {
  readonly #under: Promise<unknown>[] = [];

  add(read: Promise<unknown>): void {
    read.catch(() => undefined); // `all` rejects
    this.#under.push(read);
  }

  /** Resolves when all have arrived, or rejects as the first of them does. */
  async all(): Promise<void> {
    await Promise.all(this.#under.splice(0));
  }
}
