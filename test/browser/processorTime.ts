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
