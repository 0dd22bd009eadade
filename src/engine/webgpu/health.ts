/**
 * What WebGPU reports on the side while one engine uses a device that others may use too: the first report is kept and
 * thrown at the engine's next use, since after an error everything computes on with zeros.
 */
import { EngineError } from "../errors.ts";

const SCOPES = ["validation", "out-of-memory", "internal"] as const;

/** A device that makes no progress at so many looks, so many milliseconds apart, is taken to be gone. Sleep counts as one. */
const LOOKS = 12;
const LOOK_MS = 10_000;

export class DeviceHealth {
  #failure: EngineError | null = null;
  /** Submits that have ended, and kernels that are compiled. */
  #ended = 0;
  /** Rejects when the device is lost, unless by our own hand. */
  readonly #gone: Promise<never>;
  /** Resolves when all guarded calls so far have been judged. */
  #judged: Promise<unknown> = Promise.resolve();
  readonly #listener = (event: GPUUncapturedErrorEvent) => {
    event.preventDefault(); // reported by us, not on the console as well
    this.#failure ??= toEngineError(event.error);
  };
  readonly #device: GPUDevice;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#gone = new Promise((_, reject) => {
      void device.lost.then(({ reason, message }) => {
        if (reason !== "destroyed") reject(this.#fail(`was lost (${firstLine(message)})`)); // else by our own hand
      });
    });
    this.#gone.catch(() => undefined); // who waits learns of it, and who asks later
  }

  /** For a library whose calls cannot be guarded: what nobody else's guard has caught is taken to be its own. */
  listen(): this {
    this.#device.addEventListener("uncapturederror", this.#listener);
    return this;
  }

  /** Makes calls to the device; what they do wrong is this engine's and nobody else's. */
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
      // A device that is gone judges nothing any more; its loss is reported instead.
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
   * What the device answers, waited for as long as its work goes on.
   * @throws EngineError "device-lost" when it is lost meanwhile, or stands still.
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

  /** The same, once all guarded calls so far have been judged: a judgement may fail to come, as any answer of the device. */
  async settle(): Promise<void> {
    await this.answer(this.#judged);
    this.check();
  }

  /** Stops listening: what the next engine does wrong is its own. */
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
