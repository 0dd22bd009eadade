import { expect, test } from "vitest";
import { EngineError, NotFiniteError } from "../../src/engine/errors.ts";
import { AssetError, describeError } from "../../src/runtime/errors.ts";
import { predictEngine } from "../../src/runtime/outlook.ts";

function browserWith(adapter: Partial<GPUAdapterInfo> | null): GPU {
  const requestAdapter = () => Promise.resolve(adapter && { info: adapter });
  return { requestAdapter } as unknown as GPU;
}

test("a graphics card is named, and will be used", async () => {
  const gpu = browserWith({ vendor: "nvidia", architecture: "ada", device: "", description: "" });
  expect(await predictEngine(gpu)).toEqual({ backend: "webgpu", adapter: "nvidia ada", why: null });
});

test("without WebGPU, an adapter or real hardware it says why WebAssembly will be used", async () => {
  expect((await predictEngine(undefined)).why).toBe("This browser offers no WebGPU.");
  expect((await predictEngine(browserWith(null))).why).toBe("WebGPU found no graphics adapter.");
  const failing = { requestAdapter: () => Promise.reject(new Error("blocked")) };
  expect((await predictEngine(failing as unknown as GPU)).backend).toBe("wasm");
  const software = await predictEngine(
    browserWith({ vendor: "google", architecture: "swiftshader" }),
  );
  expect(software).toMatchObject({ backend: "wasm", adapter: null });
  expect(software.why).toContain("software");
});

test("numbers that are not finite are the learning's fault, a missing file the connection's", () => {
  expect(describeError(new NotFiniteError("the logits are not finite (NaN)"))).toMatchObject({
    kind: "learning",
    message: "The logits are not finite (NaN).",
  });
  expect(describeError(new AssetError("gone")).kind).toBe("environment");
  expect(describeError(new TypeError("x is undefined")).kind).toBe("defect");
});

test("no advice names what has just failed", () => {
  const dead = new EngineError("backend-failed", "a worker of the engine has stopped");
  expect(describeError(dead, "webgpu").action).toContain("wasm runs everywhere");
  expect(describeError(dead, "wasm").action).not.toContain("wasm");
  expect(describeError(dead, "wasm").action).toContain("cpu backend");
  expect(describeError(dead, "cpu").action).not.toContain("backend");
  expect(describeError(dead).action).not.toContain("backend");
});
