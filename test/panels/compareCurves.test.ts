// @vitest-environment happy-dom
/** Runs of several experiments beside each other: their lines, and in what they differ. */
import { cleanup, render, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, expect, it } from "vitest";
import { CompareCurves } from "../../src/panels/curves/CompareCurves.tsx";
import { noRun, RunLog, viewOf, type RunView } from "../../src/reading/log/runLog.ts";
import { validateSpec, type ExperimentSpec } from "../../src/spec/experiment.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";

afterEach(cleanup);

function runOf(spec: ExperimentSpec): RunView {
  const log = new RunLog();
  for (const event of syntheticRun(spec)) log.append(event);
  return viewOf(log, "live");
}

const spec = shortRun();
const slower = validateSpec({
  ...spec,
  seed: 9,
  optimisation: { ...spec.optimisation, actorLr: 1e-5 },
});

it("draws the methods of each, and names the settings in which they differ", () => {
  const runs = [
    { id: "first", view: runOf(spec) },
    { id: "slow", view: runOf(slower) },
    { id: "empty", view: noRun() },
  ];
  const { container } = render(createElement(CompareCurves, { runs, metrics: "reward" }));
  const summary = container.textContent!.replace(/\s/g, " ");
  expect(summary).toContain("A · first: Turn-PPO");
  expect(summary).toContain("B · slow: Turn-PPO");
  expect(summary).not.toContain("empty");
  const rows = [...screen.getByTestId("compare-differences").querySelectorAll("tbody tr")];
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ["optimisation.actorLr", String(spec.optimisation.actorLr), "0.00001"],
  ]);
});

it("says so where they differ in nothing, and where nothing has run", () => {
  const same = [spec, { ...spec, seed: 5 }].map((one, i) => ({ id: `e${i}`, view: runOf(one) }));
  const { rerender } = render(createElement(CompareCurves, { runs: same }));
  screen.getByText(/the same settings/);
  rerender(createElement(CompareCurves, { runs: [{ id: "a", view: noRun() }] }));
  screen.getByText(/Press Run|No run|Run/);
  expect(screen.queryByTestId("compare-differences")).toBeNull();
});

it("says which number no run has; a run that has not begun lacks none", () => {
  const metrics = "reward, train:actor/nonsense";
  const say = () => screen.queryAllByTestId("chart-note").map(({ textContent }) => textContent);
  const { rerender } = render(
    createElement(CompareCurves, { runs: [{ id: "a", view: runOf(spec) }], metrics }),
  );
  expect(say()).toEqual([
    "No run has a metric named actor/nonsense. Nearest: actor/entropy, actor/pg_clipfrac.",
  ]);
  const begun = new RunLog();
  begun.append([...syntheticRun(spec)][0]!);
  rerender(
    createElement(CompareCurves, { runs: [{ id: "a", view: viewOf(begun, "live") }], metrics }),
  );
  expect(say()).toEqual([]);
});
