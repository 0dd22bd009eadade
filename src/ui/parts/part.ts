/** A part of the page that is loaded when it is first shown, or before: tried again where it does not come. */
import { PartError, withFiles } from "./partFiles.ts";

export type PartState<T> =
  | { state: "waiting" }
  | { state: "loading" }
  | { state: "ready"; value: T }
  | { state: "failed"; why: string };

export interface Part<T> {
  /** Name of its chunk: the file's name without its ending. */
  name: string;
  get(): PartState<T>;
  subscribe(listener: () => void): () => void;
  /** Loads it unless it is there or on its way; also once it has failed. */
  load(): void;
  /** One try beforehand, of which nobody hears when it fails; resolves to whether the part is there. */
  warm(): Promise<boolean>;
}

interface PartIo {
  /** Calls `load` once every file of the part can be had. @throws PartError */
  withFiles: <T>(name: string, use: () => Promise<T>) => Promise<T>;
  pause: (ms: number) => Promise<void>;
}

/** Milliseconds before each further try. */
export const PAUSES = [300, 900, 2700] as const;

const pageIo: PartIo = {
  withFiles,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

const all: Part<unknown>[] = [];

/** Every part so far: one that is loaded may bring parts of its own. */
export const parts: readonly Part<unknown>[] = all;

export function createPart<T>(
  name: string,
  importIt: () => Promise<T>,
  { withFiles, pause }: PartIo = pageIo,
): Part<T> {
  let now: PartState<T> = { state: "waiting" };
  const listeners = new Set<() => void>();
  const become = (next: PartState<T>) => {
    now = next;
    for (const listener of [...listeners]) listener();
  };
  /** Firefox never asks again for a module that once did not come, so that one makes sure before. */
  const tryOnce = async () => {
    const value = await withFiles(name, importIt);
    if (now.state !== "ready") become({ state: "ready", value });
  };
  /** The try that is under way: who asks meanwhile waits for the same. */
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

/** Back on the network, what failed comes by itself. */
export function retryWhenOnline(target: Pick<EventTarget, "addEventListener">): void {
  target.addEventListener("online", () => {
    for (const part of all) if (part.get().state === "failed") part.load();
  });
}
