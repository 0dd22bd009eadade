import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RedrawQueue, useRedraw } from "../../src/charts/redrawQueue.ts";
import { useCurves } from "../../src/panels/curves/useCurves.ts";
import { buildCurves } from "../../src/panels/curves/curves.ts";
import { Intervals } from "../../src/panels/curves/intervals.ts";
import type { CurveJob } from "../../src/panels/curves/lines.ts";
import { metricOf } from "../../src/panels/curves/metrics.ts";
import { useOwnTask } from "../../src/panels/formula/useOwnTask.ts";
import { START_VIEW } from "../../src/store/curvesView.ts";
import { mount } from "../fixtures/hooks.ts";

vi.mock("react", async () => (await import("../fixtures/hooks.ts")).hooks);
vi.mock("../../src/panels/curves/curves.ts", () => ({ buildCurves: vi.fn() }));

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the queue of redraws", () => {
  const charts = { a: {}, b: {}, c: {} };
  let tasks: (() => void)[] = [];
  let drawn: string[] = [];
  const step = () => tasks.shift()!();
  const newQueue = () => {
    tasks = [];
    drawn = [];
    const queue = new RedrawQueue((run) => void tasks.push(run));
    return {
      ask: (name: keyof typeof charts, text: string = name) =>
        queue.request(charts[name], () => drawn.push(text)),
      forget: (name: keyof typeof charts) => queue.forget(charts[name]),
    };
  };

  it("draws one chart in a task, in the order of asking", () => {
    const { ask } = newQueue();
    (["a", "b", "c"] as const).forEach((name) => ask(name));
    expect(tasks).toHaveLength(1);
    step();
    expect(drawn).toEqual(["a"]);
    step();
    step();
    expect(drawn).toEqual(["a", "b", "c"]);
    // One more finds that nothing waits, and the queue rests until it is asked.
    step();
    expect(tasks).toEqual([]);
    ask("b");
    step();
    expect(drawn).toHaveLength(4);
  });

  it("keeps the place of a chart that waits, and draws its newest value only", () => {
    const { ask } = newQueue();
    ask("a", "old a");
    ask("b", "old b");
    ask("a", "new a");
    while (tasks.length > 0) step();
    expect(drawn).toEqual(["new a", "old b"]);
  });

  it("starves no chart: where there is time for two of three, the third comes first in the next round", () => {
    const { ask } = newQueue();
    const rounds = 30;
    for (let round = 0; round < rounds; round++) {
      (["a", "b", "c"] as const).forEach((name) => ask(name));
      step();
      step();
    }
    const count = (name: string) => drawn.filter((one) => one === name).length;
    for (const name of ["a", "b", "c"]) expect(count(name)).toBeGreaterThanOrEqual(rounds / 2);
  });

  it("forgets, and goes on after a redraw that throws", () => {
    const { ask, forget } = newQueue();
    ask("a");
    ask("b");
    forget("a");
    while (tasks.length > 0) step();
    expect(drawn).toEqual(["b"]);
    const queue = new RedrawQueue((run) => void tasks.push(run));
    queue.request(charts.a, () => {
      throw new Error("no");
    });
    queue.request(charts.b, () => drawn.push("after"));
    expect(step).toThrow("no");
    step();
    expect(drawn).toEqual(["b", "after"]);
  });
});

/** Three charts that show a number each, drawn by the page's queue. */
function threeCharts(hook: (value: number) => number) {
  const shown = [0, 0, 0];
  const mounted = shown.map((value, i) => mount(hook, value, (found) => (shown[i] = found)));
  vi.runAllTimers();
  const set = (value: number) => mounted.forEach((chart) => chart.rerender(value));
  return { shown, set, mounted };
}

describe.each([
  ["useRedraw", (value: number) => useRedraw(value).shown],
  ["useOwnTask", (value: number) => useOwnTask(value)],
])("charts with %s", (_, hook) => {
  it("keep their places when new values come before all are drawn", () => {
    const { shown, set } = threeCharts(hook);
    set(1);
    vi.advanceTimersToNextTimer();
    vi.advanceTimersToNextTimer();
    expect(shown).toEqual([1, 1, 0]);
    set(2);
    vi.advanceTimersToNextTimer();
    vi.advanceTimersToNextTimer();
    expect(shown).toEqual([2, 1, 2]);
    vi.runAllTimers();
    expect(shown).toEqual([2, 2, 2]);
  });

  it("are forgotten when they are gone", () => {
    const { shown, set, mounted } = threeCharts(hook);
    set(1);
    mounted[0]!.unmount();
    vi.runAllTimers();
    expect(shown).toEqual([0, 1, 1]);
  });
});

describe("a chart out of sight", () => {
  it("is not redrawn, nor is what it waited for, and catches up when it is seen", () => {
    let see = (_: boolean) => {};
    class Observer {
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        see = (isIntersecting) => tell([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    }
    vi.stubGlobal("IntersectionObserver", Observer);
    let shown = 0;
    const chart = mount(
      (value: number) => useRedraw(value),
      Number(0),
      (found) => {
        found.ref.current ??= {} as HTMLDivElement;
        shown = found.shown;
      },
    );
    chart.rerender(1);
    see(false);
    vi.runAllTimers();
    chart.rerender(2);
    vi.runAllTimers();
    expect(shown).toBe(0);
    see(true);
    vi.runAllTimers();
    expect(shown).toBe(2);
  });
});

describe("a chart's intervals", () => {
  it("have little time in the first redraw of every job, more in those that bring the rest", () => {
    const allowed: number[] = [];
    vi.spyOn(Intervals.prototype, "allow").mockImplementation((time) => void allowed.push(time));
    let passes = 0;
    vi.mocked(buildCurves).mockImplementation(() => {
      return { curves: [], lost: [], unfinished: ++passes % 3 !== 0 };
    });
    const metric = metricOf("reward", "sokoban")!;
    const jobs = [0, 1].map((): CurveJob => ({ runs: [], settings: START_VIEW }));
    const chart = mount(
      (job: CurveJob) => useCurves(job, metric),
      jobs[0]!,
      () => {},
    );
    vi.runAllTimers();
    chart.rerender(jobs[1]!);
    vi.runAllTimers();
    expect(allowed).toEqual([4, 8, 8, 4, 8, 8]);
  });
});
