// What a page says: the words, tables, labels and shapes of its figures, read once nothing in it moves any more.

/**
 * In the page. Each figure has a name: a panel of the lens its id, a cell its id, a figure of another page the name under which it is
 * embedded, or its test id. A figure within a figure is read by itself, and is not part of the outer one.
 */
function readFigures(selector) {
  const clean = (text) => (text ?? "").replaceAll(/\s+/g, " ").trim();
  const isRead = (element, figure) => element.closest(selector) === figure;
  const nameOf = ({ dataset: { panel, cell, figure, testid } }) =>
    panel ?? cell ?? figure ?? testid;
  const cellsOf = (table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => clean(cell.textContent)));
  const drawn = ["d", "x", "y", "width", "height", "cx", "cy", "x1", "y1", "x2", "y2"];
  const figures = {};
  for (const figure of document.querySelectorAll(selector)) {
    const all = (what) => [...figure.querySelectorAll(what)].filter((one) => isRead(one, figure));
    const labels = all("[role=img], svg[aria-label], output, select, input[type=range]").map(
      (one) => clean(one.getAttribute("aria-label") ?? one.value ?? ""),
    );
    const values = all("select, input[type=range], input[type=number]").map(({ value }) => value);
    const shapes = all("svg path, svg rect, svg circle, svg line").map((one) =>
      drawn.map((name) => one.getAttribute(name) ?? "").join(" "),
    );
    const text = [];
    const walker = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement: within } = walker.currentNode;
      if (!within.closest("table, style, script, noscript") && isRead(within, figure))
        text.push(clean(data));
    }
    figures[nameOf(figure)] = {
      tables: all("table").map(cellsOf),
      labels: [...labels, ...values].filter(Boolean),
      text: text.filter(Boolean),
      shapes,
    };
  }
  const waits = document.querySelectorAll("[data-covered], [aria-busy=true]").length;
  return { figures, waits };
}

/** In the page: unfolds what is folded in the figures. */
function unfold(selector) {
  for (const figure of document.querySelectorAll(selector))
    for (const each of figure.querySelectorAll("details:not([open])")) each.open = true;
}

/** Brings every figure into view once: a pane scrolls in itself, and what is out of sight in it stays as it was. */
async function bringIntoView(page, selector) {
  for (const figure of await page.locator(selector).all()) {
    await figure.evaluate((one) => one.scrollIntoView({ block: "nearest" }));
    await page.waitForTimeout(100);
  }
}

/** Readings in a row that must be the same, and milliseconds between them. */
const SAME = 4;
const PAUSE = 400;
/** Readings after which a page that still changes is given up. */
const MOST = 200;

/** Reads until nothing has changed for a while. */
export async function settled(page, selector) {
  await bringIntoView(page, selector);
  let before = "";
  let still = 0;
  for (let i = 0; i < MOST; i++) {
    await page.evaluate(unfold, selector);
    const { figures, waits } = await page.evaluate(readFigures, selector);
    const now = JSON.stringify(figures);
    still = now === before && waits === 0 ? still + 1 : 0;
    if (still === SAME) return figures;
    before = now;
    await page.waitForTimeout(PAUSE);
  }
  console.error(`  still changing: ${page.url()}`);
  return JSON.parse(before);
}
