/**
 * What WebGPU reports on the side: tfjs listens to none of it, and computes on with zeros after an error. The
 * first report is kept and thrown at the next use of the engine.
 */
import { EngineError } from "../errors.ts";

let failure: EngineError | null = null;

export function watchDevice(device: GPUDevice): void {
  device.addEventListener("uncapturederror", (event) => {
    event.preventDefault(); // reported by us, not on the console as well
    failure ??= toEngineError(event.error);
  });
  void device.lost.then(({ reason, message }) => {
    if (reason === "destroyed") return; // by our own hand
    failure ??= new EngineError(
      "device-lost",
      `the graphics device was lost (${firstLine(message)}); reload the page or use the wasm backend`,
    );
  });
}

function toEngineError(error: GPUError): EngineError {
  const outOfMemory = error.constructor.name === "GPUOutOfMemoryError";
  const advice = outOfMemory ? "use a smaller model or batch" : "use the wasm backend";
  const kind = outOfMemory ? "out-of-memory" : "backend-failed";
  return new EngineError(kind, `WebGPU: ${firstLine(error.message)}; ${advice}`);
}

const firstLine = (text: string) => text.split("\n")[0]!.slice(0, 200);

/** Throws what WebGPU has reported since the engine started, if anything. */
export function checkDevice(): void {
  if (failure) throw failure;
}
