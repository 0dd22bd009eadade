/** One tab trains the sweeps of a notebook; the others show what it stores. If the browser has no locks, every tab trains its own. */
import { heldLocks, takeLock } from "./claim.ts";

/** For one notebook; all of its sweeps in this tab share it. */
export class SweepClaim {
  readonly #name: string;
  readonly #timeLimit: () => number;
  readonly #channel: BroadcastChannel | null;
  readonly #hearers = new Set<() => void>();
  #held: Promise<(() => void) | null> | null = null;
  /** Sweeps of this tab that hold the claim. */
  #users = 0;
  #isWaiting = false;

  /** @param home address of the notebook. @param timeLimit milliseconds to wait for a page that may be closing, see claimRun. */
  constructor(home: string, timeLimit: () => number = () => 0) {
    this.#name = `turnbook-sweeps-${home}`;
    this.#timeLimit = timeLimit;
    this.#channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(this.#name) : null;
    this.#channel?.addEventListener("message", () => this.#callHearers());
  }

  /** Claims it for this tab. Null: another tab has it; else a function that releases it, once. */
  async take(): Promise<(() => void) | null> {
    this.#users++;
    const held = (this.#held ??= takeLock(this.#name, this.#timeLimit()));
    if ((await held) === null) {
      this.#users--;
      if (this.#held === held) this.#held = null;
      return null;
    }
    this.changed();
    let isBack = false;
    return () => {
      if (!isBack) void this.#giveBack();
      isBack = true;
    };
  }

  async #giveBack(): Promise<void> {
    if (--this.#users > 0) return;
    const held = this.#held;
    this.#held = null;
    (await held)?.();
    this.changed();
  }

  /** Whether another tab trains them; if so, `onChange` is called when it stops. */
  async isElsewhere(): Promise<boolean> {
    const is = this.#held === null && (await heldLocks()).has(this.#name);
    if (is) void this.#waitForEnd();
    return is;
  }

  /** Notifies the other tabs that a claim or a stored run has changed. */
  changed(): void {
    this.#channel?.postMessage("changed");
  }

  /** Called if another tab reports a change, or is gone. */
  onChange(heard: () => void): void {
    this.#hearers.add(heard);
  }

  /** A closed tab sends no message, so this waits for its lock. */
  async #waitForEnd(): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const { locks } = globalThis.navigator;
    await locks.request(this.#name, { mode: "shared" }, () => {}).catch(() => undefined);
    this.#isWaiting = false;
    this.#callHearers();
  }

  #callHearers(): void {
    for (const hear of this.#hearers) hear();
  }
}
