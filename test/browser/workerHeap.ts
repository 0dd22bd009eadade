/** What a page's worker holds on its JavaScript heap. */
import type { CDPSession, Page } from "playwright-core";

export interface Heap {
  /** Bytes of objects in use. */
  used: number;
  /** Bytes of array buffers, WebAssembly memories among them. */
  buffers: number;
}

/** Collects the garbage of the worker whose script's name matches, and tells what is left. */
export type ReadHeap = () => Promise<Heap>;

/** @throws Error when the page has no such worker. */
export async function watchHeap(page: Page, script: RegExp): Promise<ReadHeap> {
  const cdp = await page.context().newCDPSession(page);
  const workers: string[] = [];
  cdp.on("Target.attachedToTarget", ({ sessionId, targetInfo: { type, url } }) => {
    if (type === "worker" && script.test(url.split("/").at(-1)!)) workers.push(sessionId);
  });
  // Not flat: the worker's answers come through the page's own session, the only one that there is here.
  const options = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
  await cdp.send("Target.setAutoAttach", options);
  const [sessionId] = workers;
  if (sessionId === undefined) throw new Error(`the page has no worker named ${script}`);
  const ask = asking(cdp, sessionId);
  return async () => {
    await ask("HeapProfiler.collectGarbage");
    const usage = await ask("Runtime.getHeapUsage");
    return { used: usage["usedSize"]!, buffers: usage["backingStorageSize"] ?? 0 };
  };
}

interface Answer {
  id: number;
  result?: Record<string, number>;
  error?: { message: string };
}

/** Commands without parameters to one worker. */
function asking(cdp: CDPSession, sessionId: string) {
  let last = 0;
  const waiting = new Map<number, (answer: Answer) => void>();
  cdp.on("Target.receivedMessageFromTarget", (event) => {
    const answer = JSON.parse(event.message) as Answer;
    if (event.sessionId === sessionId) waiting.get(answer.id)?.(answer);
  });
  return async (method: string): Promise<Record<string, number>> => {
    const id = ++last;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    await cdp.send("Target.sendMessageToTarget", {
      sessionId,
      message: JSON.stringify({ id, method, params: {} }),
    });
    const { result, error } = await answered;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result!;
  };
}
