/** At most one call per interval: the first at once, later ones together at the interval's end. */

interface Throttled {
  (): void;
  /** Makes the waiting call now. */
  flush(): void;
  cancel(): void;
}

interface Clock {
  now(): number;
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

// Timers, not animation frames: those stop in a hidden tab.
const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

export function throttle(run: () => void, milliseconds: number, clock = systemClock): Throttled {
  let last = -Infinity;
  let timer: unknown = null;
  const fire = () => {
    timer = null;
    last = clock.now();
    run();
  };
  const request = () => {
    if (timer !== null) return;
    const wait = last + milliseconds - clock.now();
    if (wait <= 0) fire();
    else timer = clock.setTimeout(fire, wait);
  };
  const cancel = () => {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  };
  const flush = () => {
    if (timer === null) return;
    cancel();
    fire();
  };
  return Object.assign(request, { flush, cancel });
}
