/** Waits for a checkpoint that the worker has been asked for; not for long, since a run may be in the middle of an iteration. */

/** Maximum milliseconds that a save waits for a fresh checkpoint before it takes the newest one. */
const TIME_LIMIT = { runs: 5000, stands: 1500 };

export class FreshCheckpoint {
  #onCheckpoint: (() => void) | null = null;

  /** A checkpoint has arrived, or there will be none. */
  arrive(): void {
    this.#onCheckpoint?.();
  }

  /** Resolves when it has arrived, or after the time limit. */
  async wait(ask: () => void, runs: boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onCheckpoint = resolve;
      setTimeout(resolve, TIME_LIMIT[runs ? "runs" : "stands"]);
      ask();
    });
    this.#onCheckpoint = null;
  }
}
