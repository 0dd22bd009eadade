/**
 * Redraws charts one after another: each in its own task, so that the page can respond between two
 * charts. A waiting chart is not queued twice.
 */
import {
  startTransition,
  useCallback,
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";
import { flushSync } from "react-dom";

/** Draws; a promise resolves once that is done. `atOnce`: it is, when this returns. */
type Redraw = (atOnce: boolean) => unknown;

/** Starts the next task; tests pass their own. */
type NextTask = (run: () => void) => void;

// A timer of 0 lets input and painting in between; a message channel would crowd them out.
const timer: NextTask = (run) => void setTimeout(run, 0);

export class RedrawQueue {
  #waiting = new Map<object, Redraw>();
  #running = false;
  #nextTask: NextTask;

  constructor(nextTask: NextTask = timer) {
    this.#nextTask = nextTask;
  }

  /** Queues a chart's redraw; a waiting one keeps its place and is replaced. */
  request(chart: object, redraw: Redraw): void {
    this.#waiting.set(chart, redraw);
    if (this.#running) return;
    this.#running = true;
    this.#nextTask(() => this.#step());
  }

  forget(chart: object): void {
    this.#waiting.delete(chart);
  }

  /** Runs all that wait, now. */
  flush(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const redraw of all) redraw(true);
  }

  #step(): void {
    const next = this.#waiting.entries().next();
    if (next.done) {
      this.#running = false;
      return;
    }
    const [chart, redraw] = next.value;
    this.#waiting.delete(chart);
    let drawn: unknown;
    const goOn = () => this.#nextTask(() => this.#step());
    try {
      drawn = redraw(false);
    } finally {
      if (drawn instanceof Promise) void drawn.then(goOn);
      else goOn();
    }
  }
}

/** Milliseconds after which no frame is expected any more: a tab that was hidden meanwhile has none. */
const NO_FRAME = 500;

/** After the next frame: what was drawn has its layout, too. In a hidden tab no frame comes. */
const frame: NextTask = (run) => {
  let hasCome = false;
  const once = () => {
    if (hasCome) return;
    hasCome = true;
    timer(run);
  };
  if (!document.hidden) requestAnimationFrame(once);
  setTimeout(once, document.hidden ? 0 : NO_FRAME);
};

/** One queue for the whole page, and one of what is drawn for the first time. */
const queue = new RedrawQueue();
const firsts = new RedrawQueue(frame);

/**
 * A component's place in the queue: pass it the newest redraw, or null to cancel it. A redraw
 * requested while the last one still waits replaces it in its place, so that new values cannot
 * delay a chart; unmounting cancels it.
 */
export function useOwnPlace(of = queue): (redraw: Redraw | null) => void {
  const [own] = useState(() => ({}));
  useEffect(() => () => of.forget(own), [of, own]);
  return useCallback(
    (redraw: Redraw | null) => (redraw ? of.request(own, redraw) : of.forget(own)),
    [of, own],
  );
}

/**
 * Whether a part that is `wanted` may be drawn for the first time: of many that come at once, the next is drawn a frame after
 * one is. React draws it in slices, and its effects in a task of their own.
 */
export function useTurn(wanted: boolean): boolean {
  const [hasCome, setHasCome] = useState(false);
  const end = useRef<(() => void) | null>(null);
  const ask = useOwnPlace(firsts);
  useEffect(() => {
    const come = (atOnce: boolean) => {
      if (atOnce) return setHasCome(true);
      startTransition(() => setHasCome(true));
      return new Promise<void>((resolve) => {
        end.current = resolve;
        setTimeout(resolve, NO_FRAME);
      });
    };
    if (wanted && !hasCome) ask(come);
    if (hasCome) end.current?.();
    return () => ask(null);
  }, [ask, wanted, hasCome]);
  useEffect(() => () => end.current?.(), []);
  return hasCome;
}

/** Content that is drawn when its turn comes. */
export function InTurn({ children }: { children: ReactNode }): ReactNode {
  return useTurn(true) ? children : null;
}

type DrawnPlace = RefObject<HTMLDivElement | null>;

/** A value, and its subject: a run, for instance. */
export interface Drawn<T> {
  value: T;
  of: unknown;
}

/**
 * The value as a chart should draw it: it follows `value` one task at a time, and only while the
 * element is on screen; an element that comes into view catches up, and if its subject (`of`) has
 * changed it is covered until then. The first value is shown at once.
 */
export function useRedraw<T>(
  value: T,
  of: unknown,
): { ref: DrawnPlace; shown: T; visible: boolean } {
  const { ref, drawn, visible } = useDrawn(value, of);
  useCover(ref, visible, drawn.of !== of);
  return { ref, shown: drawn.value, visible };
}

/** The same for components that compute something from the value before it is shown, and cover the element until that is done. */
export function useDrawn<T>(
  value: T,
  of: unknown,
): { ref: DrawnPlace; drawn: Drawn<T>; visible: boolean } {
  const ref = useRef<HTMLDivElement>(null);
  const visible = useInView(ref);
  const [drawn, setDrawn] = useState({ value, of });
  const ask = useOwnPlace();
  useEffect(() => {
    const draw = () =>
      setDrawn((last) => (last.value === value && last.of === of ? last : { value, of }));
    ask(visible ? draw : null);
  }, [ask, value, of, visible]);
  return { ref, drawn, visible };
}

/**
 * Hides what is outdated and off screen until it is updated. It keeps its space and the focus; what
 * becomes outdated on screen stays, since it is about to change.
 */
export function useCover(ref: DrawnPlace, visible: boolean, isOld: boolean): void {
  useEffect(() => {
    if (!isOld) cover(ref.current, false);
    else if (!visible) cover(ref.current, true);
  }, [ref, visible, isOld]);
}

function cover(element: HTMLElement | null, isCovered: boolean): void {
  if (!element || element.hasAttribute("data-covered") === isCovered) return;
  element.toggleAttribute("data-covered", isCovered);
  element.ariaBusy = isCovered ? "true" : null;
}

/** For printing everything is drawn, also below the fold, since pages are filled by the heights of their parts. */
export const ON_PAPER = "data-on-paper";

/** Whether the element is on screen, or nearly. */
function useInView(ref: DrawnPlace): boolean {
  const [visible, setVisible] = useState(true);
  useEffect(() => {
    const element = ref.current;
    if (!element || typeof IntersectionObserver === "undefined") return;
    const isPaper = element.closest(`[${ON_PAPER}]`) !== null;
    const observer = new IntersectionObserver(
      (entries) => setVisible(entries.at(-1)!.isIntersecting),
      // A little early, so that it is drawn before it is scrolled into view.
      { rootMargin: "100px" },
    );
    if (!isPaper) observer.observe(element);
    // For printing everything counts as visible: elements request their redraw, which then must not
    // wait.
    const print = () => {
      flushSync(() => setVisible(true));
      flushSync(() => firsts.flush());
      flushSync(() => queue.flush());
    };
    window.addEventListener("beforeprint", print);
    return () => {
      observer.disconnect();
      window.removeEventListener("beforeprint", print);
    };
  }, [ref]);
  return visible;
}
