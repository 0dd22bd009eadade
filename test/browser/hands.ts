/** How a reader acts: by pointer, or by keys alone, from where the focus is; a control that keys do not reach is an error. */
import type { Locator, Page } from "playwright-core";

export interface Hand {
  press(target: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  /** One of several radio buttons. */
  choose(radio: Locator): Promise<void>;
  /** What is wrong with the place of the focus after something was done; null for nothing. */
  lost(page: Page): Promise<string | null>;
}

export const pointer: Hand = {
  press: (target) => target.click(),
  type: (field, text) => field.fill(text),
  choose: (radio) => radio.check(),
  lost: async () => null,
};

/** Presses of Tab from one control to another: more than a step with three panels has. */
const MOST = 400;

export const keys: Hand = {
  press: async (target) => {
    await reach(target);
    await target.page().keyboard.press("Enter");
  },
  type: async (field, text) => {
    await reach(field);
    await field.page().keyboard.press("ControlOrMeta+a");
    await field.page().keyboard.type(text);
  },
  choose: async (radio) => {
    await reach(radio);
    const isOn = () => radio.evaluate((one) => document.activeElement === one);
    for (let i = 0; i < 20 && !(await isOn()); i++) await radio.page().keyboard.press("ArrowDown");
    await radio.page().keyboard.press("Space");
  },
  lost: (page) =>
    page.evaluate(() => (document.activeElement === document.body ? "the focus is lost" : null)),
};

/** Moves the focus by Tab, towards where the control stands in the page; of radio buttons to the one that has the focus of all. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor();
  const { keyboard } = target.page();
  for (let i = 0; i < MOST; i++) {
    const way = await target.evaluate(wayTo);
    if (way === "there") return checkSeen(target);
    await keyboard.press(way === "on" ? "Tab" : "Shift+Tab");
  }
  throw new Error(`Tab does not reach “${await nameOf(target)}”`);
}

/** In the page. */
function wayTo(target: Element): "there" | "on" | "back" {
  const now = document.activeElement!;
  const group = (one: Element) =>
    one instanceof HTMLInputElement && one.type === "radio" ? one.name : null;
  if (now === target || (group(now) !== null && group(now) === group(target))) return "there";
  return now.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? "back" : "on";
}

/** What has the focus is in the window, and nothing lies over it. */
async function checkSeen(target: Locator): Promise<void> {
  const hidden = await target.page().evaluate(async () => {
    // A page scrolls in its next frame.
    for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done));
    const now = document.activeElement as HTMLInputElement;
    const { left, top, width, height } = now.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    const isSeen =
      at !== null &&
      (now.contains(at) ||
        at.contains(now) ||
        [...(now.labels ?? [])].some((one) => one.contains(at)));
    return isSeen
      ? null
      : (at?.closest("[class]")?.className.toString() ?? "the edge of the window");
  });
  if (hidden !== null) throw new Error(`“${await nameOf(target)}” has the focus behind ${hidden}`);
}

const nameOf = (target: Locator) =>
  target.evaluate(
    (one: HTMLElement) =>
      one.getAttribute("aria-label") ??
      (one.innerText.trim() || one.dataset["testid"] || one.tagName),
  );
