/**
 * WebGPU in Node without a busy loop. While anything is pending, Dawn polls its events by
 * `setImmediate` again and again, which keeps one core busy while another compiles a kernel: this
 * polls once per millisecond after an initial period.
 */

/** Initial period without waiting, in milliseconds. */
const EAGER = 3;

/** Recognises Dawn's callback: native code, and without a name. */
function isNative(callback: (...given: unknown[]) => void): boolean {
  return (
    callback.name === "" && Function.prototype.toString.call(callback).includes("[native code]")
  );
}

let isPaced = false;

/** Once per process; other callers of `setImmediate` are not affected. */
export function paceEvents(): void {
  if (isPaced) return;
  isPaced = true;
  const plain = globalThis.setImmediate;
  const delayed = globalThis.setTimeout;
  let began = 0;
  let isAsking = false;
  /** Polls the events; a repeated request continues the wait. */
  const ask = (callback: () => void) => {
    isAsking = true;
    try {
      callback();
    } finally {
      isAsking = false;
    }
  };
  const paced = (callback: () => void, ...given: []) => {
    if (!isNative(callback)) return plain(callback, ...given);
    const now = performance.now();
    if (!isAsking) began = now;
    return now - began < EAGER ? plain(ask, callback) : delayed(ask, 1, callback);
  };
  globalThis.setImmediate = Object.assign(paced, plain) as typeof setImmediate;
}
