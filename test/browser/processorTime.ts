/** What pages cost, however busy the machine is: time of the processor, not of the clock. */
import type { Browser } from "playwright-core";

/** Milliseconds of processor time so far of all pages of the browser, with their workers; in steps of 10 ms. */
export async function pagesTime(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === "renderer");
  return pages.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

/** Milliseconds of work that `crowding` measures by. */
const WORK = 100;

/** How many times as long as on an idle machine work takes by the clock just now: 1 if no other program is busy. */
export function crowding(): number {
  const began = performance.now();
  const before = process.cpuUsage();
  let worked = 0;
  while (worked < WORK) {
    const { user, system } = process.cpuUsage(before);
    worked = (user + system) / 1000;
  }
  return Math.max(1, (performance.now() - began) / worked);
}
