/** A part of the page that is loaded when first shown, or before; retried if it fails. */
import { PartError, withFiles } from "./partFiles.ts";

export type PartState<T> =
  | { state: "waiting" }
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; why: string };

export interface Part<T> {
  /** Name of its chunk, if it has one alone: the file's name without its extension. */
  name: string;
  get(): PartState<T>;
  subscribe(listener: () => void): () => void;
  /** Loads it unless it is loaded or loading; also after a failure. */
  load(): void;
  /** A single silent attempt in advance; resolves to whether the part is loaded. */
  warm(): Promise<boolean>;
}

interface PartIo {
  /** Calls `load` once every file of the part is available. @throws PartError */
  withFiles: <T>(chunks: readonly string[], use: () => Promise<T>) => Promise<T>;
  pause: (ms: number) => Promise<void>;
}

/** Milliseconds before each retry. */
export const PAUSES = [300, 900, 2700] as const;

const pageIo: PartIo = {
  withFiles,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

const all: Part<unknown>[] = [];

/** Every part so far: a loaded one may register more. */
export const parts: readonly Part<unknown>[] = all;

export function createPart<T>(
  name: string,
  importIt: () => Promise<T>,
  { withFiles, pause }: PartIo = pageIo,
  chunks: readonly string[] = [name],
): Part<T> {
  let now: PartState<T> = { state: "waiting" };
  const listeners = new Set<() => void>();
  const become = (next: PartState<T>) => {
    now = next;
    for (const listener of [...listeners]) listener();
  };
  /** Firefox never requests a module again after it failed once, so its files are fetched first. */
  const tryOnce = async () => {
    const value = await withFiles(chunks, importIt);
    if (now.state !== "ready") become({ state: "ready", value });
  };
  /** The current attempt: concurrent callers share it. */
  let trying: Promise<void> | null = null;
  const attempt = () => (trying ??= tryOnce().finally(() => (trying = null)));
  const persist = async () => {
    for (const ms of PAUSES) {
      try {
        return await attempt();
      } catch {
        await pause(ms);
      }
    }
    return attempt();
  };
  const part: Part<T> = {
    name,
    get: () => now,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load: () => {
      if (now.state === "ready" || now.state === "loading") return;
      become({ state: "loading" });
      persist().catch((error: unknown) => {
        if (now.state !== "ready") become({ state: "failed", why: reasonOf(error) });
      });
    },
    warm: async () => {
      if (now.state !== "ready") await attempt().catch(() => {});
      return now.state === "ready";
    },
  };
  all.push(part);
  return part;
}

function reasonOf(error: unknown): string {
  return error instanceof PartError ? error.message : new PartError("broken").message;
}

/** Once online again, failed parts are retried automatically. */
export function retryWhenOnline(target: Pick<EventTarget, "addEventListener">): void {
  target.addEventListener("online", () => {
    for (const part of all) if (part.get().state === "failed") part.load();
  });
}
