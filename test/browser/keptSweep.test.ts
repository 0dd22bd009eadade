/** A sweep's runs outlive their page: reloaded or closed in the middle of one. Real worker, real training, real storage. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { axeFaults } from "./axe.ts";
import { keptSweeps } from "./keptSweeps.ts";
import { by, launch, type ServedPage, servePage, takePicture } from "./support.ts";

let site: ServedPage;
let browser: Browser;
let context: BrowserContext;
const errors: string[] = [];

const NOTEBOOK = `# Rates

\`\`\`experiment id=first
preset: nano
seed: 7
algorithms: [grpo]
iterations: 40
backend: wasm
environment: { maxTurns: 2 }
optimisation: { tasksPerIteration: 2, groupSize: 4, minibatch: 8, epochs: 1 }
evaluation: { levels: 0 }
\`\`\`

\`\`\`sweep id=rates of=first
over: { optimisation.epochs: [1, 2] }
\`\`\`
`;

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker: "real" }), launch()]);
  context = await browser.newContext();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

async function newPage(address: string): Promise<Page> {
  const page = await context.newPage();
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(address);
  return page;
}

/** Opens the file as a new notebook. */
async function newNotebook(): Promise<Page> {
  const page = await newPage(`${site.url}#notebooks`);
  const file = {
    ...{ name: "rates.turnbook.md", mimeType: "text/markdown" },
    buffer: Buffer.from(NOTEBOOK),
  };
  await by(page, "notebook-file").setInputFiles(file);
  await by(page, "book-bar").waitFor();
  return page;
}

const hasFinished = (page: Page) =>
  expect.poll(() => by(page, "run-sweep").textContent()).toBe("All runs have finished");

/** Resolves as soon as the page, reloaded or not, keeps the second iteration of the run with that many epochs: the page itself says so. */
async function reaching(page: Page, epochs: number): Promise<{ reached: Promise<void> }> {
  const name = `reached${epochs}`;
  let resolve = () => {};
  const reached = new Promise<void>((done) => (resolve = done));
  await page.exposeFunction(name, resolve);
  const watch = ([wanted, report]: readonly [number, string]) => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
      if (this.name === "runs") {
        const { spec, iteration } = value as { spec: ExperimentSpec; iteration: number };
        if (spec.optimisation.epochs === wanted && iteration >= 2)
          void (window as unknown as Record<string, () => void>)[report]!();
      }
      return put.call(this, value, key);
    };
  };
  await page.addInitScript(watch, [epochs, name] as const);
  await page.evaluate(watch, [epochs, name] as const);
  return { reached };
}

it("a reload goes on with the run in progress, a closed tab's goes on when asked to; the numbers are unbroken", async () => {
  const page = await newNotebook();
  await by(page, "run-sweep").click();
  await hasFinished(page);
  const unbroken = await keptSweeps(page);
  expect(unbroken.map(({ state }) => state)).toEqual(["finished", "finished"]);
  expect(unbroken.every(({ chain }) => chain.length > 10)).toBe(true);
  // Nothing is trained again.
  await page.reload();
  await hasFinished(page);
  await expect.poll(() => by(page, "sweep-table").locator("tbody tr").count()).toBe(2);
  await by(page, "sweep-left").getByText("Finished runs are saved in this browser.").waitFor();
  await page.close();

  const next = await newNotebook();
  const [first, second] = [await reaching(next, 1), await reaching(next, 2)];
  await by(next, "run-sweep").click();
  await first.reached;
  await next.reload();
  const address = next.url();
  await second.reached;
  await next.close();

  const last = await newPage(address);
  await by(last, "sweep-left")
    .getByText(/A run stopped after iteration \d+ of 40/)
    .waitFor();
  await expect.poll(() => by(last, "run-sweep").textContent()).toBe("Run 1 run");
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 390],
  ] as const) {
    await last.emulateMedia({ colorScheme });
    await last.setViewportSize({ width, height: 900 });
    expect(await axeFaults(last, { within: "[data-testid=queue]" })).toEqual([]);
    const wide = await last.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await takePicture(last, `kept-sweep-${colorScheme}.png`, { fullPage: true });
  }
  await by(last, "run-sweep").click();
  await hasFinished(last);
  await expect.poll(() => keptSweeps(last)).toEqual(unbroken);
  expect(errors).toEqual([]);
});

it("a second tab trains nothing that the first one has: it says so, and shows what the first one keeps", async () => {
  const first = await newNotebook();
  await by(first, "run-sweep").click();
  await by(first, "stop-all").click();
  await by(first, "resume-sweep").waitFor();
  const second = await newPage(first.url());
  await by(second, "sweep-left").getByText("Another tab trains this notebook’s sweeps.").waitFor();
  await expect.poll(() => by(second, "run-sweep").isDisabled()).toBe(true);
  await by(first, "resume-sweep").click();
  await Promise.all([hasFinished(first), hasFinished(second)]);
  expect((await keptSweeps(second)).map(({ state }) => state)).toEqual(["finished", "finished"]);
  expect(errors).toEqual([]);
});
