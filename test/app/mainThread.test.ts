import { describe, expect, it } from "vitest";
import { tasksOf, type TraceEvent } from "../browser/mainThread.ts";

const task = (changes: Partial<TraceEvent>): TraceEvent => ({
  ...{ name: "RunTask", pid: 1, tid: 7, args: {} },
  ...changes,
});
const named = { ...task({ name: "thread_name" }), args: { name: "CrRendererMain" } };

describe("the tasks of a trace", () => {
  it("are the main thread's, the longest in processor time first", () => {
    const others = [task({ tid: 8, dur: 9e6, tdur: 9e6 }), task({ name: "Other", tdur: 9e6 })];
    const own = [task({ dur: 90_000, tdur: 2000 }), task({ dur: 4000, tdur: 3000 }), task({})];
    expect(tasksOf([named, ...others, ...own])).toEqual([
      { clock: 4, processor: 3 },
      { clock: 90, processor: 2 },
      { clock: 0, processor: 0 },
    ]);
  });

  it("are no measurement where no processor time is told", () => {
    expect(() => tasksOf([named, task({ dur: 90_000 })])).toThrow("No processor time");
    expect(() => tasksOf([named])).toThrow("No processor time");
  });
});
