/**
 * WebGPU in Node without a busy loop. While anything is pending, Dawn asks for its events by `setImmediate` again and again,
 * which keeps one core busy beside the one that compiles a kernel: here it asks once a millisecond, once it has waited a while.
 */

/** What is soon there is not waited for, in milliseconds. */
const EAGER = 3;

/** Dawn's callback: of native code, and without a name. */
function isNative(callback: (...given: unknown[]) => void): boolean {
  return (
    callback.name === "" && Function.prototype.toString.call(callback).includes("[native code]")
  );
}

let isPaced = false;

/** Once a process; every other caller of `setImmediate` gets what it asks for. */
export function paceEvents(): void {
  if (isPaced) return;
  isPaced = true;
  const plain = globalThis.setImmediate;
  const delayed = globalThis.setTimeout;
  let began = 0;
  let isAsking = false;
  /** Asks for the events; asked for again meanwhile, the wait goes on. */
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
