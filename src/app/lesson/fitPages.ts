/** Scales a page of words and figures so that it takes two sheets of paper, or as many more as it needs to be read. */

import { greatest } from "../../numeric/lists.ts";

/** CSS pixels of A4 within the margins that styles/print.css gives it: 186 by 269 mm. */
const SHEET = { width: 703, height: 1016 };
const FEWEST = 2;
const MOST_SHEETS = 4;
/** Share of the sheets that is filled. */
const FILLED = 0.95;
/** What is never cut by the end of a sheet. */
const WHOLE = ".handout-figure, .handout-question";
/** What has not come yet. */
const WAITING = ".prose-waiting, .empty";
const MOST_FITS = 4;
const FIGURE = ".handout-figure";
const STEP = 0.03;
/** Below it words are too small to read: a further sheet is taken first. */
const READABLE = 0.75;
const SMALLEST = 0.3;

/** Follows what it holds, since figures come later than words; returns what ends that. */
export function fitPages(page: HTMLElement): () => void {
  let scale = 1;
  let sheets = FEWEST;
  let [waiting, fits] = [0, 0];
  const fit = () => {
    const now = page.querySelectorAll(WAITING).length;
    fits = now === waiting ? fits + 1 : 0;
    waiting = now;
    // Charts that redraw themselves for a new width may grow by it: after some fits it only becomes smaller.
    if (fits < MOST_FITS) scale = 1;
    sheets = Math.max(sheets, sheetsFor(needed(page, READABLE)));
    while (scale > SMALLEST && needed(page, scale) > sheets * SHEET.height * FILLED) scale -= STEP;
  };
  fit();
  const observer = new ResizeObserver(fit);
  for (const part of page.children) observer.observe(part);
  return () => observer.disconnect();
}

/** As many as leave the words readable, where so many may be taken. */
function sheetsFor(height: number): number {
  return Math.min(MOST_SHEETS, Math.ceil(height / (SHEET.height * FILLED)));
}

/** In pixels of the sheet: all that it holds, and the gap that the tallest part leaves where it would be cut. */
function needed(page: HTMLElement, scale: number): number {
  page.style.width = `${SHEET.width / scale}px`;
  page.style.setProperty("zoom", scale.toFixed(2));
  for (const figure of page.querySelectorAll<HTMLElement>(FIGURE)) spread(figure);
  const heightOf = (one: Element) => one.getBoundingClientRect().height;
  return heightOf(page) + greatest([0, ...[...page.querySelectorAll(WHOLE)].map(heightOf)]);
}

/** What keeps its width: charts take the one that they are given. */
const STIFF = "table, .table-scroll, .ribbon-box, .grid-box, .tokens-box";

/** Over both columns where one would cut it. */
function spread(figure: HTMLElement): void {
  delete figure.dataset["wide"];
  const boxes = [...figure.querySelectorAll(STIFF)];
  if (boxes.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1))
    figure.dataset["wide"] = "";
}
