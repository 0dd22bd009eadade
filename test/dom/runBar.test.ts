// @vitest-environment happy-dom
/** The run bar: how long a run takes before it starts, what its engine promises, and its findings. */
import { createElement } from "react";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Exactness, RunBar } from "../../src/app/shell/RunBar.tsx";
import { choiceAt } from "../../src/app/shell/Timeline.tsx";
import { runSeconds } from "../../src/app/runTime.ts";
import type { UnchainedEvent } from "../../src/record/runEvent.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { emptyExperiment, showText } from "../stories/experimentOf.ts";
import { recordingOf, typicalEvents } from "../stories/recordings.ts";

afterEach(cleanup);

const bar = (experiment: Parameters<typeof RunBar>[0]["experiment"]) =>
  createElement(RunBar, {
    experiment,
    hasKeys: true,
    placeHref: () => "#",
    healthHref: () => "#health",
  });

const finding = (iteration: number): UnchainedEvent => ({
  type: "finding",
  detector: "entropy-blow-up",
  title: "Entropy blow-up",
  severity: "critical",
  algorithm: "grpo",
  iteration,
  firstBad: iteration,
  says: "It rose.",
  evidence: [],
  cause: "A cause.",
  remedies: [],
  time: { at: "2026-01-01T00:00:00Z" },
});

it("names each finding on its track, and leads to the iteration by a click", async () => {
  const experiment = emptyExperiment("test");
  await showText(experiment, recordingOf([...typicalEvents(), finding(19)]));
  render(bar(experiment));
  const mark = screen.getByRole("button", { name: "Iteration 19: Entropy blow-up (GRPO)" });
  fireEvent.click(mark);
  const { choice } = experiment.store.getState();
  expect([choice.algorithm, choice.iteration]).toEqual(["grpo", 19]);
});

it("draws a place of its track once, and names a few, however many findings there are", async () => {
  const experiment = emptyExperiment("test");
  const many = Array.from({ length: 3000 }, (_, i) => finding(1 + (i % 20)));
  await showText(experiment, recordingOf([...typicalEvents(), ...many]));
  const { container } = render(bar(experiment));
  expect(container.querySelectorAll(".track-finding")).toHaveLength(20);
  expect(container.querySelectorAll("*").length).toBeLessThan(200);
  for (const mark of screen.getAllByTestId("track-mark"))
    expect(mark.title.length).toBeLessThan(400);
});

it("leads from its chip to the first finding's method and iteration, wherever the cursor was", async () => {
  const experiment = emptyExperiment("test");
  await showText(experiment, recordingOf([...typicalEvents(), finding(19)]));
  const { view, choice } = experiment.store.getState();
  const there = choiceAt(view.log, { ...choice, algorithm: "turn-ppo" }, view.log.findings[0]!);
  expect(there).toMatchObject({ algorithm: "grpo", iteration: 19, episode: 0, turn: 0 });
});

it("says how long a preset's run takes, before it starts", () => {
  render(bar(emptyExperiment("test", presetSpec("nano"))));
  expect(screen.getByTestId("bar-takes").textContent).toMatch(/^about \d+ min$/);
});

it("shows no time for settings without a measured one, and scales it with the iterations", () => {
  const nano = presetSpec("nano");
  const { optimisation } = nano;
  const half = { ...optimisation, iterations: optimisation.iterations / 2 };
  expect(runSeconds({ ...nano, optimisation: half }, null)).toBe(runSeconds(nano, null)! / 2);
  const slower = { ...nano.optimisation, actorLr: 0.0001, entropyCoef: 0 };
  const other = { ...nano, seed: 9, optimisation: slower, critic: { ...nano.critic, lr: 0.01 } };
  expect(runSeconds(other, null)).toBe(runSeconds(nano, null));
  const more = { ...optimisation, groupSize: 2 * optimisation.groupSize };
  expect(runSeconds({ ...nano, optimisation: more }, null)).toBeNull();
});

it.each([
  ["wasm", null, "bit-exact"],
  ["webgpu", null, "bit-exact on this device"],
  ["webgpu", "no", "not bit-exact"],
])("says of %s (%s): %s", (backend, promised, text) => {
  render(createElement(Exactness, { backend, promised }));
  expect(screen.getByTestId("bar-exact").textContent).toBe(text);
});

it("says nothing about an unknown engine", () => {
  const { container } = render(createElement(Exactness, { backend: "cpu", promised: null }));
  expect(container.textContent).toBe("");
});
