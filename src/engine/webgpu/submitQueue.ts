/**
 * What a device is given, in order: commands as submits of bounded work, and between them whatever has to happen in their order. Two submits
 * are under way at most, or more whose work together is that of one. What has to wait, waits here. A card begins with the first
 * dispatches while others are still recorded.
 */
import type { DeviceHealth } from "./health.ts";
import type { DevicePace } from "./pace.ts";

/** Submits under way at most, unless all of them are short: one that runs, and one that follows without a gap. */
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
  /** Under way at once, at most. */
  underWay: number;
}

export class SubmitQueue {
  readonly counts: SubmitCounts = { submits: 0, longest: 0, underWay: 0 };
  /** Runs that are recorded but not handed over. */
  #encoder: GPUCommandEncoder | null = null;
  #recorded = 0;
  /** Dispatches among them. */
  #dispatches = 0;
  #waiting: Waiting[] = [];
  #underWay = 0;
  /** FLOPs of these. */
  #work = 0;
  /** FLOPs that a card has begun with while more of them was recorded: of the next submit's time they are a part. */
  #early = 0;
  #most = UNDER_WAY;
  /** When the last one ended that is known to have. */
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
    // Nothing is heard of what is under way any more: whoever waits goes on, and learns of the loss.
    void device.lost.then(() => {
      this.#most = Infinity;
      this.#goOn();
    });
  }

  /** Where the next commands are recorded. */
  get encoder(): GPUCommandEncoder {
    if (!this.#encoder) {
      this.#encoder = this.#device.createCommandEncoder();
      // Runs that nobody reads or follows up are not to wait for long.
      setTimeout(() => this.flush(), 0);
    }
    return this.#encoder;
  }

  /**
   * Whether what is recorded goes before so much more: because the submit would be too long, or for the device to begin ("early");
   * null: neither.
   */
  cutBefore(flops: number): "full" | "early" | null {
    if (this.#recorded === 0) return null;
    if (this.#recorded + flops > this.#pace.budget) return "full";
    const isWorth = this.#dispatches >= this.#pace.dispatches;
    return isWorth && !this.waits && !this.#isBusy(this.#recorded) ? "early" : null;
  }

  /** A dispatch of so much work has been recorded. */
  note(flops: number): void {
    this.#recorded += flops;
    this.#dispatches++;
  }

  /** Whether a submit of so much would wait. */
  #isBusy(flops: number): boolean {
    return this.#underWay >= this.#most && this.#work + flops > this.#pace.budget;
  }

  /** Hands over what is recorded; early: more of it follows. */
  flush(isEarly = false): void {
    if (!this.#encoder) return;
    const [encoder, flops] = [this.#encoder, this.#recorded];
    this.#encoder = null;
    this.#recorded = 0;
    this.#dispatches = 0;
    this.#add({ flops, act: () => this.#submit(encoder, flops, isEarly) });
  }

  /** Acts once all is submitted that has been recorded so far; at once where it is. */
  then(act: () => void): void {
    this.flush();
    this.#add({ flops: null, act });
  }

  /** Whether something waits for its turn. */
  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves once all is submitted that has been recorded so far. */
  submitted(): Promise<void> {
    return new Promise((resolve) => this.then(resolve));
  }

  /** Submits everything now, however much is under way: for who uses the device beside this queue. */
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
    // How long an early one takes nobody hears before all is recorded.
    const timed = isEarly ? null : flops + this.#early;
    this.#early = isEarly ? this.#early + flops : 0;
    const end = () => this.#end(flops, timed, begun);
    queue.onSubmittedWorkDone().then(end, end);
  }

  /** `timed`: FLOPs whose time it is; null: not known. */
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
