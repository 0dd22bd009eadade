/** Lines over the panel from a marked term to the cells that its number came from. */
import { useEffect, useState, type RefObject } from "react";
import { greatest } from "../../numeric/lists.ts";
import { drawn, joined, stacked, type Box, type Drawing, type Connector } from "./lineShapes.ts";
import { termSelector, type Links } from "./marks.ts";

interface OriginLinesProps {
  /** The element with formulas and tables; the lines are over it. */
  content: RefObject<HTMLElement | null>;
  links: Links;
}

/** Hidden from screen readers: the table of terms says in words where a number came from. */
export function OriginLines({ content, links }: OriginLinesProps) {
  const [made, setMade] = useState<{ links: Links; drawing: Drawing } | null>(null);
  useEffect(() => {
    const root = content.current;
    if (!root || links.cells.length === 0) return;
    return eachFrame(root, () => setMade({ links, drawing: measured(root, links) }));
  }, [content, links]);
  // Lines from before would have wrong ends.
  if (made?.links !== links) return null;
  const { lines, dots, frames, arrows, counts } = made.drawing;
  return (
    <svg className="origin-lines" aria-hidden="true" data-testid="origin-lines">
      <path className="line" d={lines} />
      <path className="frame" d={frames} />
      <path className="dots" d={dots} />
      <path className="arrows" d={arrows} />
      {counts.map(({ x, y, text }) => (
        <text key={`${x} ${y}`} x={x} y={y}>
          {text}
        </text>
      ))}
    </svg>
  );
}

/** At once, and again after anything that may have moved elements, at most once per frame. */
function eachFrame(root: HTMLElement, run: () => void): () => void {
  let frame = 0;
  const soon = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      run();
    });
  };
  const resized = new ResizeObserver(soon);
  resized.observe(root);
  const changed = new MutationObserver(soon);
  changed.observe(root, { childList: true, subtree: true });
  // Of the page, and of every table and formula in it.
  window.addEventListener("scroll", soon, { capture: true, passive: true });
  window.addEventListener("resize", soon);
  return () => {
    cancelAnimationFrame(frame);
    resized.disconnect();
    changed.disconnect();
    window.removeEventListener("scroll", soon, { capture: true });
    window.removeEventListener("resize", soon);
  };
}

function measured(root: HTMLElement, links: Links): Drawing {
  const view = viewOf(root);
  const cells = [...root.querySelectorAll("td.origin")].map((cell) => ({
    box: boxOf(cell),
    frame: frameOf(cell, ".table-scroll"),
    cells: 1,
  }));
  const targets = stacked(cells);
  const lines = links.terms.flatMap((term) => {
    const from = standing(root, term, links, view);
    if (!from) return [];
    const frame = frameOf(from, ".formula-box");
    const start = boxOf(from);
    return targets.map((target) => joined(start, frame, target, view));
  });
  return drawn(
    lines.filter((line): line is Connector => line !== null),
    root.getBoundingClientRect(),
  );
}

/** The start of the line: the hovered place, else the last visible place of the term. */
function standing(root: HTMLElement, term: string, { spot }: Links, view: Box): Element | null {
  const all = [...root.querySelectorAll(`.formula-step ${termSelector(term)}`)];
  const own = spot ? all.filter((place) => isIn(spot.formula, place)) : [];
  // The step with the hovered place may be gone.
  if (spot && own.length > 0) return own.at(spot.index) ?? own.at(-1)!;
  const isInView = (place: Element) => {
    const { top, bottom } = place.getBoundingClientRect();
    return top >= view.top && bottom <= view.bottom;
  };
  return all.findLast(isInView) ?? all.at(-1) ?? null;
}

const isIn = (formula: string, place: Element) =>
  place.closest("[data-formula]")?.getAttribute("data-formula") === formula;

function frameOf(element: Element, selector: string): Box {
  return boxOf(element.closest(selector) ?? element);
}

/** The browser's own rectangles have no fields that could be copied. */
function boxOf(element: Element): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return { left, top, right, bottom };
}

/** Margin at the edges of the visible area. */
const MARGIN = 8;

/** The window without the bars at its edges: the bar above, and the text about the mark below. */
function viewOf(root: HTMLElement): Box {
  const bars = [...document.querySelectorAll(".cursor-bar")].map((bar) =>
    bar.getBoundingClientRect(),
  );
  const stuck = bars
    .filter(({ top, height }) => height > 0 && top <= 1)
    .map(({ bottom }) => bottom);
  const said = root.querySelector(".marked-term")?.getBoundingClientRect();
  const foot = said && said.bottom > innerHeight - MARGIN ? said.top : innerHeight;
  return {
    left: MARGIN,
    top: greatest([0, ...stuck]) + MARGIN,
    right: document.documentElement.clientWidth - MARGIN,
    bottom: foot - MARGIN,
  };
}
