/**
 * WebGPU's error reports while one engine uses a device that others may share: the first report is
 * kept and thrown at the engine's next use, since after an error all further computation gives
 * zeros.
 */
import { EngineError } from "../errors.ts";

const SCOPES = ["validation", "out-of-memory", "internal"] as const;

/** A device without progress in this many checks, this many milliseconds apart, counts as lost. A sleep counts as one check. */
const LOOKS = 12;
const LOOK_MS = 10_000;

export class DeviceHealth {
  #failure: EngineError | null = null;
  /** Submits that have ended, and kernels that are compiled. */
  #ended = 0;
  /** Rejects if the device is lost, unless we destroyed it. */
  readonly #gone: Promise<never>;
  /** Resolves when all guarded calls so far have been checked. */
  #judged: Promise<unknown> = Promise.resolve();
  readonly #listener = (event: GPUUncapturedErrorEvent) => {
    event.preventDefault(); // reported here, so not on the console as well
    this.#failure ??= toEngineError(event.error);
  };
  readonly #device: GPUDevice;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#gone = new Promise((_, reject) => {
      void device.lost.then(({ reason, message }) => {
        if (reason !== "destroyed") reject(this.#fail(`was lost (${firstLine(message)})`)); // otherwise we destroyed it
      });
    });
    this.#gone.catch(() => undefined); // both current and later waiters get the error
  }

  /** For a library whose calls cannot be guarded: errors that no other guard has caught count as its own. */
  listen(): this {
    this.#device.addEventListener("uncapturederror", this.#listener);
    return this;
  }

  /** Makes calls to the device; their errors belong to this engine alone. */
  guard<T>(calls: () => T): T {
    for (const scope of SCOPES) this.#device.pushErrorScope(scope);
    try {
      return calls();
    } finally {
      const popped = SCOPES.map(() => this.#device.popErrorScope());
      const judge = (errors: (GPUError | null)[]) => {
        const error = errors.find((one) => one !== null);
        if (error) this.#failure ??= toEngineError(error);
      };
      // A lost device checks nothing any more; its loss is reported instead.
      const verdict = Promise.all(popped).then(judge, () => undefined);
      this.#judged = Promise.all([this.#judged, verdict]);
    }
  }

  #fail(what: string): EngineError {
    const advice = "reload the page or use the wasm backend";
    return (this.#failure ??= new EngineError(
      "device-lost",
      `the graphics device ${what}; ${advice}`,
    ));
  }

  /** A submit has ended, or a kernel is compiled. */
  progress(): void {
    this.#ended++;
  }

  /**
   * Awaits an answer of the device as long as its work makes progress.
   * @throws EngineError "device-lost" if it is lost in the meantime, or makes no progress.
   */
  async answer<T>(answer: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setInterval> | undefined;
    const seconds = (LOOKS * LOOK_MS) / 1000;
    const silence = new Promise<never>((_, reject) => {
      let [ended, looks] = [this.#ended, 0];
      timer = setInterval(() => {
        looks = ended === this.#ended ? looks + 1 : 0;
        ended = this.#ended;
        if (looks >= LOOKS) reject(this.#fail(`has not answered for ${seconds} seconds`));
      }, LOOK_MS);
    });
    try {
      return await Promise.race([answer, this.#gone, silence]);
    } finally {
      clearInterval(timer);
    }
  }

  /** Throws what the device has reported so far, if anything. */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  /** The same, once all guarded calls so far have been checked: the check itself may fail, like any answer of the device. */
  async settle(): Promise<void> {
    await this.answer(this.#judged);
    this.check();
  }

  /** Stops listening: the next engine's errors are its own. */
  dispose(): void {
    this.#device.removeEventListener("uncapturederror", this.#listener);
  }
}

function toEngineError(error: GPUError): EngineError {
  const outOfMemory = error.constructor.name === "GPUOutOfMemoryError";
  const advice = outOfMemory ? "use a smaller model or batch" : "use the wasm backend";
  const kind = outOfMemory ? "out-of-memory" : "backend-failed";
  return new EngineError(kind, `WebGPU: ${firstLine(error.message)}; ${advice}`);
}

const firstLine = (text: string) => text.split("\n")[0]!.slice(0, 200);
