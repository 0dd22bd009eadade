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
      expect(recovery.next(LOST, events, "webgpu")).toEqual({ engine: undefined, changed: null });
  });

  it("changes to WebAssembly after two failures without progress, and stops after three", () => {
    const recovery = new Recovery();
    expect(recovery.next(LOST, 5, "webgpu")).toEqual({ engine: undefined, changed: null });
    expect(recovery.next(LOST, 5, "webgpu")).toEqual({ engine: WASM, changed: "failedTwice" });
    expect(recovery.next(LOST, 5, "wasm")).toBeNull();
    expect(recovery.gaveUp).toBe(true);
  });

  it("stays on WebAssembly once it is there", () => {
    const recovery = new Recovery();
    recovery.next(LOST, 5, "webgpu");
    recovery.next(LOST, 5, "webgpu");
    expect(recovery.next(LOST, 9, "wasm")).toEqual({ engine: WASM, changed: null });
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
    expect(recovery.next(missing, 5, "webgpu")).toEqual({ engine: WASM, changed: "failedTwice" });
  });

  const GONE: Failure = { ...failure("environment", false), cardGone: true };

  it("goes to WebAssembly at once where the card of a run that has begun does not come back", () => {
    const lost = new Recovery();
    lost.next(LOST, 5, "webgpu");
    expect(lost.next(GONE, 5, "webgpu")).toEqual({ engine: WASM, changed: "cardGone" });
    // Taken up from a file, or after its page was closed: no engine has started yet.
    expect(new Recovery().next(GONE, 5, null)).toEqual({ engine: WASM, changed: "cardGone" });
    // Lost three times at one place: the engine has not changed yet.
    const often = new Recovery();
    for (let i = 0; i < 2; i++) often.next(LOST, 5, "wasm");
    expect(often.next(GONE, 5, "webgpu")).toEqual({ engine: WASM, changed: "cardGone" });
  });

  it("leaves a run that has not begun to the reader, and does not change twice", () => {
    expect(new Recovery().next(GONE, 0, null)).toBeNull();
    const recovery = new Recovery();
    recovery.next(GONE, 5, null);
    expect(recovery.next(LOST, 5, "wasm")).toEqual({ engine: WASM, changed: null });
    expect(recovery.next(LOST, 5, "wasm")).toBeNull();
  });
});
