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

export function claimNotebook(id: string, events: ClaimEvents): Claim {
  const name = `turnbook-notebook-${id}`;
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

/** Takes a kept run for this tab. Null: another tab has it; else what gives it back. */
export async function claimRun(id: string): Promise<(() => void) | null> {
  const { locks } = globalThis.navigator ?? {};
  if (!locks) return () => {};
  return new Promise((resolve) => {
    locks
      .request(`turnbook-run-${id}`, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise<void>((release) => resolve(() => release()));
      })
      // A sandboxed frame without locks.
      .catch(() => resolve(() => {}));
  });
}
