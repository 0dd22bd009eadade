/** How long a page's main thread was busy at a time. */
import type { Browser, Page } from "playwright-core";

/** Milliseconds that one task took: by the clock, and of the thread's own processor time. */
export interface Task {
  clock: number;
  processor: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds, as in Task. */
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

/** The tasks of the main thread while `body` runs, longest in processor time first. */
export async function tasksDuring(
  browser: Browser,
  page: Page,
  body: () => Promise<unknown>,
): Promise<Task[]> {
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline"] });
  await body();
  return tasksOf(await browser.stopTracing());
}

function tasksOf(trace: Buffer): Task[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const place = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const named = traceEvents.filter(({ name }) => name === "thread_name");
  const main = new Set(named.filter(({ args }) => args.name === "CrRendererMain").map(place));
  return traceEvents
    .filter((event) => event.name === "RunTask" && main.has(place(event)))
    .map(({ dur = 0, tdur = 0 }) => ({ clock: dur / 1000, processor: tdur / 1000 }))
    .sort((a, b) => b.processor - a.processor);
}
