/**
 * A run in the page, the lens open over it: memory stays flat, and the page answers all the while. TURNBOOK_SOAK=30 soaks
 * for that many iterations, see ../README.md.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timed, traceDuring, type Trace } from "../browser/mainThread.ts";
import { showing } from "../fixtures/lensAddress.ts";
import { launch, openPage, servePage, type ServedPage } from "../browser/support.ts";
import { watchHeap, type Heap } from "../browser/workerHeap.ts";

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
  /** Bytes that the engine holds after each iteration. */
  bytes: number[];
}

/** Runs in the page before anything of it: listens to the worker's events. */
function watch(): void {
  const notes: Notes = { bytes: [] };
  Object.assign(globalThis, { notes });
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

const TRAINING_WORKER = /^worker-/;
/** The three longest: milliseconds of work, and by the clock. */
const inTimes = ({ tasks }: Trace) =>
  tasks
    .slice(0, 3)
    .map(({ processor, clock }) => `${processor.toFixed(0)} (${clock.toFixed(0)}) ms`)
    .join(" ");
const inWords = ({ used, buffers }: Heap) => `${used} bytes and ${buffers} of buffers`;

const heapNow = (page: Page) =>
  page.evaluate(() => {
    (globalThis as unknown as { gc: () => void }).gc();
    return (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize;
  });

/** Bytes on the main thread's heap that are in use: the least of several, since one collection leaves some megabytes. */
async function heapOf(page: Page): Promise<number> {
  const heaps: number[] = [];
  for (let i = 0; i < 5; i++) heaps.push(await heapNow(page));
  return Math.min(...heaps);
}

const TINY =
  "environment.maxTurns=2&optimisation.tasksPerIteration=1&optimisation.groupSize=4&optimisation.minibatch=4" +
  "&optimisation.epochs=1&critic.epochs=1&critic.warmup=1";

/** The clip panel is below the doctor. */
const EIGHT_PANELS = `view=lens${showing("ribbon", "turns", "credits", "tokens", "clip", "curves", "run")}`;
/** Charts are drawn only while they are on screen: all of them are, in coarse pixels for want of a graphics card. */
const TALL = { viewport: { width: 1400, height: 6000 }, deviceScaleFactor: 0.5 };

/** Iterations on WebAssembly: what leaks, leaks every one. */
const LONG = Number(process.env["TURNBOOK_SOAK"] ?? 12);

/** Looks at the worker's heap after an iteration: in one, a checkpoint and its copy may be on their way to the browser's files. */
const READS = 3;
/** Milliseconds between two. */
const READ_EVERY = 150;

interface Soak {
  name: string;
  hash: string;
  /** Panels of the lens that are open. */
  panels: number;
  iterations: number;
  engine: string;
}

test.each<Soak>([
  {
    name: "wasm",
    hash: `backend=wasm&optimisation.tasksPerIteration=4&${EIGHT_PANELS}`,
    panels: 8,
    iterations: LONG,
    engine: "wasm on wasm",
  },
  {
    name: "software WebGPU",
    hash: `engine.name=webgpu&backend=webgpu&${TINY}`,
    panels: 0,
    iterations: Math.max(4, Math.ceil(LONG / 6)),
    engine: "webgpu on webgpu",
  },
])(
  "$iterations iterations on $name with $panels panels: memory flat, page responsive",
  async (soak) => {
    await timed(`longest task on ${soak.name}`, { limit: 50, unit: "ms" }, () =>
      longestTaskOf(soak),
    );
  },
);

/** Runs it, looks at its memory, and gives the milliseconds of work of the page's longest task. */
async function longestTaskOf({ hash, panels, iterations, engine }: Soak): Promise<number> {
  const link = `#v1/nano?iterations=${iterations}&algorithms=turn-ppo&evaluation.levels=0&${hash}`;
  const { page, errors, close } = await openPage(browser, "about:blank", TALL);
  await page.addInitScript(watch);
  await page.goto(site.url + link);
  const run = page.getByTestId("run");
  await run.waitFor();
  await page
    .locator(
      "[data-testid=recording]:is([data-state=shown],[data-state=other]), [data-recording=shown], [data-recording=other]",
    )
    .first()
    .waitFor();
  await expect.poll(() => page.locator(".lens-section[open] > .panel").count()).toBe(panels);
  await page.waitForTimeout(2000); // charts are drawn one after another
  const status = page.getByTestId("status");
  const at = (iteration: number) =>
    page.waitForFunction(
      (least) => (globalThis as unknown as { notes: Notes }).notes.bytes.length >= least,
      iteration,
      { timeout: 350_000 },
    );
  const quarter = Math.ceil(iterations / 4);
  // From the recorded run to this one, the worker's start included.
  const start = await traceDuring(browser, page, async () => {
    await run.click();
    await at(1);
  });
  const readHeap = await watchHeap(page, TRAINING_WORKER);
  /** The least of several: in the middle of an iteration, what it works on is held too. */
  const heapsAt = async (from: number, to: number) => {
    const heaps: Heap[] = [];
    for (let iteration = from; iteration <= to; iteration++) {
      await at(iteration);
      for (let i = 0; i < READS; i++) {
        heaps.push(await readHeap());
        await page.waitForTimeout(READ_EVERY);
      }
    }
    const least = (of: keyof Heap) => Math.min(...heaps.map((heap) => heap[of]));
    return { used: least("used"), buffers: least("buffers") };
  };
  const few = Math.floor(iterations / 10);
  const workerEarly = await heapsAt(quarter, quarter + few);
  const early = await heapOf(page);
  const begun = performance.now();
  const middle = await traceDuring(browser, page, () => at(Math.ceil(iterations / 2)));
  const seconds = (performance.now() - begun) / 1000;
  await at(iterations - 1 - few);
  const workerLate = await heapsAt(iterations - 1 - few, iterations - 1);
  await at(iterations);
  await expect.poll(() => status.getAttribute("data-state")).toBe("finished");
  const late = await heapOf(page);
  await expect.poll(() => page.getByTestId("engine").textContent()).toContain(engine);

  const commits = middle.stamps["store commit"] ?? 0;
  const { bytes } = await notesOf(page);
  console.log(
    `${engine}: engine ${bytes[0]} .. ${bytes.at(-1)} bytes, main heap ${early} .. ${late} bytes, ` +
      `worker heap ${inWords(workerEarly)} .. ${inWords(workerLate)}, ` +
      `longest tasks at the start ${inTimes(start)}, later ${inTimes(middle)}, ` +
      `${commits} commits in ${seconds.toFixed(1)} s`,
  );
  expect(bytes).toHaveLength(iterations);
  expect(bytes[0]).toBeGreaterThan(1e6);
  // A shape that comes up late may add a plan's few kilobytes; what leaks, leaks every iteration.
  expect(bytes.at(-1)! / bytes[quarter]!).toBeLessThan(1.02);
  // The worker keeps no log, but up to four thousand levels that it has met: a megabyte or so.
  expect(workerLate.used - workerEarly.used).toBeLessThan(3e6);
  // One checkpoint of weights and optimiser, 2.6 MB, may be on its way to the browser's files just then.
  expect(workerLate.buffers - workerEarly.buffers).toBeLessThan(3.6e6);
  // The log of the run itself grows, and what is drawn of it; code that the page meets late is compiled once. Measured: 1.4 to 1.6 MB
  // after 12 iterations, 4.0 MB after 60.
  expect(late - early).toBeLessThan(1_000_000 + iterations * 90_000);
  expect(commits).toBeLessThanOrEqual(4 * (seconds + 1));
  if (seconds > 10) expect(commits).toBeGreaterThan(1);
  expect(errors).toEqual([]);
  await close();
  // Of work, since another program may take the processor away in the middle of a task.
  return Math.max(start.tasks[0]!.processor, middle.tasks[0]!.processor);
}
