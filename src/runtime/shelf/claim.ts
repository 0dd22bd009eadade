/** What one tab has at a time: a notebook's text, a notebook's sweeps, a run. The others follow. If the browser has no locks, every tab has it. */

const notebookLock = (id: string) => `turnbook-notebook-${id}`;
const runLock = (id: string) => `turnbook-run-${id}`;

/** Milliseconds to wait for the holder, or until then. */
type Patience = number | AbortSignal;

/** Of one thing; all users of it in this tab share it. */
export class Claim {
  readonly #name: string;
  readonly #patience: () => number;
  #channel: BroadcastChannel | null;
  readonly #hearers = new Set<() => void>();
  #held: Promise<(() => void) | null> | null = null;
  /** How many in this tab hold it. */
  #users = 0;
  #isWaiting = false;

  /** @param patience milliseconds to wait for a page that may be closing, see claimRun. */
  constructor(name: string, patience: () => number = () => 0) {
    this.#name = name;
    this.#patience = patience;
    this.#channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
    this.#channel?.addEventListener("message", () => this.#callHearers());
  }

  /** Claims it for this tab. Null: another tab has it; else a function that releases it, once. */
  async take(patience: Patience = this.#patience()): Promise<(() => void) | null> {
    this.#users++;
    const held = (this.#held ??= takeLock(this.#name, patience));
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

  /** Whether another tab has it; if so, `onChange` is called when that ends. */
  async isElsewhere(): Promise<boolean> {
    const is = this.#held === null && (await heldLocks()).has(this.#name);
    if (is) void this.#waitForEnd();
    return is;
  }

  /** Notifies the other tabs that the claim, or what it is about, has changed. */
  changed(): void {
    this.#channel?.postMessage("changed");
  }

  /** Called if another tab reports a change, or is gone. */
  onChange(heard: () => void): void {
    this.#hearers.add(heard);
  }

  /** It hears and says nothing more. */
  end(): void {
    this.#channel?.close();
    this.#channel = null;
  }

  /** A closed tab sends no message, so this waits for its lock. */
  async #waitForEnd(): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    (await takeLock(this.#name, new AbortController().signal))?.();
    this.#isWaiting = false;
    this.#callHearers();
  }

  #callHearers(): void {
    for (const hear of this.#hearers) hear();
  }
}

interface ClaimEvents {
  /** Whether this tab may write; called at once, and again when the writing tab is gone. */
  onTurn(mine: boolean): void;
  /** Another tab has changed the notebook. */
  onChange(): void;
}

export function claimNotebook(id: string, { onTurn, onChange }: ClaimEvents) {
  const claim = new Claim(notebookLock(id));
  const ended = new AbortController();
  const { signal } = ended;
  const take = async (patience: Patience) => {
    const release = await claim.take(patience);
    if (!signal.aborted) onTurn(release !== null);
    return release;
  };
  claim.onChange(onChange);
  const held = take(0).then((release) => release ?? (signal.aborted ? null : take(signal)));
  return {
    changed: () => claim.changed(),
    end: () => {
      ended.abort();
      void held.then((release) => release?.());
      claim.end();
    },
  };
}

/**
 * Claims a stored run for this tab. Null: another tab has it; else a function that releases it.
 * @param timeLimit milliseconds to wait for the holder, such as the page before a reload, which may
 * still be closing.
 */
export function claimRun(id: string, timeLimit = 0): Promise<(() => void) | null> {
  return takeLock(runLock(id), timeLimit);
}

/** Null if another tab has it and does not release it in time. */
async function takeLock(name: string, patience: Patience): Promise<(() => void) | null> {
  const { locks } = globalThis.navigator ?? {};
  if (!locks) return () => {};
  const limit = (milliseconds: number) =>
    milliseconds > 0 ? AbortSignal.timeout(milliseconds) : null;
  const signal = typeof patience === "number" ? limit(patience) : patience;
  return new Promise((resolve) => {
    locks
      .request(name, signal ? { signal } : { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise<void>((release) => resolve(() => release()));
      })
      // The wait is over; or a sandboxed frame without locks.
      .catch(() => resolve(signal?.aborted ? null : () => {}));
  });
}

/**
 * The ids of runs in use: those that some tab has claimed, and the newest of every experiment whose
 * notebook is open in some tab. Newest first.
 */
export async function usedRuns(
  runs: readonly { id: string; place: string }[],
): Promise<ReadonlySet<string>> {
  const held = await heldLocks();
  const used = new Set<string>();
  const places = new Set<string>();
  for (const { id, place } of runs) {
    const notebook = notebookOf(place);
    const isShown = notebook !== null && !places.has(place) && held.has(notebookLock(notebook));
    if (isShown || held.has(runLock(id))) used.add(id);
    places.add(place);
  }
  return used;
}

/** Whether some tab, including this one, has claimed the notebook for writing. */
export async function isClaimed(id: string): Promise<boolean> {
  return (await heldLocks()).has(notebookLock(id));
}

/** Id of the stored notebook that a run's place is in; null if it is in none. */
export function notebookOf(place: string): string | null {
  return /^#book\/([a-z0-9]+)\//.exec(place)?.[1] ?? null;
}

/** Names of all locks of this origin; empty if the browser has no locks. */
async function heldLocks(): Promise<ReadonlySet<string>> {
  const all = await globalThis.navigator?.locks?.query().catch(() => null);
  return new Set((all?.held ?? []).flatMap(({ name }) => (name === undefined ? [] : [name])));
}
