// @vitest-environment happy-dom
/** A chart over iterations shows what is selected and read in the curves, and is read with them. */
import { createElement } from "react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { IterationSync } from "../../src/charts/chartSync.ts";
import { Chart } from "../../src/draw/Chart.tsx";
import type { ChartBlock } from "../../src/figures/figure.ts";
import { chartSync } from "../../src/panels/shared/chartSync.ts";
import { setCurves } from "../../src/store/curvesView.ts";
import { emptyExperiment } from "../stories/experimentOf.ts";

class Sized {
  constructor(private heard: (entries: object[]) => void) {}
  observe() {
    this.heard([{ contentRect: { width: 300, height: 96 } }]);
  }
  disconnect() {}
}

beforeEach(() => vi.stubGlobal("ResizeObserver", Sized));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(isShared = true) {
  const { store } = emptyExperiment("test");
  const points = Array.from({ length: 50 }, (_, i) => ({ x: i + 1, y: i + 1 }));
  const block: ChartBlock = {
    ...{ kind: "chart", id: "entropy", title: "", says: "actor/entropy", note: "", isRead: true },
    x: { domain: [1, 50], ticks: [1, 50] },
    y: { domain: [0, 50], ticks: [0, 50], unit: "number" },
    marks: [
      { as: "level", y: 20, isLimit: true },
      { as: "line", points },
    ],
  };
  const value = isShared ? chartSync(store) : null;
  render(createElement(IterationSync, { value }, createElement(Chart, { block })));
  return store;
}

it("shows the stretch that is selected, and where the curves are read", () => {
  const store = show();
  expect(screen.queryByTestId("chart-brush")).toBeNull();
  act(() => setCurves(store, { brush: [10, 20], reading: 15 }));
  const brush = screen.getByTestId("chart-brush");
  expect(Number.parseFloat(brush.style.left)).toBeCloseTo((100 * 9) / 49);
  expect(Number.parseFloat(brush.style.width)).toBeCloseTo((100 * 10) / 49);
  expect(screen.getByTestId("chart-read")).toBeTruthy();
  act(() => setCurves(store, { brush: [60, 70], reading: 65 }));
  expect(screen.queryByTestId("chart-brush")).toBeNull();
  expect(screen.queryByTestId("chart-read")).toBeNull();
});

it("is read by the pointer, for all of them", () => {
  const store = show();
  const area = screen.getByTestId("chart-area");
  area.getBoundingClientRect = () => ({ left: 100, width: 490 }) as DOMRect;
  fireEvent.pointerMove(area, { clientX: 200 });
  expect(store.getState().curves.reading).toBe(11);
  fireEvent.pointerLeave(area);
  expect(store.getState().curves.reading).toBeNull();
});

it("shows neither where the curves have another axis", () => {
  show(false);
  expect(screen.queryByTestId("chart-area")).toBeNull();
});
