/** How fast a device is: taken to be as it was last measured here, or slow, then as its submits show. All engines on it share what is known. */

import type { EnginePace } from "../engine.ts";

/** Longest that one submit is to keep the device, in milliseconds: meanwhile nothing else is drawn. */
const SUBMIT_MS = 50;
/** A processor that stands for a GPU draws no screen besides, and pays dearly for each submit. */
const SOFTWARE_MS = 500;

/** FLOPs a millisecond before anything is known: those of a slow graphics chip, and of two processor cores. */
const SLOW = 4e7;
const SLOW_SOFTWARE = 4e6;

/** Dispatches after which a card begins: to record so many takes longer than to submit them. */
const EARLY = 32;

/** Milliseconds below which a submit's time is mostly that of the question when it was done. */
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
  /** So many make a submit worth its while, where the device has nothing else to do. */
  readonly dispatches: number;
  /** FLOPs a millisecond. */
  #speed: number;
  #isShown = false;

  /** `speed`: what is known of it already. */
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

  /** FLOPs of a submit at most. */
  get budget(): number {
    return this.#most * this.#speed;
  }

  /** So many FLOPs took so long. */
  note(flops: number, milliseconds: number): void {
    if (flops < this.#speed) return; // what takes a millisecond says nothing
    this.#isShown = true;
    if (milliseconds < LATENCY) this.#speed = Math.max(this.#speed, flops / LATENCY);
    else this.#speed = (this.#speed + flops / milliseconds) / 2;
  }
}
