/** Waits for a checkpoint that the worker has been asked for; not for long, since a run can stand within an iteration. */

/** How long a save waits for a fresh checkpoint before it takes the newest there is, in milliseconds. */
const TIME_LIMIT = { runs: 5000, stands: 1500 };

export class FreshCheckpoint {
  #onCheckpoint: (() => void) | null = null;

  /** There is one, or there will be none. */
  arrive(): void {
    this.#onCheckpoint?.();
  }

  /** Resolves when it is there, or will not come soon. */
  async wait(ask: () => void, runs: boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onCheckpoint = resolve;
      setTimeout(resolve, TIME_LIMIT[runs ? "runs" : "stands"]);
      ask();
    });
    this.#onCheckpoint = null;
  }
}
