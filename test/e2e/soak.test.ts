/** A longer run in the page: memory stays flat, and the page answers all the while. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPage, servePage, type ServedPage } from "../browser/support.ts";

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  // Garbage is collected on demand, and the heap's size is told exactly.
  const flags = ["--js-flags=--expose-gc", "--enable-precise-memory-info"];
  [site, browser] = await Promise.all([servePage({ worker: "real" }), launch(flags)]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** What the page notes of itself, see `watch`. */
interface Notes {
  /** Lengths of tasks of the main thread above 50 ms, in milliseconds. */
  longTasks: number[];
  /** Bytes that the engine holds after each iteration. */
  bytes: number[];
  /** Main thread's heap after a collection, at the first and at the last iteration. */
  heap: number[];
}

/** Runs in the page before anything of it: listens to the worker's events and to the browser's own watch. */
function watch(): void {
  const notes: Notes = { longTasks: [], bytes: [], heap: [] };
  Object.assign(globalThis, { notes });
  new PerformanceObserver((list) => {
    notes.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
  }).observe({ type: "longtask" });
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener("message", ({ data }: MessageEvent) => {
        if (data.type !== "events") return;
        for (const { type, time } of data.events) {
          if (type === "iteration") notes.bytes.push(time.bytes);
        }
      });
    }
  };
}

const notesOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { notes: Notes }).notes);

/** Bytes on the main thread's heap that are in use. */
const heapOf = (page: Page) =>
  page.evaluate(() => {
    (globalThis as unknown as { gc: () => void }).gc();
    return (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize;
  });

const TINY =
  "environment.maxTurns=2&optimisation.tasksPerIteration=1&optimisation.groupSize=4&optimisation.minibatch=4" +
  "&optimisation.epochs=1&critic.epochs=1&critic.warmup=1";

interface Soak {
  name: string;
  hash: string;
  iterations: number;
  engine: string;
}

test.each<Soak>([
  { name: "wasm", hash: "backend=wasm", iterations: 50, engine: "wasm on wasm" },
  {
    name: "software WebGPU",
    hash: `engine.name=webgpu&backend=webgpu&${TINY}`,
    iterations: 5,
    engine: "webgpu on webgpu",
  },
])(
  "$iterations iterations on $name: memory flat, page responsive",
  async ({ hash, iterations, engine }) => {
    const link = `#v1/nano?iterations=${iterations}&algorithms=turn-ppo&evaluation.levels=0&${hash}`;
    const { page, errors, close } = await openPage(browser, "about:blank");
    await page.addInitScript(watch);
    await page.goto(site.url + link);
    const run = page.getByTestId("run");
    await run.waitFor();
    await page.waitForTimeout(2000); // what opening the page costs is not what training costs
    const opened = (await notesOf(page)).longTasks.length;
    await run.click();
    const status = page.getByTestId("status");
    const at = (iteration: number) =>
      page.waitForFunction(
        (least) => (globalThis as unknown as { notes: Notes }).notes.bytes.length >= least,
        iteration,
        { timeout: 350_000 },
      );
    await at(Math.ceil(iterations / 4));
    const early = await heapOf(page);
    await at(iterations);
    await expect.poll(() => status.getAttribute("data-state")).toBe("finished");
    const late = await heapOf(page);
    expect(await page.getByTestId("engine").textContent()).toContain(engine);

    const { bytes, longTasks } = await notesOf(page);
    expect(bytes).toHaveLength(iterations);
    expect(bytes[0]).toBeGreaterThan(1e6);
    expect(bytes.at(-1)).toBe(bytes[Math.ceil(iterations / 4)]);
    const during = longTasks.slice(opened);
    console.log(
      `${engine}: engine ${bytes[0]} .. ${bytes.at(-1)} bytes, main heap ${early} .. ${late} bytes, ` +
        `main-thread tasks above 50 ms: ${during.join(" ") || "none"}`,
    );
    // The log of the run itself grows, by some ten kilobytes an iteration.
    expect(late - early).toBeLessThan(iterations * 100_000);
    expect(Math.max(0, ...during)).toBeLessThan(50);
    expect(errors).toEqual([]);
    await close();
  },
);
