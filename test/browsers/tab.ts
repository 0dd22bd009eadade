/** A tab of any browser, as far as these checks need it: looked into by expressions, used by mouse and keys. */

export interface Tab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** An expression's value; a promise is awaited. */
  evaluate<T>(expression: string): Promise<T>;
  /** At a place of the window, in CSS pixels from its top left. */
  clickAt(x: number, y: number): Promise<void>;
  /** Key by key, to what has the focus. */
  type(text: string): Promise<void>;
  /** One key, with others held before it: `Control+Shift+z`. */
  press(keys: string): Promise<void>;
  close(): Promise<void>;
}

export interface AnyBrowser {
  name: string;
  version: string;
  /** A tab in a profile of its own. */
  open(): Promise<Tab>;
  close(): Promise<void>;
}

/** Seconds until something is seen: a click, on a machine that trains beside it. */
const SOON = 60;

/** @throws Error where it is not so within some seconds. */
export async function until(
  tab: Tab,
  what: string,
  expression: string,
  seconds = SOON,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  // What it looks into may not be there yet.
  const seen = `(() => { try { return !!(${expression}); } catch { return false; } })()`;
  while (!(await tab.evaluate<boolean>(seen))) {
    if (performance.now() > end) throw new Error(`never seen in ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** An element by its test id, as an expression. */
export const by = (id: string) => `document.querySelector("[data-testid=${id}]")`;

/** Clicks on an element once it is there, is not disabled and does not move. */
export async function click(tab: Tab, what: string, element: string): Promise<void> {
  await until(
    tab,
    what,
    `(${element}) && !(${element}).matches(":disabled, [aria-disabled=true]")`,
  );
  const spot = `(() => {
    const element = ${element};
    element.scrollIntoView({ block: "center", inline: "nearest" });
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + Math.min(height / 2, 40)];
  })()`;
  const end = performance.now() + SOON * 1000;
  let [x, y] = await tab.evaluate<[number, number]>(spot);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = await tab.evaluate<[number, number]>(spot);
    const isStill = now[0] === x && now[1] === y;
    if (isStill && (await clickedAt(tab, Math.round(x), Math.round(y)))) return;
    if (performance.now() > end) throw new Error(`never stands still: ${what}`);
    [x, y] = now;
  }
}

/** False where WebDriver says that the place has left the window meanwhile: an editor that comes late scrolls. */
async function clickedAt(tab: Tab, x: number, y: number): Promise<boolean> {
  try {
    await tab.clickAt(x, y);
    return true;
  } catch (error) {
    if (!String(error).includes("out of bounds")) throw error;
    return false;
  }
}

export const clickId = (tab: Tab, id: string) => click(tab, id, by(id));
