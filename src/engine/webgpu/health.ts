/**
 * What WebGPU reports on the side while one engine uses a device: the first report is kept and thrown at the engine's
 * next use. Nobody else listens, and after an error everything computes on with zeros.
 */
import { EngineError } from "../errors.ts";

export class DeviceHealth {
  private failure: EngineError | null = null;
  private readonly listener = (event: GPUUncapturedErrorEvent) => {
    event.preventDefault(); // reported by us, not on the console as well
    this.failure ??= toEngineError(event.error);
  };

  constructor(private readonly device: GPUDevice) {
    device.addEventListener("uncapturederror", this.listener);
    void device.lost.then(({ reason, message }) => {
      if (reason === "destroyed") return; // by our own hand
      this.failure ??= new EngineError(
        "device-lost",
        `the graphics device was lost (${firstLine(message)}); reload the page or use the wasm backend`,
      );
    });
  }

  /** Throws what the device has reported so far, if anything. */
  check(): void {
    if (this.failure) throw this.failure;
  }

  /** Stops listening: what the next engine does wrong is its own. */
  dispose(): void {
    this.device.removeEventListener("uncapturederror", this.listener);
  }
}

function toEngineError(error: GPUError): EngineError {
  const outOfMemory = error.constructor.name === "GPUOutOfMemoryError";
  const advice = outOfMemory ? "use a smaller model or batch" : "use the wasm backend";
  const kind = outOfMemory ? "out-of-memory" : "backend-failed";
  return new EngineError(kind, `WebGPU: ${firstLine(error.message)}; ${advice}`);
}

const firstLine = (text: string) => text.split("\n")[0]!.slice(0, 200);
