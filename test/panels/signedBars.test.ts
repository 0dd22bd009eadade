// @vitest-environment happy-dom
import { createElement } from "react";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { SignedBars } from "../../src/panels/shared/SignedBars.tsx";

afterEach(cleanup);

function bars(values: number[], among: number[]) {
  const { container } = render(createElement(SignedBars, { values, among }));
  const box = container.querySelector<HTMLElement>(".signed-bars")!;
  const all = [...box.querySelectorAll("i")].map(({ dataset, style }) => ({
    sign: dataset["sign"],
    share: Number(style.getPropertyValue("--share")),
  }));
  return { up: Number(box.style.getPropertyValue("--up")), all };
}

it("has one zero line and one scale for its row, plus above and minus below", () => {
  const { up, all } = bars([3, -1], [3, 1.5, -1]);
  expect(up).toBe(0.75);
  expect(all).toEqual([
    { sign: "positive", share: 0.75 },
    { sign: "negative", share: 0.25 },
  ]);
});

it("gives a row without minus its whole height, and a row of zeros no bar", () => {
  expect(bars([2], [2, 1]).up).toBe(1);
  expect(bars([0], [0, 0])).toEqual({ up: 0, all: [{ sign: "zero", share: 0 }] });
});
