// What a machine can see of a page that looks wrong; runs in the page, and imports nothing for that reason.

/** Limit of named faults per kind. */
const NAMED = 6;

/** Sentences, one for each kind of fault, with the places. @param least CSS pixels of the smallest target. */
export function faultsOnPage({ least, named }) {
  const shown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const inWindow = ({ left, top, right, bottom, width, height }) =>
    width > 1 && height > 1 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  const place = (element) => {
    const near = element.closest("[data-testid], [id], [class]");
    const id = near?.dataset.testid ?? near?.id;
    return `${(id || String(near?.className.baseVal ?? near?.className)).slice(0, 40)} “${element.textContent.trim().replace(/\s+/g, " ").slice(0, 50)}”`;
  };
  const hidden = ".visually-hidden, [aria-hidden=true], .skip-link, script, style, .katex";
  /** The part of an element's box that its scrolling ancestors show. */
  const seenBox = (element, box) => {
    let { left, top, right, bottom } = box;
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflow === "visible") continue;
      const around = at.getBoundingClientRect();
      [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
      [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
    }
    return { left, top, right, bottom, width: right - left, height: bottom - top };
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === "" || element.closest(hidden) || !shown(element))
      continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const rect of range.getClientRects()) {
      const box = seenBox(element, rect);
      if (inWindow(box)) texts.push({ element, box, rect });
    }
  }
  const found = {
    "scrolls sideways": [],
    "cut off": [],
    "overlapping text": [],
    "under 11 px": [],
    "caption over 12 words": [],
    "empty pane": [],
    "small target": [],
  };
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) found["scrolls sideways"].push(`by ${over} px`);
  const scrolls = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  for (const { element, box, rect } of texts) {
    const elided = getComputedStyle(element).textOverflow === "ellipsis";
    if (rect.width - box.width > 3 && !elided && !scrolls(element))
      found["cut off"].push(place(element));
    if (
      elided &&
      element.scrollWidth > element.clientWidth + 1 &&
      !element.title &&
      !element.closest("[title]")
    )
      found["cut off"].push(`(no title) ${place(element)}`);
    if (parseFloat(getComputedStyle(element).fontSize) < 10.9)
      found["under 11 px"].push(place(element));
  }
  const front = ({ element, box }) => {
    const at = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return at !== null && (at === element || at.contains(element) || element.contains(at));
  };
  const inFront = texts.filter(front);
  for (const [i, a] of inFront.entries())
    for (const b of inFront.slice(i + 1)) {
      if (a.element === b.element || a.element.contains(b.element) || b.element.contains(a.element))
        continue;
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (across > 3 && down > 5)
        found["overlapping text"].push(`${place(a.element)} and ${place(b.element)}`);
    }
  const captions = "figcaption, caption, .caption, .note, .chart-caption, .field small";
  for (const element of document.querySelectorAll(captions)) {
    if (!shown(element) || element.closest(`${hidden}, .prose, .prose-note`)) continue;
    const sentences = element.innerText.split(/[.;:?!]\s/).map((one) => one.trim().split(/\s+/));
    const words = Math.max(...sentences.map((one) => one.length));
    if (words > 12) found["caption over 12 words"].push(`${words}: ${place(element)}`);
  }
  for (const pane of document.querySelectorAll(".pane")) {
    const box = pane.getBoundingClientRect();
    if (!inWindow(box) || !shown(pane)) continue;
    const bottoms = texts
      .filter(({ element }) => pane.contains(element))
      .map(({ box: { bottom } }) => bottom);
    for (const one of pane.querySelectorAll("svg, img, canvas"))
      bottoms.push(one.getBoundingClientRect().bottom);
    // Of a pane that is longer than the window, what can be seen.
    const seen = Math.min(box.bottom, innerHeight) - box.top;
    const share = (box.top + seen - Math.max(box.top, ...bottoms)) / seen;
    if (share > 0.4 && box.height > 150)
      found["empty pane"].push(`${Math.round(share * 100)} % of ${pane.dataset.pane}`);
  }
  for (const target of document.querySelectorAll("button, select, input, [role=tab], summary")) {
    const box = target.getBoundingClientRect();
    if (!shown(target) || target.closest(hidden) || !inWindow(seenBox(target, box))) continue;
    const middle = box.left + box.width / 2;
    // What is pressed may be taller than what is drawn.
    const reach = (y) => target.contains(document.elementFromPoint(middle, y));
    const tall = least / 2 - 2;
    if (reach(box.top + box.height / 2 - tall) && reach(box.top + box.height / 2 + tall)) continue;
    if (
      box.height < least - 0.5 &&
      box.width < least * 8 &&
      target.type !== "checkbox" &&
      target.type !== "radio"
    )
      found["small target"].push(
        `${Math.round(box.width)}x${Math.round(box.height)} ${place(target)}`,
      );
  }
  return Object.entries(found)
    .filter(([, places]) => places.length > 0)
    .map(([kind, places]) => {
      const once = [...new Set(places)];
      const more = once.length > named ? ` and ${once.length - named} more` : "";
      return `${kind}: ${once.slice(0, named).join("; ")}${more}`;
    });
}

export const looksWrong = (page, isPhone) =>
  page.evaluate(faultsOnPage, { least: isPhone ? 44 : 24, named: NAMED });
