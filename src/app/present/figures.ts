/**
 * Figures of the page: any element with `data-figure` (its id) and a name. One of them can be shown
 * without the rest of the page; it stays the same element, so that it is as interactive as before.
 */

export interface ShownFigure {
  id: string;
  title: string;
  element: HTMLElement;
}

/** The visible ones, in the page's order; a figure within another one is a part of it. */
export function figuresIn(root: ParentNode = document): ShownFigure[] {
  return seenFigures(root).filter(
    ({ element }) => !element.parentElement?.closest("[data-figure]"),
  );
}

/** A visible one, even as a part of another; "" for the first. */
export function figureOf(id: string, root: ParentNode = document): ShownFigure | undefined {
  return seenFigures(root).find((figure) => id === "" || figure.id === id);
}

/** The open step of a lesson, even while present mode hides it. */
export function stepFigure(root: ParentNode = document): ShownFigure | undefined {
  const element = root.querySelector<HTMLElement>("[data-figure=step]");
  return element ? { id: "step", title: figureTitle(element), element } : undefined;
}

function seenFigures(root: ParentNode): ShownFigure[] {
  return [...root.querySelectorAll<HTMLElement>("[data-figure]")]
    .filter((element) => element.getClientRects().length > 0)
    .map((element) => ({ id: element.dataset["figure"]!, title: figureTitle(element), element }));
}

/** A sentence that describes what it shows, if it has one; else its name. */
export function figureTitle(element: HTMLElement): string {
  const name = element.dataset["figureTitle"] ?? element.getAttribute("aria-label");
  return name ?? element.querySelector("h2, h3")?.textContent ?? "";
}

/** Its plain name, which does not reveal what it shows. */
export function figureName(element: HTMLElement): string {
  return element.getAttribute("aria-label") ?? figureTitle(element);
}

const PATH = "data-figure-path";
const SHOWN = "data-figure-shown";

/** Marks the figure and its ancestors, for the style that hides everything else; returns the function that ends it. */
export function showAlone(element: HTMLElement): () => void {
  const path: HTMLElement[] = [];
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
    path.push(at);
  for (const one of path) one.setAttribute(PATH, "");
  element.setAttribute(SHOWN, "");
  return () => {
    for (const one of path) one.removeAttribute(PATH);
    element.removeAttribute(SHOWN);
  };
}

const PIECES = "data-present-pieces";
const PIECE = "data-present-piece";

/** Elements of a step that are shown together. */
export type Piece = readonly HTMLElement[];

/** Pieces of a step that does not fit whole: what is read, then each of its figures; of what is seen now. */
export function piecesOf(step: HTMLElement): Piece[] {
  const parts = step.querySelectorAll<HTMLElement>(":scope > .lesson-words, .lesson-figures > *");
  return [...parts].filter(({ clientHeight }) => clientHeight > 0).map((one) => [one]);
}

/** What is read in pieces of its own, where it does not fit either: the text, then each question. */
export function finerPieces([words]: Piece): Piece[] {
  if (!words?.matches(".lesson-words")) return [];
  const all = [...words.children].filter((one) => one instanceof HTMLElement);
  const questions = all.filter((one) => one.querySelector(".quiz"));
  return [all.filter((one) => !questions.includes(one)), ...questions.map((one) => [one])];
}

/** Marks one piece, for the style that hides the others; returns the function that ends it. */
export function showPiece(step: HTMLElement, piece: Piece): () => void {
  step.setAttribute(PIECES, "");
  for (const one of piece) one.setAttribute(PIECE, "");
  return () => {
    step.removeAttribute(PIECES);
    for (const one of piece) one.removeAttribute(PIECE);
  };
}

/** CSS pixels of a figure's layout before it is scaled: the narrower, the larger its type in a narrow window. */
const WIDTHS = [1060, 900, 760];
/** A piece of a step has one thing to show, and can be wider or narrower. */
const PIECE_WIDTHS = [1240, ...WIDTHS, 620];
const LARGEST = 4;
/** Pixels that a figure may be too tall: padding, no content. */
const SLACK = 8;
/** Part of the window by which a figure is paged: the rest is seen twice. */
const PAGE = 0.8;
/** Milliseconds for what is still loading, such as formulas, to get its size. */
const LOAD_LIMIT = 200;
/** Its own size: no figure is shrunk. */
const SMALLEST = 1;
/** Pixels of type that a hall can read, as a multiple of a lesson's questions, and of the type of its panels in present mode. */
const LEGIBLE = { prose: 24 / 15, panel: 24 / 14 };
/** Pixels of width up to which one scrolls. */
export const PHONE = 640;

/** A window's space for a figure: its width, and the top of the bar below it. */
interface FigureRoom {
  width: number;
  bottom: number;
}

/**
 * Lays the figure out in a standard width, and scales it to the available space; returns the
 * function that ends it. `above`: an element that takes some of its space, and may grow. `onTall`: it does not fit, in
 * a size that a hall can read. A panel that is alone has that size all the same: it is then paged.
 */
export function fitted(
  element: HTMLElement,
  room: () => FigureRoom,
  above: Element | null = null,
  onTall: () => void = () => {},
): () => void {
  const isPiece = element.hasAttribute(PIECES);
  const widths = isPiece ? PIECE_WIDTHS : WIDTHS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const fit = () => {
    // Of what it shows by now: a panel comes later than its place.
    const legible = legibleScale(element);
    const least = isPiece && legible === LEGIBLE.panel ? legible : SMALLEST;
    const { width, bottom } = room();
    element.style.setProperty("zoom", "1");
    const layOut = (own: number) => {
      element.style.setProperty("--figure-width", `${own}px`);
      const { top, height } = element.getBoundingClientRect();
      return { height, room: { width, height: bottom - top - window.scrollY } };
    };
    const { own, scale } = bestLayout(width, layOut, widths, least);
    layOut(own);
    element.style.setProperty("zoom", String(scale));
    clearTimeout(timer);
    if (scale < legible) timer = setTimeout(onTall, LOAD_LIMIT);
  };
  fit();
  // A figure's content may grow while it is shown.
  const observer = new ResizeObserver(fit);
  observer.observe(element);
  if (above) observer.observe(above);
  window.addEventListener("resize", fit);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    window.removeEventListener("resize", fit);
    element.style.removeProperty("--figure-width");
    element.style.removeProperty("zoom");
  };
}

/** Below it what is shown of a lesson's step should be split; 0 for other figures, and on a phone. */
function legibleScale(element: HTMLElement): number {
  if (!element.matches("[data-figure=step]") || innerWidth <= PHONE) return 0;
  const panels = [...element.querySelectorAll<HTMLElement>(".lesson-figures > *")];
  return LEGIBLE[panels.some(({ clientHeight }) => clientHeight > 0) ? "panel" : "prose"];
}

/** As large as fits, and never below `least`: a figure that is then too tall scrolls. */
export function figureScale(
  width: number,
  height: number,
  room: { width: number; height: number },
  least = SMALLEST,
): number {
  const fits = Math.min(room.width / width, room.height / Math.max(1, height));
  return Math.min(LARGEST, Math.max(least, Math.floor(fits * 100) / 100));
}

/** Scrolls a step that is taller than the window by most of it. @returns whether there was more in that direction */
export function paged(figure: HTMLElement, by: number, bottom: number): boolean {
  if (legibleScale(figure) === 0) return false;
  const more =
    by > 0 ? figure.getBoundingClientRect().bottom > bottom + SLACK : window.scrollY > SLACK;
  if (more) window.scrollBy(0, by * PAGE * bottom);
  return more;
}

/** A layout's size relative to the available space. */
interface LaidOut {
  height: number;
  room: { width: number; height: number };
}

/** The width with the largest scale, among those the window has; the widest of ties. `layOut`: at a width. */
export function bestLayout(
  width: number,
  layOut: (own: number) => LaidOut,
  widths: readonly number[] = WIDTHS,
  least = SMALLEST,
): { own: number; scale: number } {
  let best = { own: width, scale: 0 };
  for (const own of new Set(widths.map((one) => Math.min(one, width / least)))) {
    const { height, room } = layOut(own);
    const scale = figureScale(own, height, room, least);
    if (scale > best.scale) best = { own, scale };
  }
  return best;
}
