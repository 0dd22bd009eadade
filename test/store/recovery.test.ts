import { describe, expect, it } from "vitest";
import { Recovery, type Failure } from "../../src/store/recovery.ts";

const failure = (kind: Failure["kind"], retry?: boolean): Failure => ({
  ...{ type: "error", kind, message: "It failed.", action: "" },
  ...(retry !== undefined && { retry }),
});
const LOST = failure("environment", true);
const WASM = { name: "wasm", backend: "wasm" };

describe("Recovery", () => {
  it("begins again as often as the run gets further", () => {
    const recovery = new Recovery();
    for (let events = 3; events < 40; events += 3)
      expect(recovery.next(LOST, events, "webgpu")).toEqual({ engine: undefined, changed: false });
  });

  it("changes to WebAssembly after two failures without progress, and stops after three", () => {
    const recovery = new Recovery();
    expect(recovery.next(LOST, 5, "webgpu")).toEqual({ engine: undefined, changed: false });
    expect(recovery.next(LOST, 5, "webgpu")).toEqual({ engine: WASM, changed: true });
    expect(recovery.next(LOST, 5, "wasm")).toBeNull();
    expect(recovery.gaveUp).toBe(true);
  });

  it("stays on WebAssembly once it is there", () => {
    const recovery = new Recovery();
    recovery.next(LOST, 5, "webgpu");
    recovery.next(LOST, 5, "webgpu");
    expect(recovery.next(LOST, 9, "wasm")).toEqual({ engine: WASM, changed: false });
  });

  it.each(["input", "learning", "environment", "defect"] as const)(
    "does not repeat a run that ended by its own fault (%s)",
    (kind) => {
      const recovery = new Recovery();
      expect(recovery.next(failure(kind, false), 5, "wasm")).toBeNull();
      expect(recovery.gaveUp).toBe(false);
    },
  );

  it("takes a missing adapter for one more failure once it is recovering, as after a GPU process that was killed", () => {
    const recovery = new Recovery();
    recovery.next(LOST, 5, "webgpu");
    const missing = failure("environment", false);
    expect(recovery.next(missing, 5, "webgpu")).toEqual({ engine: WASM, changed: true });
  });
});
