import { describe, expect, it } from "vitest";
import { connectPort, type WorkerPort } from "../../src/runtime/client.ts";
import type { FromWorker } from "../../src/runtime/protocol.ts";

function setUp() {
  const listeners = new Map<string, (event: Event) => void>();
  const sent: unknown[] = [];
  let terminated = false;
  const port: WorkerPort = {
    postMessage: (message) => void sent.push(message),
    addEventListener: (type, listener) => void listeners.set(type, listener),
    terminate: () => void (terminated = true),
  };
  const heard: FromWorker[] = [];
  const client = connectPort(port, (message) => heard.push(message));
  const emit = (type: string, detail: object) =>
    listeners.get(type)!({ type, ...detail } as unknown as Event);
  return { client, heard, sent, emit, terminated: () => terminated };
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

  it("is silent once closed", () => {
    const { client, heard, emit, terminated } = setUp();
    client.close();
    emit("message", { data: { type: "state", state: "running" } });
    expect(heard).toEqual([]);
    expect(terminated()).toBe(true);
  });
});
