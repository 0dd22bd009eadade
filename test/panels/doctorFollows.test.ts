// @vitest-environment happy-dom
/** A plot of evidence shows what is selected and read in the curves, and is read with them. */
import { createElement } from "react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { EvidencePlot } from "../../src/panels/doctor/EvidencePlot.tsx";
import { setCurves } from "../../src/store/curvesView.ts";
import { ExperimentContext } from "../../src/store/hooks.ts";
import { emptyExperiment } from "../stories/experimentOf.ts";

afterEach(cleanup);

function show() {
  const experiment = emptyExperiment("test");
  const x = Array.from({ length: 50 }, (_, i) => i + 1);
  const plot = createElement(EvidencePlot, {
    ...{ series: { x, y: x }, metric: "actor/entropy", limits: [20], firstBad: 33 },
  });
  render(createElement(ExperimentContext, { value: experiment }, plot));
  return experiment.store;
}

it("shows the stretch that is selected, and where the curves are read", () => {
  const store = show();
  expect(screen.queryByTestId("doctor-brush")).toBeNull();
  act(() => setCurves(store, { brush: [10, 20], reading: 15 }));
  const width = (id: string) => Number(screen.getByTestId(id).getAttribute("width"));
  const share = width("doctor-brush") / width("doctor-area");
  expect(share).toBeCloseTo(10 / 49);
  expect(screen.getByTestId("doctor-read")).toBeTruthy();
  act(() => setCurves(store, { brush: [60, 70], reading: 65 }));
  expect(screen.queryByTestId("doctor-brush")).toBeNull();
  expect(screen.queryByTestId("doctor-read")).toBeNull();
});

it("is read by the pointer, for all of them", () => {
  const store = show();
  const area = screen.getByTestId("doctor-area");
  area.getBoundingClientRect = () => ({ left: 100, width: 490 }) as DOMRect;
  fireEvent.pointerMove(area, { clientX: 200 });
  expect(store.getState().curves.reading).toBe(11);
  fireEvent.pointerLeave(area);
  expect(store.getState().curves.reading).toBeNull();
});

it("shows neither where the curves have another axis", () => {
  const store = show();
  act(() => setCurves(store, { axis: "turns", brush: [10, 20], reading: 15 }));
  expect(screen.queryByTestId("doctor-brush")).toBeNull();
});
