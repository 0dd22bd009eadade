import { describe, expect, it } from "vitest";
import { connectPort, type Locks, type WorkerPort } from "../../src/runtime/client.ts";
import type { FromWorker } from "../../src/runtime/protocol.ts";

/** Locks that another holds until the test says so. */
function fakeLocks() {
  const waiting: (() => void)[] = [];
  const asked: string[] = [];
  const request: Locks["request"] = (name, { signal }, got) => {
    asked.push(name);
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      waiting.push(() => resolve(got()));
    });
  };
  return { request, asked, grant: () => waiting.forEach((grant) => grant()) };
}

function setUp(locking = false) {
  const locks = locking ? fakeLocks() : null;
  const listeners = new Map<string, (event: Event) => void>();
  const sent: unknown[] = [];
  let terminated = false;
  const port: WorkerPort = {
    postMessage: (message) => void sent.push(message),
    addEventListener: (type, listener) => void listeners.set(type, listener),
    terminate: () => void (terminated = true),
  };
  const heard: FromWorker[] = [];
  const client = connectPort(port, (message) => heard.push(message), locks);
  const emit = (type: string, detail: object) =>
    listeners.get(type)!({ type, ...detail } as unknown as Event);
  return { client, heard, locks, sent, emit, terminated: () => terminated };
}

describe("connectPort", () => {
  it("passes messages both ways as they are", () => {
    const { client, heard, sent, emit } = setUp();
    client.send({ type: "pause" });
    emit("message", { data: { type: "state", state: "paused" } });
    expect(sent).toEqual([{ type: "pause" }]);
    expect(heard).toEqual([{ type: "state", state: "paused" }]);
  });

  it.each([
    ["error", { message: "boom" }, "defect", /boom/],
    ["error", {}, "environment", /did not load/],
    ["messageerror", {}, "defect", /lost/],
  ])("turns %s %j into an error (%s) and the failed state", (type, detail, kind, text) => {
    const { heard, emit } = setUp();
    emit(type, detail);
    expect(heard[0]).toMatchObject({
      type: "error",
      kind,
      message: expect.stringMatching(text),
    });
    expect(heard[1]).toEqual({ type: "state", state: "failed" });
  });

  it("learns of the worker's end by the lock that it held, and of nothing after closing", async () => {
    const { heard, sent, emit, locks } = setUp(true);
    const hello = sent[0] as { type: string; lock: string };
    expect(hello.type).toBe("hello");
    expect(locks!.asked).toEqual([]);
    emit("message", { data: { type: "locked" } });
    expect(locks!.asked).toEqual([hello.lock]);
    expect(heard).toEqual([]);
    locks!.grant();
    expect(heard[0]).toMatchObject({ type: "error", retry: true });
    expect(heard[1]).toEqual({ type: "state", state: "failed" });
    const other = setUp(true);
    other.emit("message", { data: { type: "locked" } });
    other.client.close();
    other.locks!.grant();
    await Promise.resolve();
    expect(other.heard).toEqual([]);
  });

  it("is silent once closed", () => {
    const { client, heard, emit, terminated } = setUp();
    client.close();
    emit("message", { data: { type: "state", state: "running" } });
    expect(heard).toEqual([]);
    expect(terminated()).toBe(true);
  });
});
