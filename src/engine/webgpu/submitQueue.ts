/**
 * What a device is given, in order: commands as submits of bounded work, at most two of them under way or a submit's work in all, and
 * between them whatever has to happen in their order. What has to wait, waits here. A card begins with the first dispatches while
 * others are still recorded.
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

  /** Whether so much more is too much for the submit that is being recorded, or the device had better begin with it. */
  isFull(flops: number): boolean {
    if (this.#recorded === 0) return false;
    if (this.#recorded + flops > this.#pace.budget) return true;
    return this.#dispatches >= this.#pace.dispatches && !this.#isBusy(this.#recorded);
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

  /** Hands over what is recorded. */
  flush(): void {
    if (!this.#encoder) return;
    const [encoder, flops] = [this.#encoder, this.#recorded];
    this.#encoder = null;
    this.#recorded = 0;
    this.#dispatches = 0;
    this.#add({ flops, act: () => this.#submit(encoder, flops) });
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

  #submit(encoder: GPUCommandEncoder, flops: number): void {
    const { queue } = this.#device;
    this.#health.guard(() => queue.submit([encoder.finish()]));
    const { counts } = this;
    counts.submits++;
    counts.longest = Math.max(counts.longest, flops);
    counts.underWay = Math.max(counts.underWay, ++this.#underWay);
    this.#work += flops;
    const begun = this.#now();
    const end = () => this.#end(flops, begun);
    queue.onSubmittedWorkDone().then(end, end);
  }

  #end(flops: number, begun: number): void {
    const now = this.#now();
    this.#pace.note(flops, now - Math.max(begun, this.#ended));
    this.#ended = now;
    this.#underWay--;
    this.#work -= flops;
    this.#health.progress();
    this.#goOn();
  }
}
