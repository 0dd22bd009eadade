/**
 * Redraws one after another: each in a task of its own, so that the page can answer between two charts, and
 * a chart that waits already is not queued twice.
 */
import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

type Redraw = () => void;

/** Starts the next task; tests pass their own. */
export type NextTask = (run: () => void) => void;

// A timer of 0 lets input and painting in between; a message channel would crowd them out.
const timer: NextTask = (run) => void setTimeout(run, 0);

export class RedrawQueue {
  #waiting = new Map<object, Redraw>();
  #running = false;
  #nextTask: NextTask;

  constructor(nextTask: NextTask = timer) {
    this.#nextTask = nextTask;
  }

  /** Queues a chart's redraw; one that waits keeps its place and is replaced. */
  request(chart: object, redraw: Redraw): void {
    this.#waiting.set(chart, redraw);
    if (this.#running) return;
    this.#running = true;
    this.#nextTask(() => this.#step());
  }

  forget(chart: object): void {
    this.#waiting.delete(chart);
  }

  #step(): void {
    const next = this.#waiting.entries().next();
    if (next.done) {
      this.#running = false;
      return;
    }
    const [chart, redraw] = next.value;
    this.#waiting.delete(chart);
    try {
      redraw();
    } finally {
      this.#nextTask(() => this.#step());
    }
  }
}

/** One queue for the whole page. */
const queue = new RedrawQueue();

/**
 * A place of one's own in the queue: pass it the newest redraw, or null to call it off. What is asked while the last
 * one still waits replaces that where it stands, so that new values cannot push a chart back; unmounting calls it off.
 */
export function useOwnPlace(): (redraw: Redraw | null) => void {
  const [own] = useState(() => ({}));
  useEffect(() => () => queue.forget(own), [own]);
  return useCallback(
    (redraw: Redraw | null) => (redraw ? queue.request(own, redraw) : queue.forget(own)),
    [own],
  );
}

/**
 * The value as a chart should draw it: it follows `value` one task at a time, and only while the element is
 * on screen; what comes into view catches up. The first value is shown at once.
 */
export function useRedraw<T>(value: T): {
  ref: RefObject<HTMLDivElement | null>;
  shown: T;
  visible: boolean;
} {
  const ref = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(value);
  const [visible, setVisible] = useState(true);
  useEffect(() => {
    const element = ref.current;
    if (!element || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      (entries) => setVisible(entries.at(-1)!.isIntersecting),
      // A little early, so that scrolling finds it drawn.
      { rootMargin: "100px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const ask = useOwnPlace();
  useEffect(() => ask(visible ? () => setShown(() => value) : null), [ask, value, visible]);
  return { ref, shown, visible };
}
