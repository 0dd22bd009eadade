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

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds on the clock, and of the thread's own processor time. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** Milliseconds of the longest task of a page's main thread: by the clock, and of processor time. */
function longestTask(trace: Buffer): { clock: number; processor: number } {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const place = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const named = traceEvents.filter(({ name }) => name === "thread_name");
  const main = new Set(named.filter(({ args }) => args.name === "CrRendererMain").map(place));
  const tasks = traceEvents.filter((event) => event.name === "RunTask" && main.has(place(event)));
  const longest = (of: (event: TraceEvent) => number | undefined) =>
    tasks.reduce((most, task) => Math.max(most, of(task) ?? 0), 0) / 1000;
  return { clock: longest(({ dur }) => dur), processor: longest(({ tdur }) => tdur) };
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
    await run.click();
    const status = page.getByTestId("status");
    const at = (iteration: number) =>
      page.waitForFunction(
        (least) => (globalThis as unknown as { notes: Notes }).notes.bytes.length >= least,
        iteration,
        { timeout: 350_000 },
      );
    const quarter = Math.ceil(iterations / 4);
    await at(quarter);
    const early = await heapOf(page);
    await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
    await at(iterations);
    const task = longestTask(await browser.stopTracing());
    await expect.poll(() => status.getAttribute("data-state")).toBe("finished");
    const late = await heapOf(page);
    expect(await page.getByTestId("engine").textContent()).toContain(engine);

    const { bytes } = await notesOf(page);
    console.log(
      `${engine}: engine ${bytes[0]} .. ${bytes.at(-1)} bytes, main heap ${early} .. ${late} bytes, ` +
        `longest task ${task.clock.toFixed(0)} ms by the clock, ${task.processor.toFixed(0)} ms of work`,
    );
    expect(bytes).toHaveLength(iterations);
    expect(bytes[0]).toBeGreaterThan(1e6);
    // A shape that comes up late may add a plan's few kilobytes; what leaks, leaks every iteration.
    expect(bytes.at(-1)! / bytes[quarter]!).toBeLessThan(1.02);
    // The log of the run itself grows, by some ten kilobytes an iteration.
    expect(late - early).toBeLessThan(iterations * 100_000);
    // Of work, since another program may take the processor away in the middle of a task.
    expect(task.processor).toBeGreaterThan(0);
    expect(task.processor).toBeLessThan(50);
    expect(errors).toEqual([]);
    await close();
  },
);
