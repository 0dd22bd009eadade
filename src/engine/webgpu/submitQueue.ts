/**
 * Commands to a device, in order: submits of bounded work, and actions that must happen in between.
 * At most two submits are pending, or more whose total work is that of one. Everything else waits
 * here. A card starts with the first dispatches while others are still recorded.
 */
import type { DeviceHealth } from "./health.ts";
import type { DevicePace } from "./pace.ts";

/** Maximum pending submits, unless all of them are short: one that runs, and one that follows without a gap. */
const UNDER_WAY = 2;

interface Waiting {
  /** Null: no submit. */
  flops: number | null;
  act: () => void;
}

/** Exact counts since the start. */
interface SubmitCounts {
  submits: number;
  /** FLOPs of the largest. */
  longest: number;
  /** Maximum pending at once. */
  underWay: number;
}

export class SubmitQueue {
  readonly counts: SubmitCounts = { submits: 0, longest: 0, underWay: 0 };
  /** Runs that are recorded but not handed over. */
  #encoder: GPUCommandEncoder | null = null;
  #recorded = 0;
  /** Number of dispatches among them. */
  #dispatches = 0;
  #waiting: Waiting[] = [];
  #underWay = 0;
  /** FLOPs of these. */
  #work = 0;
  /** FLOPs that a card has started early while more was recorded: they are part of the next submit's time. */
  #early = 0;
  #most = UNDER_WAY;
  /** When the last known one ended. */
  #ended = 0;
  readonly #device: GPUDevice;
  readonly #health: DeviceHealth;
  readonly #pace: DevicePace;
  readonly #now: () => number;

  constructor(
    device: GPUDevice,
    health: DeviceHealth,
    pace: DevicePace,
    now = () => performance.now(),
  ) {
    this.#device = device;
    this.#health = health;
    this.#pace = pace;
    this.#now = now;
    // The device no longer answers: waiters continue, and receive the loss.
    void device.lost.then(() => {
      this.#most = Infinity;
      this.#goOn();
    });
  }

  /** Where the next commands are recorded. */
  get encoder(): GPUCommandEncoder {
    if (!this.#encoder) {
      this.#encoder = this.#device.createCommandEncoder();
      // Runs that nothing reads or follows should not wait for long.
      setTimeout(() => this.flush(), 0);
    }
    return this.#encoder;
  }

  /**
   * Why the recorded commands go before this much more: the submit would be too long, or so that
   * the device can start ("early"); null: neither.
   */
  cutBefore(flops: number): "full" | "early" | null {
    if (this.#recorded === 0) return null;
    if (this.#recorded + flops > this.#pace.budget) return "full";
    const isWorth = this.#dispatches >= this.#pace.dispatches;
    return isWorth && !this.waits && !this.#isBusy(this.#recorded) ? "early" : null;
  }

  /** A dispatch of this much work has been recorded. */
  note(flops: number): void {
    this.#recorded += flops;
    this.#dispatches++;
  }

  /** Whether a submit of this much would wait. */
  #isBusy(flops: number): boolean {
    return this.#underWay >= this.#most && this.#work + flops > this.#pace.budget;
  }

  /** Hands over the recorded commands; early: more of them follow. */
  flush(isEarly = false): void {
    if (!this.#encoder) return;
    const [encoder, flops] = [this.#encoder, this.#recorded];
    this.#encoder = null;
    this.#recorded = 0;
    this.#dispatches = 0;
    this.#add({ flops, act: () => this.#submit(encoder, flops, isEarly) });
  }

  /** Acts once everything recorded so far is submitted; at once if it already is. */
  then(act: () => void): void {
    this.flush();
    this.#add({ flops: null, act });
  }

  /** Whether something is waiting. */
  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves once everything recorded so far is submitted. */
  submitted(): Promise<void> {
    return new Promise((resolve) => this.then(resolve));
  }

  /** Submits everything now, however much is pending: for other users of the device. */
  submitAll(): void {
    this.flush();
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) next.act();
  }

  #add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#goOn();
  }

  #goOn(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (next.flops !== null && this.#isBusy(next.flops)) return;
      this.#waiting.shift();
      next.act();
    }
  }

  #submit(encoder: GPUCommandEncoder, flops: number, isEarly: boolean): void {
    const { queue } = this.#device;
    this.#health.guard(() => queue.submit([encoder.finish()]));
    const { counts } = this;
    counts.submits++;
    counts.longest = Math.max(counts.longest, flops);
    counts.underWay = Math.max(counts.underWay, ++this.#underWay);
    this.#work += flops;
    const begun = this.#now();
    // The time of an early one is unknown until everything is recorded.
    const timed = isEarly ? null : flops + this.#early;
    this.#early = isEarly ? this.#early + flops : 0;
    const end = () => this.#end(flops, timed, begun);
    queue.onSubmittedWorkDone().then(end, end);
  }

  /** `timed`: FLOPs that were timed; null: unknown. */
  #end(flops: number, timed: number | null, begun: number): void {
    const now = this.#now();
    if (timed !== null) {
      this.#pace.note(timed, now - Math.max(begun, this.#ended));
      this.#ended = now;
    }
    this.#underWay--;
    this.#work -= flops;
    this.#health.progress();
    this.#goOn();
  }
}
