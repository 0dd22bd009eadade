/** One tab writes a notebook, and one tab has a run; the others follow. If the browser has no locks, every tab writes. */

interface Claim {
  /** Notifies the other tabs that the notebook has changed. */
  changed(): void;
  end(): void;
}

interface ClaimEvents {
  /** Whether this tab may write; called at once, and again when the writing tab is gone. */
  onTurn(mine: boolean): void;
  /** Another tab has changed the notebook. */
  onChange(): void;
}

const notebookLock = (id: string) => `turnbook-notebook-${id}`;
const runLock = (id: string) => `turnbook-run-${id}`;

export function claimNotebook(id: string, events: ClaimEvents): Claim {
  const name = notebookLock(id);
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
  channel?.addEventListener("message", () => events.onChange());
  let release = () => {};
  const hold = () => new Promise<void>((resolve) => (release = resolve));
  const { locks } = globalThis.navigator ?? {};
  const ended = new AbortController();
  if (!locks) events.onTurn(true);
  else
    void locks
      .request(name, { ifAvailable: true }, (lock) => {
        events.onTurn(lock !== null);
        return lock ? hold() : WAIT;
      })
      .then((answer) => {
        if (answer !== WAIT || ended.signal.aborted) return undefined;
        return locks.request(name, { signal: ended.signal }, () => {
          events.onTurn(true);
          return hold();
        });
      })
      // Ended while waiting, or a sandboxed frame without locks.
      .catch(() => ended.signal.aborted || events.onTurn(true));
  return {
    changed: () => channel?.postMessage("changed"),
    end: () => {
      ended.abort();
      release();
      channel?.close();
    },
  };
}

const WAIT = "wait" as const;

/**
 * Claims a stored run for this tab. Null: another tab has it; else a function that releases it.
 * @param timeLimit milliseconds to wait for the holder, such as the page before a reload, which may
 * still be closing.
 */
export function claimRun(id: string, timeLimit = 0): Promise<(() => void) | null> {
  return takeLock(runLock(id), timeLimit);
}

/** Null if another tab has it and does not release it in time. @param timeLimit milliseconds. */
export async function takeLock(name: string, timeLimit: number): Promise<(() => void) | null> {
  const { locks } = globalThis.navigator ?? {};
  if (!locks) return () => {};
  const signal = timeLimit > 0 ? AbortSignal.timeout(timeLimit) : null;
  return new Promise((resolve) => {
    locks
      .request(name, signal ? { signal } : { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise<void>((release) => resolve(() => release()));
      })
      // The wait timed out; or a sandboxed frame without locks.
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
export async function heldLocks(): Promise<ReadonlySet<string>> {
  const all = await globalThis.navigator?.locks?.query().catch(() => null);
  return new Set((all?.held ?? []).flatMap(({ name }) => (name === undefined ? [] : [name])));
}
