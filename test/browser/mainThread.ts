/** How long a page's main thread was busy at a time, and what it says of itself. */
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";

/** How often a time is taken at most. */
const TIMES = 3;

/** Times hold only where nothing else is at work, so `npm test` takes them and says them; `test/bench/pageTimes.mjs` keeps them. */
const LIMITED = process.env["TURNBOOK_TIMES"] === "1";

/**
 * Takes a time, in `unit`, and says it. Where times are limited: the least of three is below the limit. What can be done in
 * a time is done so once where no other program disturbs it; below the limit it is not taken again.
 */
export async function timed(
  what: string,
  { limit, unit }: { limit: number; unit: string },
  measure: () => Promise<number>,
): Promise<void> {
  let least = await measure();
  for (let i = 1; LIMITED && i < TIMES && least >= limit; i++)
    least = Math.min(least, await measure());
  console.log(`${what}: ${least.toFixed(2)} ${unit} (limit ${limit})`);
  if (LIMITED) expect(least, what).toBeLessThan(limit);
}

/** Milliseconds that one task took: by the clock, and of the thread's own processor time. */
export interface Task {
  clock: number;
  processor: number;
}

export interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds, as in Task. */
  dur?: number;
  tdur?: number;
  args: { name?: string; data?: { message?: string }; elementCount?: number };
}

export interface Trace {
  /** Of the main thread, longest in processor time first. */
  tasks: Task[];
  /** How often the page said each thing with console.timeStamp. */
  stamps: Readonly<Record<string, number>>;
  /** The most elements whose style was computed in one go. */
  restyled: number;
}

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];

/** What a Chromium trace says of the page while `body` runs. */
export async function traceDuring(
  browser: Browser,
  page: Page,
  body: () => Promise<unknown>,
): Promise<Trace> {
  await browser.startTracing(page, { categories: CATEGORIES });
  let trace: Buffer;
  try {
    await body();
  } finally {
    // A browser has one at a time, and the next test may share it.
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const styles = traceEvents.filter(({ name }) => name === "UpdateLayoutTree");
  return {
    tasks: tasksOf(traceEvents),
    stamps: stampsOf(traceEvents),
    restyled: Math.max(0, ...styles.map(({ args }) => args.elementCount ?? 0)),
  };
}

/** Milliseconds of processor time of the longest task of the main thread while `body` runs. */
export async function longestTask(page: Page, body: () => Promise<unknown>): Promise<number> {
  const [longest] = await tasksDuring(page.context().browser()!, page, body);
  return longest!.processor;
}

/** The tasks of the main thread while `body` runs, longest in processor time first. */
export async function tasksDuring(
  browser: Browser,
  page: Page,
  body: () => Promise<unknown>,
): Promise<Task[]> {
  return (await traceDuring(browser, page, body)).tasks;
}

/** @throws Error where the trace tells no processor times: a limit on them would hold whatever happened. */
export function tasksOf(events: readonly TraceEvent[]): Task[] {
  const place = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const named = events.filter(({ name }) => name === "thread_name");
  const main = new Set(named.filter(({ args }) => args.name === "CrRendererMain").map(place));
  const tasks = events
    .filter((event) => event.name === "RunTask" && main.has(place(event)))
    .map(({ dur = 0, tdur = 0 }) => ({ clock: dur / 1000, processor: tdur / 1000 }))
    .sort((a, b) => b.processor - a.processor);
  if (!tasks.some(({ processor }) => processor > 0))
    throw new Error(`No processor time is told of any of ${tasks.length} tasks.`);
  return tasks;
}

function stampsOf(events: readonly TraceEvent[]): Record<string, number> {
  const stamps: Record<string, number> = {};
  for (const { name, args } of events) {
    const message = name === "TimeStamp" ? (args.data?.message ?? "") : "";
    if (message !== "") stamps[message] = (stamps[message] ?? 0) + 1;
  }
  return stamps;
}
