/** Cells of the page that run an experiment, and which of them is in view: the run bar belongs to that one. */
import { createStore } from "zustand/vanilla";
import type { ExperimentHandle } from "../../store/hooks.ts";

interface RunCell {
  element: Element;
  experiment: ExperimentHandle;
}

/** On the page now, in no order. */
const cells = new Set<RunCell>();

/** The experiment in view: that of the cell with the largest visible part, or else the last one; null on a page without. */
export const inView = createStore<{ of: ExperimentHandle | null }>(() => ({ of: null }));

/** Registers a cell as long as it is on the page; returns the function that removes it. */
export function noteRunCell(element: Element, experiment: ExperimentHandle): () => void {
  const cell = { element, experiment };
  if (cells.size === 0) listen();
  cells.add(cell);
  measureSoon();
  return () => {
    cells.delete(cell);
    if (cells.size === 0) stopListening();
    measureSoon();
  };
}

let isDue = false;

/** Once for simultaneous changes. */
function measureSoon(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    measure();
  });
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Milliseconds after a scroll: the bar waits until scrolling has stopped. */
const SETTLED = 120;

function moved(): void {
  clearTimeout(timer);
  timer = setTimeout(measure, SETTLED);
}

/** Opened content comes into view, too. */
function listen(): void {
  window.addEventListener("scroll", moved, { passive: true });
  window.addEventListener("resize", moved);
  document.addEventListener("toggle", moved, { capture: true });
}

function stopListening(): void {
  clearTimeout(timer);
  window.removeEventListener("scroll", moved);
  window.removeEventListener("resize", moved);
  document.removeEventListener("toggle", moved, { capture: true });
}

function measure(): void {
  const { of: last } = inView.getState();
  const here = [...cells].sort(inOrder);
  const first = here.find(({ experiment }) => experiment.store === last?.store) ?? here[0];
  // Of one alone nothing is measured, which would lay out the page at once.
  const most =
    first && here.length > 1
      ? here.reduce((best, cell) => (seenOf(cell) > seenOf(best) ? cell : best), first)
      : first;
  const of = most?.experiment ?? null;
  if (of !== last) inView.setState({ of });
}

/** Visible pixels of its height. */
function seenOf({ element }: RunCell): number {
  const { top, bottom } = element.getBoundingClientRect();
  return Math.max(0, Math.min(bottom, window.innerHeight) - Math.max(top, 0));
}

function inOrder(a: RunCell, b: RunCell): number {
  const isBefore = a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING;
  return isBefore ? -1 : 1;
}
