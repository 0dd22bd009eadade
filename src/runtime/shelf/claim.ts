/** One tab writes a notebook, and one has a run; the others follow. Without locks in the browser, every tab does. */

interface Claim {
  /** Says to the other tabs that the notebook has changed. */
  changed(): void;
  end(): void;
}

interface ClaimEvents {
  /** Whether this tab may write; called at once, and again when the tab that wrote is gone. */
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
      // Ended while it waited, or a sandboxed frame without locks.
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
 * Takes a kept run for this tab. Null: another tab has it; else what gives it back.
 * @param patience milliseconds to wait for who has it, such as the page before a reload, which may still be ending.
 */
export function claimRun(id: string, patience = 0): Promise<(() => void) | null> {
  return takeLock(runLock(id), patience);
}

/** Null where another tab has it, or nobody has given it back in time. @param patience milliseconds. */
export async function takeLock(name: string, patience: number): Promise<(() => void) | null> {
  const { locks } = globalThis.navigator ?? {};
  if (!locks) return () => {};
  const signal = patience > 0 ? AbortSignal.timeout(patience) : null;
  return new Promise((resolve) => {
    locks
      .request(name, signal ? { signal } : { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise<void>((release) => resolve(() => release()));
      })
      // It has waited long enough; or a sandboxed frame without locks.
      .catch(() => resolve(signal?.aborted ? null : () => {}));
  });
}

/** Of runs, newest first, those that some tab has, and the newest of every experiment whose notebook is open in some tab. Their ids. */
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

/** Whether some tab, this one included, has the notebook to write. */
export async function isClaimed(id: string): Promise<boolean> {
  return (await heldLocks()).has(notebookLock(id));
}

/** Id of the kept notebook that a run's place is in; null where it is in none. */
export function notebookOf(place: string): string | null {
  return /^#book\/([a-z0-9]+)\//.exec(place)?.[1] ?? null;
}

/** Names of all locks of this origin; none where the browser has no locks. */
export async function heldLocks(): Promise<ReadonlySet<string>> {
  const all = await globalThis.navigator?.locks?.query().catch(() => null);
  return new Set((all?.held ?? []).flatMap(({ name }) => (name === undefined ? [] : [name])));
}
