/** Scales a page of words and figures so that it takes two sheets of paper. */

import { greatest } from "../../numeric/lists.ts";

/** CSS pixels of A4 within the margins that styles/print.css gives it: 186 by 269 mm. */
const SHEET = { width: 703, height: 1016 };
const SHEETS = 2;
/** Share of the sheets that is filled. */
const FILLED = 0.95;
/** What is never cut by the end of a sheet. */
const WHOLE = ".handout-figure, .handout-question";
const STEP = 0.03;
const SMALLEST = 0.3;

/** Follows what it holds, since figures come later than words; returns what ends that. */
export function fitPages(page: HTMLElement): () => void {
  const fit = () => {
    let scale = 1;
    while (scale > SMALLEST && needed(page, scale) > SHEETS * SHEET.height * FILLED) scale -= STEP;
  };
  fit();
  const observer = new ResizeObserver(fit);
  for (const part of page.children) observer.observe(part);
  return () => observer.disconnect();
}

/** In pixels of the sheet: all that it holds, and the gap that the tallest part leaves where it would be cut. */
function needed(page: HTMLElement, scale: number): number {
  page.style.width = `${SHEET.width / scale}px`;
  page.style.setProperty("zoom", scale.toFixed(2));
  const heightOf = (one: Element) => one.getBoundingClientRect().height;
  return heightOf(page) + greatest([0, ...[...page.querySelectorAll(WHOLE)].map(heightOf)]);
}
