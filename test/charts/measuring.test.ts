// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { createElement } from "react";
import { expect, it } from "vitest";
import { CurvePlot } from "../../src/charts/CurvePlot.tsx";
import { fitAxis } from "../../src/numeric/scale.ts";

/** Where recharts measures a text, which lays the whole page out while React renders. */
const MEASURED = "#recharts_measurement_span";

it("a chart writes its numbers without measuring them", () => {
  const y = fitAxis([0, 30], false);
  const format = (value: number) => `${value} %`;
  const { container } = render(
    createElement(CurvePlot, {
      ...{ xDomain: [1, 5], xTitle: "iteration", byIteration: true, formatX: String },
      ...{ y, format, onset: null, curves: [], sync: null, size: { width: 400, height: 240 } },
    }),
  );
  const texts = [...container.querySelectorAll("text")].map(({ textContent }) => textContent);
  expect(texts).toEqual(expect.arrayContaining([...y.ticks.map(format), "1", "5"]));
  expect(document.querySelector(MEASURED)).toBeNull();
});
