/** What must hold of every panel, whatever it shows; each check runs in the page and tells what is not as it should be. */
import type { Page } from "playwright-core";

/** Words that only a program would say. */
const PROGRAM_WORDS = /.{0,30}(?:NaN|undefined|null|Infinity|\[object).{0,30}/;

/** By panel: such words, and a part that failed. */
export async function badText(page: Page): Promise<string[]> {
  const texts = await page.locator("[data-testid=story] details[data-panel]").evaluateAll((all) =>
    all.map((panel) => ({
      id: panel.getAttribute("data-panel")!,
      text: panel.textContent ?? "",
      failed: panel.querySelector(".notice-problem")?.textContent ?? null,
    })),
  );
  return texts.flatMap(({ id, text, failed }) => {
    const said = PROGRAM_WORDS.exec(text)?.[0];
    return [said, failed].filter((bad) => bad != null).map((bad) => `${id}: ${bad}`);
  });
}

/** Pictures that are not told in words, and panels with pictures and no table of numbers. */
export async function untoldPictures(page: Page): Promise<string[]> {
  return page.locator("[data-testid=story] details[data-panel]").evaluateAll((panels) => {
    // Smaller ones are the marks of a legend, or are in a line of text.
    const isLarge = (svg: Element) => svg.getBoundingClientRect().height > 40;
    const isTold = (svg: Element) => {
      const image = svg.closest("[role=img]");
      if (image) return (image.getAttribute("aria-label") ?? "").length > 0;
      return svg.closest("[aria-hidden=true]") !== null;
    };
    const hasTable = (panel: Element) =>
      panel.querySelector("table, details.chart-data, dl") !== null;
    return panels.flatMap((panel) => {
      const id = panel.getAttribute("data-panel")!;
      const large = [...panel.querySelectorAll("svg")].filter(isLarge);
      const untold = large.filter((svg) => !isTold(svg)).map((svg) => svg.outerHTML.slice(0, 120));
      // A board shows no numbers: its label tells it whole.
      const charts = large.filter((svg) => !svg.closest(".chat-board"));
      if (charts.length > 0 && !hasTable(panel)) untold.push("no table of numbers");
      return untold.map((what) => `${id}: ${what}`);
    });
  });
}

/** What takes the focus and has no name; axe looks at controls only, not at regions that scroll. */
export async function namelessStops(page: Page): Promise<string[]> {
  return page.locator("[data-testid=story] [tabindex='0']").evaluateAll((all) =>
    all
      .filter((stop) => {
        const named = stop.getAttribute("aria-label") ?? stop.getAttribute("aria-labelledby");
        return !named && (stop.textContent ?? "").trim() === "";
      })
      .map((stop) => stop.outerHTML.slice(0, 120)),
  );
}

/** Controls that Tab passes by, without a stop beside them from which arrow keys lead to them. */
export async function unreachable(page: Page): Promise<string[]> {
  return page
    .locator("[data-testid=story] :is(button, a, input, select, textarea, summary)[tabindex='-1']")
    .evaluateAll((all) =>
      all
        .filter((control) => {
          const around = control.closest(
            "[role=toolbar], [role=grid], [role=tablist], [role=listbox], [role=group], table, ol, ul",
          );
          return !around?.querySelector("[tabindex='0']");
        })
        .map((control) => control.outerHTML.slice(0, 120)),
    );
}

/** CSS pixels by which the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** What Tab should come to and does not, walking from the first stop of the story to its last. */
export async function missedByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate(markStops);
  await page.locator("[data-stop='0']").focus();
  const last = page.locator(`[data-stop='${count - 1}'][data-reached]`);
  // What comes into view on the way may have stops of its own.
  for (let i = 1; i < count || (i < 1.2 * count && (await last.count()) === 0); i++)
    await page.keyboard.press("Tab");
  return page.evaluate(() =>
    [...document.querySelectorAll("[data-stop]:not([data-reached])")].map((stop) =>
      stop.outerHTML.slice(0, 160),
    ),
  );
}

/** Numbers what Tab should come to, and lets each note that it got the focus. */
function markStops(): number {
  const controls =
    "button, a[href], input, select, textarea, summary, [tabindex='0'], [contenteditable]";
  const isStop = (control: HTMLElement) =>
    control.tabIndex >= 0 &&
    !control.matches(":disabled") &&
    control.checkVisibility({ visibilityProperty: true });
  // Of radio buttons Tab comes to the one that is chosen.
  const isOther = (control: HTMLElement) =>
    control instanceof HTMLInputElement && control.type === "radio" && !control.checked;
  const stops = [...document.querySelectorAll<HTMLElement>("[data-testid=story] *")].filter(
    (element) => element.matches(controls) && isStop(element) && !isOther(element),
  );
  stops.forEach((stop, i) => {
    stop.dataset["stop"] = String(i);
    stop.addEventListener("focus", () => (stop.dataset["reached"] = ""));
  });
  return stops.length;
}

/**
 * Numbers over which a mark lies (a bar, drawn as an empty element, as one before or after the text, or in SVG), and
 * numbers that go on in another line. What lies behind the whole number is its background, not a mark.
 */
export async function coveredNumbers(page: Page, within: string): Promise<string[]> {
  return page.locator(within).evaluateAll((panels) => {
    return panels.flatMap(coveredIn);

    function coveredIn(panel: Element): string[] {
      type Box = Pick<DOMRect, "left" | "right" | "top" | "bottom">;
      const isThere = ({ left, right, top, bottom }: Box) =>
        right - left > 0.5 && bottom - top > 0.5;
      const isSeen = (one: Element) => one.checkVisibility({ visibilityProperty: true });
      const paints = ({ backgroundColor, backgroundImage }: CSSStyleDeclaration) =>
        backgroundImage !== "none" || !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor);
      // Of an absolute pseudo-element, from the padding edge of its element, where that is placed.
      const pseudo = (one: Element, part: string): Box[] => {
        const style = getComputedStyle(one, part);
        if (style.content === "none" || style.position !== "absolute" || !paints(style)) return [];
        if (getComputedStyle(one).position === "static") return [];
        const around = one.getBoundingClientRect();
        const left = around.left + one.clientLeft + parseFloat(style.left);
        const top = around.top + one.clientTop + parseFloat(style.top);
        const [width, height] = [parseFloat(style.width), parseFloat(style.height)];
        return [{ left, top, right: left + width, bottom: top + height }];
      };
      const elements = [...panel.querySelectorAll("*")].filter(isSeen);
      const isMark = (one: Element) =>
        one instanceof SVGElement
          ? one.matches("rect, circle") && getComputedStyle(one).fill !== "none"
          : one.matches("i, span, div") &&
            one.childNodes.length === 0 &&
            paints(getComputedStyle(one));
      const marks = elements.flatMap((one) => [
        ...(isMark(one) ? [one.getBoundingClientRect() as Box] : []),
        ...["::before", "::after"].flatMap((part) => pseudo(one, part)),
      ]);
      const walker = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = (node.textContent ?? "").trim();
        const own = node.parentElement!;
        if (!/^[+−]?\d[\d.]*(\s?%)?$/.test(text) || !isSeen(own)) continue;
        // Heard only.
        if (own.closest(".visually-hidden, option")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const boxes = [...range.getClientRects()].filter(isThere);
        if (boxes.length > 1) found.push(`${text} goes on in another line`);
        for (const box of boxes) {
          // Letters fill the middle of their line.
          const height = box.bottom - box.top;
          const [top, bottom] = [box.top + 0.25 * height, box.bottom - 0.25 * height];
          const over = marks.some(
            (mark) =>
              isThere(mark) &&
              Math.min(mark.right, box.right) - Math.max(mark.left, box.left) > 1 &&
              Math.min(mark.bottom, bottom) - Math.max(mark.top, top) > 1 &&
              !(
                mark.left <= box.left &&
                mark.right >= box.right &&
                mark.top <= top &&
                mark.bottom >= bottom
              ),
          );
          if (over) found.push(`a mark over ${text}: ${own.outerHTML.slice(0, 120)}`);
        }
      }
      const name = panel.getAttribute("data-panel") ?? panel.getAttribute("data-pane") ?? "";
      return found.map((what) => `${name}: ${what}`);
    }
  });
}

/**
 * Words of a picture in SVG through which a mark goes: a line, a point or the edge of a bar. A mark
 * behind the whole text is its background; grid lines and pale bands are no marks.
 */
export async function crossedLabels(page: Page, within: string): Promise<string[]> {
  return page.locator(within).evaluateAll((panels) => {
    return panels.flatMap((panel) => {
      const name = panel.getAttribute("data-panel") ?? panel.getAttribute("data-pane") ?? "";
      const pictures = [...panel.querySelectorAll("svg")].filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width > 60 && height > 40 && one.checkVisibility({ visibilityProperty: true });
      });
      return [...new Set(pictures.flatMap(crossedIn))].map((what) => `${name}: ${what}`);
    });

    function crossedIn(picture: SVGSVGElement): string[] {
      const shapes = "path, line, circle, rect, polyline, polygon, ellipse";
      const marks = [...picture.querySelectorAll<SVGGeometryElement>(shapes)].filter(isMark);
      return [...picture.querySelectorAll("text")].filter(isSeen).flatMap((label) => {
        const box = label.getBoundingClientRect();
        // A background hides what was drawn before it.
        const drawn = marks.findLastIndex((mark) => isBehind(mark, box)) + 1;
        const over = marks.slice(drawn).find((mark) => goesThrough(mark, box));
        return over ? [`${label.textContent} on ${over.outerHTML.slice(0, 160)}`] : [];
      });
    }

    function isSeen(one: Element): boolean {
      return one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    }

    function isMark(one: SVGGeometryElement): boolean {
      if (!isSeen(one) || one.closest("defs, clipPath, .recharts-cartesian-grid")) return false;
      return isPainted(one, "fill") || isPainted(one, "stroke");
    }

    function isPainted(one: Element, paint: "fill" | "stroke"): boolean {
      const style = getComputedStyle(one);
      const opacity = Number(style.opacity) * Number(style[`${paint}Opacity`]);
      return style[paint] !== "none" && !/rgba\(.*, 0\)/.test(style[paint]) && opacity > 0.35;
    }

    function isBehind(mark: Element, text: DOMRect): boolean {
      const { left, right, top, bottom } = mark.getBoundingClientRect();
      const isFilled = isPainted(mark, "fill");
      return (
        isFilled &&
        left <= text.left &&
        right >= text.right &&
        top <= text.top + 0.25 * text.height &&
        bottom >= text.bottom - 0.25 * text.height
      );
    }

    /** Letters fill the middle of their line. */
    function goesThrough(mark: SVGGeometryElement, text: DOMRect): boolean {
      const toMark = mark.getScreenCTM()?.inverse();
      if (!toMark) return false;
      const columns = Math.max(4, Math.round(text.width / 3));
      return Array.from({ length: columns - 1 }, (_, i) => (i + 1) / columns).some((across) =>
        [0.3, 0.4, 0.5, 0.6, 0.7].some((down) => {
          const [x, y] = [text.left + across * text.width, text.top + down * text.height];
          const point = new DOMPoint(x, y).matrixTransform(toMark);
          return (
            (isPainted(mark, "fill") && mark.isPointInFill(point)) ||
            (isPainted(mark, "stroke") && mark.isPointInStroke(point))
          );
        }),
      );
    }
  });
}
