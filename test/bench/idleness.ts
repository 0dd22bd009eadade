/**
 * How long a thread has had nothing to do but wait for its device. A promise that is pending is not enough: the program may
 * go on meanwhile. So a message to itself, which comes when all else is done, tells when the waiting begins.
 */
export class Idleness {
  /** Promises of the device that are pending. */
  private open = 0;
  /** Since when nothing is done; null while something is. */
  private since: number | null = null;
  private total = 0;
  private asked = false;
  private readonly channel = new MessageChannel();

  constructor() {
    this.channel.port1.onmessage = () => this.sleep();
    // In Node an open port would keep the process alive.
    (this.channel.port1 as { unref?: () => void }).unref?.();
  }

  /** Counts as waiting what of the promise's time the thread does nothing in. */
  during(promise: Promise<unknown>): void {
    this.open++;
    this.wake();
    // These handlers are the first on the promise: they run before the program continues.
    const done = () => {
      this.open--;
      this.wake();
    };
    promise.then(done, done);
  }

  /** To be called wherever the program is seen at work. The time, and the milliseconds waited so far. */
  wake(): { time: number; waited: number } {
    const time = performance.now();
    if (this.since !== null) this.total += time - this.since;
    this.since = null;
    if (this.open > 0 && !this.asked) {
      this.asked = true;
      this.channel.port2.postMessage(null);
    }
    return { time, waited: this.total };
  }

  private sleep(): void {
    this.asked = false;
    if (this.open > 0) this.since = performance.now();
  }
}
