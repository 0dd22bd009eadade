/** Cancelling an import ends its worker in the same turn of the event loop, however long the worker's task is. */
import { afterEach, expect, test, vi } from "vitest";
import { readInWorker } from "../../src/store/importFiles.ts";

afterEach(() => vi.unstubAllGlobals());

test("cancelling ends the worker at once, and what it had sent changes nothing", () => {
  const terminate = vi.fn();
  let tell: ((message: { data: unknown }) => void) | undefined;
  const worker = {
    addEventListener: (type: string, listener: typeof tell) => {
      if (type === "message") tell = listener;
    },
    ...{ postMessage: vi.fn(), terminate },
  };
  vi.stubGlobal(
    "Worker",
    class {
      constructor() {
        return worker;
      }
    },
  );
  const listener = { onRead: vi.fn(), onChecked: vi.fn(), onRefused: vi.fn() };
  const cancel = readInWorker([new File(["{}"], "run.jsonl")], listener);
  tell!({ data: { type: "events", events: [] } });
  const before = performance.now();
  cancel();
  expect(performance.now() - before).toBeLessThan(200);
  expect(terminate).toHaveBeenCalledOnce();
  expect(listener.onRead).not.toHaveBeenCalled();
});
