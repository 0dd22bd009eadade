// @vitest-environment happy-dom
/** The table of runs: recorded seeds are one row a method, with where they ended; each seed on demand. And six methods at most. */
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, expect, it } from "vitest";
import { encodeSeeds } from "../../src/interchange/columnar/seeds.ts";
import { mean, tInterval } from "../../src/numeric/statistics.ts";
import { CompareCurves } from "../../src/panels/curves/CompareCurves.tsx";
import { MOST_METHODS } from "../../src/figures/curves/lines.ts";
import { RunTable } from "../../src/panels/curves/RunTable.tsx";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { rows as algorithms } from "../../src/spec/algorithmRows.ts";
import { validateSpec } from "../../src/spec/experiment.ts";
import { START_VIEW } from "../../src/store/curvesView.ts";
import { ExperimentContext } from "../../src/store/hooks.ts";
import { runsOf } from "../../src/store/runs.ts";
import { readSeeds } from "../../src/store/seeds.ts";
import { SUCCESS, seedRuns } from "../fixtures/seedRuns.ts";
import { shippedLog } from "../fixtures/shippedRun.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";
import { emptyExperiment } from "../stories/experimentOf.ts";

afterEach(cleanup);

const SEEDS = [1, 2, 3, 4, 5];

it("has one row for the seeds of a method, with mean and interval, and the seeds when asked", async () => {
  const { seeds } = await readSeeds(encodeSeeds("", seedRuns(SEEDS, ["grpo", "turn-ppo"])));
  const experiment = emptyExperiment("test");
  const runs = runsOf(viewOf(shippedLog(["turn-ppo", 1]), "recorded"), null, { runs: [] }, seeds);
  const settings = { ...START_VIEW };
  render(
    createElement(
      ExperimentContext,
      { value: experiment },
      createElement(RunTable, { job: { runs, settings } }),
    ),
  );
  const rows = () => [...screen.getByTestId("run-table").querySelectorAll("tbody tr")];
  expect(rows()).toHaveLength(3);
  const last = seeds.slice(5).map((log) => log.series("turn-ppo", SUCCESS, "heldout").y.at(-1)!);
  const { low, high } = tInterval(last as number[]);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const text = rows()[2]!.textContent!.replace(/\s/g, " ");
  expect(text).toContain("Turn-PPO: Held-out success");
  expect(text).toContain(percent(mean(last as number[])));
  expect(text).toContain(`(95 %: ${percent(low)} to ${percent(high)})`);
  fireEvent.click(screen.getByRole("button", { name: "5 seeds of Turn-PPO" }));
  expect(rows()).toHaveLength(8);
  const boxes = () => screen.getAllByRole("checkbox", { name: /Show Turn-PPO/ });
  fireEvent.click(boxes()[0]!);
  expect(experiment.store.getState().curves.hidden).toHaveLength(5);
});

it("draws six methods at most beside each other, and another one in the place of one", () => {
  const names = algorithms.slice(4, MOST_METHODS + 6);
  const spec = validateSpec({
    ...shortRun(),
    algorithms: names.map(({ name }) => ({ name, set: {} })),
  });
  const log = new RunLog();
  for (const event of syntheticRun(spec)) log.append(event);
  const runs = [{ id: "all", view: viewOf(log, "live") }];
  const { container } = render(createElement(CompareCurves, { runs, metrics: "reward" }));
  const boxes = () => screen.getAllByRole<HTMLInputElement>("checkbox");
  const shown = () => boxes().filter(({ checked }) => checked).length;
  expect(boxes()).toHaveLength(MOST_METHODS + 2);
  expect(shown()).toBe(MOST_METHODS);
  expect(boxes().at(-1)!.disabled).toBe(true);
  const line = (title: string) => container.textContent!.includes(`A · all: ${title}`);
  expect(line(names.at(-1)!.title)).toBe(false);
  fireEvent.click(boxes()[0]!);
  fireEvent.click(boxes().at(-1)!);
  expect(shown()).toBe(MOST_METHODS);
  expect(line(names.at(-1)!.title)).toBe(true);
  expect(line(names[0]!.title)).toBe(false);
});
