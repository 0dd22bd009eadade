/** How fast a device is: initially the last measurement here, or slow, then measured by its submits. All engines on it share the result. */

import type { EnginePace } from "../engine.ts";

/** Maximum milliseconds that one submit should occupy the device: nothing else is drawn in that time. */
const SUBMIT_MS = 50;
/** A CPU emulating a GPU does not draw the screen, and has a high cost per submit. */
const SOFTWARE_MS = 500;

/** FLOPs per millisecond before any measurement: those of a slow graphics chip, and of two CPU cores. */
const SLOW = 4e7;
const SLOW_SOFTWARE = 4e6;

/** Dispatches after which a card starts: recording this many takes longer than submitting them. */
const EARLY = 32;

/** Below this many milliseconds, a submit's time is mostly the latency of measuring it. */
const LATENCY = 5;

const known = new WeakMap<GPUDevice, DevicePace>();

/** The pace of a device. */
export function paceOf(device: GPUDevice, software: boolean): DevicePace {
  const pace = known.get(device) ?? new DevicePace(software);
  known.set(device, pace);
  return pace;
}

export class DevicePace implements EnginePace {
  readonly #most: number;
  /** Number of dispatches that justifies a submit if the device is idle. */
  readonly dispatches: number;
  /** FLOPs per millisecond. */
  #speed: number;
  #isShown = false;

  /** `speed`: an earlier measurement. */
  constructor(software: boolean, speed = software ? SLOW_SOFTWARE : SLOW) {
    this.#most = software ? SOFTWARE_MS : SUBMIT_MS;
    this.dispatches = software ? Infinity : EARLY;
    this.#speed = speed;
  }

  get shown(): number | null {
    return this.#isShown ? this.#speed : null;
  }

  expect(speed: number): void {
    if (!this.#isShown && speed > 0 && Number.isFinite(speed)) this.#speed = speed;
  }

  /** Maximum FLOPs of a submit. */
  get budget(): number {
    return this.#most * this.#speed;
  }

  /** Records that this many FLOPs took this long. */
  note(flops: number, milliseconds: number): void {
    if (flops < this.#speed) return; // a time of a millisecond is not informative
    this.#isShown = true;
    if (milliseconds < LATENCY) this.#speed = Math.max(this.#speed, flops / LATENCY);
    else this.#speed = (this.#speed + flops / milliseconds) / 2;
  }
}
