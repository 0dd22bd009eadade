// @vitest-environment happy-dom
/** Whose the true values are: said in every place that shows them, where another policy than the episode's played. */
import { createElement } from "react";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { TruthButton } from "../../src/panels/shared/ask/TruthButton.tsx";
import type { EpisodeTruth } from "../../src/reading/truths.ts";
import { truthKey } from "../../src/reading/truths.ts";
import { ExperimentContext } from "../../src/store/hooks.ts";
import { addTruths } from "../../src/store/truths.ts";
import { emptyExperiment, openLens, showText } from "../stories/experimentOf.ts";
import { recordingOf, typicalEvents } from "../stories/recordings.ts";

afterEach(cleanup);

/** The bar's button at an episode whose truth is of the policy after that many iterations. */
async function buttonWith(trainedBy: (iteration: number) => number): Promise<HTMLElement> {
  const experiment = emptyExperiment("test");
  await showText(experiment, recordingOf(typicalEvents()));
  openLens(experiment, { at: "turn-ppo,20,1,1" });
  const { log } = experiment.store.getState().view;
  const [episode] = log.episodes("turn-ppo", 20);
  const turn = {
    value: 1,
    valueInterval: [0, 2],
    advantage: 0,
    advantageInterval: [-1, 1],
  } as const;
  const truth: EpisodeTruth = {
    turns: episode!.turns.map(() => turn),
    found: { gamma: 1, steps: "turn", branches: 8, trained: trainedBy(20) },
  };
  addTruths(experiment.store, { [truthKey("turn-ppo", 20, episode!.trajectory)]: truth });
  const button = createElement(TruthButton, { brief: true });
  render(createElement(ExperimentContext, { value: experiment }, button));
  return screen.getByRole("button");
}

it("is ticked, in green, where the episode's own policy played", async () => {
  const button = await buttonWith((iteration) => iteration - 1);
  expect(button.textContent).toContain("True values known");
  expect(button.querySelector(".good")).not.toBeNull();
});

it.each([
  [30, "True values: after iteration 30", "the policy after 30 iterations"],
  [0, "True values: initial policy", "the initial policy"],
])(
  "says whose they are where one of %i iterations did, and is not green",
  async (trained, text, title) => {
    const button = await buttonWith(() => trained);
    expect(button.textContent).toBe(text);
    expect(button.title).toContain(title);
    expect(button.title).toContain("did not play this");
    expect(button.querySelector(".good")).toBeNull();
  },
);
