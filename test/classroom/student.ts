/** A student: a profile that opens the class link, takes a desk, predicts, trains and reads the code. */
import type { Browser, Page } from "playwright-core";
import { by } from "../browser/support.ts";

/** A run takes seconds; a machine with six of them takes longer. */
const TAKES = 600_000;

/** @param link the class's. @returns the code that the page gives. */
export async function trainAt(browser: Browser, link: string, desk: number): Promise<string> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  context.setDefaultTimeout(TAKES);
  try {
    const page = await context.newPage();
    await page.goto(link);
    return await trainOn(page, desk);
  } finally {
    await context.close();
  }
}

async function trainOn(page: Page, desk: number): Promise<string> {
  await by(page, "class-seat").fill(String(desk));
  await by(page, "class")
    .getByRole("radio")
    .nth(desk % 3)
    .check();
  await by(page, "class-train").click();
  const code = by(page, "class-code");
  await code.waitFor();
  return (await code.textContent())!;
}

/** Does it for all, at most `most` at a time. @returns in the order of `all`. */
export async function atMost<T, R>(
  most: number,
  all: readonly T[],
  act: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = all.map((one, i) => [one, i] as const);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      results[next[1]] = await act(next[0]);
  };
  await Promise.all(Array.from({ length: most }, work));
  return results;
}
