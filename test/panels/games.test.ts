// @vitest-environment happy-dom
/** What panels show of environments that are neither Sokoban nor the shop. */
import { waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { presetSpec } from "../../src/spec/presets.ts";
import { gameRecording } from "../fixtures/gameRun.ts";
import { panelInDom, usesPanels } from "./inDom.tsx";

usesPanels();

const PROGRAM_WORDS = /NaN|undefined|null|Infinity|\[object/;
const METHODS = ["grpo", "token-ppo", "turn-ppo"];

describe.each(["frozenlake", "bandit"] as const)("a run of %s", (preset) => {
  let text = "";
  beforeAll(async () => {
    text = await gameRecording(preset);
  });

  it.each(METHODS)("has the formula's numbers, or a reason, for %s", async (method) => {
    const { panel } = await panelInDom("formula", text, `${method},2,1,1`, presetSpec(preset));
    await waitFor(() => expect(panel.querySelector("[data-value]")).not.toBeNull());
    expect(panel.textContent).not.toMatch(PROGRAM_WORDS);
    const values = [...panel.querySelectorAll("[data-value]")].map((cell) =>
      Number(cell.getAttribute("data-value")),
    );
    expect(values.filter(Number.isFinite).length).toBeGreaterThan(3);
  });

  it("has groups with their rollouts", async () => {
    const { panel } = await panelInDom("group", text, "grpo,2,1,1", presetSpec(preset));
    await waitFor(() => expect(panel.querySelector("tbody tr")).not.toBeNull());
    expect(panel.querySelectorAll("tbody tr").length).toBe(4);
    expect(panel.textContent).toMatch(/Group mean −?\d|No spread/);
    expect(panel.textContent).not.toMatch(PROGRAM_WORDS);
  });

  it.each(METHODS)("has the ratios of optimiser steps for %s", async (method) => {
    const { panel } = await panelInDom("clip", text, `${method},2,1,1`, presetSpec(preset));
    const summary = await within(panel).findByTestId("clip-summary");
    expect(summary.textContent).toMatch(/\d+ uses of turns|Nothing was cut/);
    expect(panel.querySelectorAll("svg").length).toBeGreaterThan(0);
    expect(panel.textContent).not.toMatch(PROGRAM_WORDS);
  });

  it.each(METHODS)("has the critic's values, or says whose they are, for %s", async (method) => {
    const { panel } = await panelInDom("critic", text, `${method},2,1,1`, presetSpec(preset));
    const summary = await within(panel).findByTestId("critic-summary");
    expect(summary.textContent).toMatch(/\d+ turns? of \d+ episodes|predicts 0 for all/);
    expect(panel.textContent).toContain("no Sokoban board");
    expect(panel.textContent).not.toMatch(PROGRAM_WORDS);
  });

  it("names its tasks by the environment's own word", async () => {
    const { panel } = await panelInDom("turns", text, "grpo,2,1,1", presetSpec(preset));
    await within(panel).findByText(preset === "bandit" ? /^Game \d/ : /^Lake \d/);
  });
});
