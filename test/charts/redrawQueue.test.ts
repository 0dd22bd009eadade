// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ON_PAPER, RedrawQueue, useRedraw, useTurn } from "../../src/charts/redrawQueue.ts";
import { curveFigure, jobInput, type ChartInput } from "../../src/figures/curves/chart.ts";
import { useFigure } from "../../src/panels/curves/CurvesLens.tsx";
import { Intervals } from "../../src/figures/curves/intervals.ts";
import { metricOf } from "../../src/figures/curves/metrics.ts";
import { useOwnTask } from "../../src/panels/formula/useOwnTask.ts";
import { useLoaded } from "../../src/ui/parts/lazyPart.tsx";
import { createPart } from "../../src/ui/parts/part.ts";
import type { Sliced } from "../../src/numeric/sliced.ts";
import { useSlicedRedraw } from "../../src/panels/shared/useSlicedRedraw.ts";
import { START_VIEW } from "../../src/store/curvesView.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  runTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** One timer, and what React does because of it. */
const nextTimer = () => act(() => void vi.advanceTimersToNextTimer());

/** What sets itself anew is left: it would never end. */
function runTimers(): void {
  for (let left = 10_000; vi.getTimerCount() > 0 && left > 0; left--) nextTimer();
  vi.clearAllTimers();
}

/** Runs a hook in a component of its own; `found` sees each result before the effects do. */
const mount = <P, R>(hook: (props: P) => R, initialProps: P, found: (result: R) => void) =>
  renderHook((props: P) => found(hook(props)), { initialProps });

describe("a part's turn", () => {
  it.each([
    ["with the next frame", (run: () => void) => setTimeout(run, 16)],
    ["though a tab that was hidden meanwhile has no frame", () => 0],
    ["before a frame that is late, and once", (run: () => void) => setTimeout(run, 5000)],
  ])("comes %s", (_, frames) => {
    vi.stubGlobal("requestAnimationFrame", frames);
    const seen: boolean[] = [];
    mount(
      () => useTurn(true),
      undefined,
      (hasCome) => void seen.push(hasCome),
    );
    runTimers();
    expect([seen[0], seen.at(-1)]).toEqual([false, true]);
  });

  it("comes for one part a frame, of many whose code arrives at once", async () => {
    let frames: (() => void)[] = [];
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => void frames.push(run));
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const io = { withFiles: <T>(_: unknown, use: () => Promise<T>) => use(), pause: () => arrived };
    const parts = ["a", "b", "c"].map((name) => createPart(name, () => arrived, io));
    const drawn = parts.map(() => false);
    const panels = parts.map((part, i) =>
      mount(
        () => useTurn(useLoaded(part, true)),
        undefined,
        (hasCome) => void (drawn[i] = hasCome),
      ),
    );
    const nextFrame = async () => {
      const now = frames;
      frames = [];
      for (const run of now) run();
      await act(() => vi.advanceTimersByTimeAsync(1));
      return drawn.filter(Boolean).length;
    };
    // Nothing is drawn before its code is there.
    expect([await nextFrame(), frames.length]).toEqual([0, 0]);
    await act(async () => {
      arrive();
      await vi.advanceTimersByTimeAsync(1);
    });
    const counts: number[] = [];
    for (let frame = 0; frame < 4; frame++) counts.push(await nextFrame());
    expect(counts).toEqual([1, 2, 3, 3]);
    for (const { unmount } of panels) unmount();
  });
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
  runTimers();
  const set = (value: number) => mounted.forEach((chart) => chart.rerender(value));
  return { shown, set, mounted };
}

describe.each([
  ["useRedraw", (value: number) => useRedraw(value, "run").shown],
  ["useOwnTask", (value: number) => useOwnTask(value)],
])("charts with %s", (_, hook) => {
  it("keep their places when new values come before all are drawn", () => {
    const { shown, set } = threeCharts(hook);
    set(1);
    nextTimer();
    nextTimer();
    expect(shown).toEqual([1, 1, 0]);
    set(2);
    nextTimer();
    nextTimer();
    expect(shown).toEqual([2, 1, 2]);
    runTimers();
    expect(shown).toEqual([2, 2, 2]);
  });

  it("are forgotten when they are gone", () => {
    const { shown, set, mounted } = threeCharts(hook);
    set(1);
    mounted[0]!.unmount();
    runTimers();
    expect(shown).toEqual([0, 1, 1]);
  });
});

interface Wanted {
  value: number;
  of: string;
}

function* tenfold(value: number): Sliced<number> {
  yield;
  return 10 * value;
}

describe("a chart out of sight", () => {
  /** A chart of the run "a" in an element of which it is known whether it is covered. */
  const chartWith = (hook: (wanted: Wanted) => Chart, onPaper = false) => {
    let see = (_: boolean) => {};
    class Observer {
      #tell: (entries: { isIntersecting: boolean }[]) => void;
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        this.#tell = tell;
      }
      observe() {
        see = (isIntersecting) => this.#tell([{ isIntersecting }]);
      }
      disconnect() {}
    }
    vi.stubGlobal("IntersectionObserver", Observer);
    const marks = new Set<string>();
    const element: HTMLDivElement = {
      hasAttribute: (name: string) => marks.has(name),
      toggleAttribute: (name: string, on: boolean) => marks[on ? "add" : "delete"](name),
      closest: (selector: string) => (onPaper && selector === `[${ON_PAPER}]` ? element : null),
    } as unknown as HTMLDivElement;
    let shown: number | null = null;
    const chart = mount(hook, { value: 0, of: "a" }, (found) => {
      found.ref.current ??= element;
      shown = found.shown;
    });
    runTimers();
    return {
      see: (isSeen: boolean) => act(() => see(isSeen)),
      want: (value: number, of = "a") => chart.rerender({ value, of }),
      now: () => [shown, marks.has("data-covered")],
    };
  };
  type Chart = { ref: { current: HTMLDivElement | null }; shown: number | null };

  describe.each<[string, number, (wanted: Wanted) => Chart]>([
    ["useRedraw", 1, ({ value, of }) => useRedraw(value, of)],
    ["useSlicedRedraw", 10, ({ value, of }) => useSlicedRedraw(value, of, tenfold)],
  ])("with %s", (_, times, hook) => {
    it("is not redrawn, nor is what it waited for, and catches up when it is seen", () => {
      const { see, want, now } = chartWith(hook);
      want(1);
      see(false);
      runTimers();
      want(2);
      runTimers();
      expect(now()).toEqual([0, false]);
      see(true);
      runTimers();
      expect(now()).toEqual([2 * times, false]);
    });

    it("is redrawn for printing, which does not scroll", () => {
      const { see, want, now } = chartWith(hook, true);
      see(false);
      want(1);
      runTimers();
      expect(now()).toEqual([times, false]);
    });

    it("is covered from when another run is shown until it is drawn of that one", () => {
      const { see, want, now } = chartWith(hook);
      see(false);
      want(1, "b");
      expect(now()).toEqual([0, true]);
      see(true);
      expect(now()).toEqual([0, true]);
      runTimers();
      expect(now()).toEqual([times, false]);
    });

    it("is not covered before the reader's eyes, nor where the first run comes back", () => {
      const { see, want, now } = chartWith(hook);
      want(1, "b");
      expect(now()).toEqual([0, false]);
      runTimers();
      expect(now()).toEqual([times, false]);
      see(false);
      want(2, "c");
      expect(now()).toEqual([times, true]);
      want(1, "b");
      expect(now()).toEqual([times, false]);
    });
  });
});

describe("a chart's intervals", () => {
  it("have little time in the first redraw of every job, more in those that bring the rest", () => {
    const allowed: number[] = [];
    vi.spyOn(Intervals.prototype, "allow").mockImplementation((time) => void allowed.push(time));
    let passes = 0;
    const metric = metricOf("reward", "sokoban")!;
    const empty = { title: "", curves: [], methods: [], xDomain: [0, 5], format: String } as const;
    const build = () => ({ ...curveFigure(empty), unfinished: ++passes % 3 !== 0 });
    const jobs = [0, 1].map(() => jobInput({ runs: [], settings: START_VIEW }, metric));
    const chart = mount(
      (input: ChartInput) => useFigure(input, build),
      jobs[0]!,
      () => {},
    );
    runTimers();
    chart.rerender(jobs[1]!);
    runTimers();
    expect(allowed).toEqual([4, 8, 8, 4, 8, 8]);
  });
});
