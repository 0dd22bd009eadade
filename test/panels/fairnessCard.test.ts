// @vitest-environment happy-dom
/** The fairness card: what it says of the shipped comparisons, and of what a reader makes of them. */
import { cleanup, render, screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { FairnessCard } from "../../src/panels/curves/FairnessCard.tsx";
import { words } from "../../src/figures/curves/fairnessWords.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { specFromChanges } from "../../src/spec/specChanges.ts";
import type { Change } from "../../src/spec/linkExtras.ts";
import { curveEvents } from "../fixtures/curveRun.ts";
import { chained } from "../fixtures/syntheticRun.ts";

afterEach(cleanup);

const NO_SEARCH = "No equal search of exactly these settings is recorded.";

/** A log that has begun, of a preset with these changes of a link. */
function cardOf(preset: string, ...changes: Change[]): HTMLElement {
  const { spec, warnings } = specFromChanges(preset, changes);
  expect(warnings).toEqual([]);
  const log = new RunLog();
  const [start] = curveEvents();
  for (const event of chained([{ ...start!, spec } as Parameters<typeof chained>[0][number]]))
    log.append(event);
  return shown(log);
}

function shown(log: RunLog): HTMLElement {
  render(createElement(FairnessCard, { log }));
  const card = screen.getByTestId("fairness");
  expect(card.textContent).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
  return card;
}

const cells = (card: HTMLElement, row: string) =>
  [...card.querySelectorAll(`tr[data-row="${row}"] :is(th, td)`)].map((cell) => cell.textContent);
const warningOf = (card: HTMLElement, id: string) =>
  card.querySelector(`[data-warning=${id}]`)?.textContent;
/** Ids of the rows of the card's own table: not those of its folds. */
const firstRows = (card: HTMLElement) =>
  [...card.querySelectorAll(":scope > .table-scroll tr[data-row]")].map((row) =>
    row.getAttribute("data-row"),
  );

describe("the fairness card", () => {
  it("says of nano-fair who sees how many boards, and which search chose the settings", () => {
    const card = cardOf("nano-fair");
    const budget = "12 draws, 3 stages";
    expect(cells(card, "search")).toEqual([
      ...["search budget (nano.json)", budget, budget, budget],
      "equal",
    ]);
    expect(cells(card, "tasks")).toEqual([
      ...["distinct levels per iteration", "16", "128", "128"],
      "differs",
    ]);
    expect(warningOf(card, "tasks")).toBe(
      "GRPO repeats 16 levels 8 times; token-PPO and Turn-PPO see 128. Set Groups to “all methods” for equal levels.",
    );
    expect(warningOf(card, "steps")).toMatch(/The search chose these numbers\.$/);
    expect(card.textContent).not.toContain(NO_SEARCH);
    expect(firstRows(card)).toEqual([
      ...["search", "tasks", "rollouts", "actorSteps", "minibatch", "actorLr"],
      ...["criticWarmup", "entropyCoef"],
    ]);
  });

  it("folds what is equal, and what makes a method that method", () => {
    const card = cardOf("nano-fair");
    const folds = [...card.querySelectorAll<HTMLDetailsElement>("details")];
    expect(folds.map(({ open }) => open)).toEqual([false, false]);
    const [method, equal] = folds;
    const { rows: of } = within(method!).getByRole("table", { hidden: true }) as HTMLTableElement;
    expect(method!.querySelector("summary")!.textContent).toBe(words.method(of.length - 1));
    expect(cells(method!, "gamma")).toEqual(["gamma Discount per time step", "–", "1", "0.99"]);
    expect(cells(equal!, "weightDecay")).toEqual(["weight decay", "0", "0", "0"]);
    expect(cells(equal!, "tokens")).toContain("3840");
  });

  it("says of webshop-fair the search in the shop", () => {
    const card = cardOf("webshop-fair");
    expect(cells(card, "search")[0]).toBe("search budget (webshop-progress.json)");
    expect(card.textContent).not.toContain(NO_SEARCH);
    // All play the same goals there.
    expect(warningOf(card, "tasks")).toBeUndefined();
    expect(warningOf(card, "pay")).toBe(
      "Pay by an exact potential is a baseline for token-PPO and Turn-PPO. Within a group it cancels, so GRPO gains nothing.",
    );
    expect(cells(card, "tasks")[0]).toBe("distinct goals per iteration");
  });

  it.each<Change>([
    ["grpo.optimisation.actorLr", "0.001"],
    ["turn-ppo.critic.lr", "0.01"],
    ["optimisation.grouping", "all"],
  ])("claims no search of nano-fair with %s=%s", (...change) => {
    const card = cardOf("nano-fair", change);
    expect(cells(card, "search")).toEqual([
      ...["search budget", "–", "–", "–"],
      words.status.unknown,
    ]);
    expect(card.textContent).toContain(NO_SEARCH);
    expect(card.textContent).not.toContain("The search chose");
  });

  it("says of plain nano that one rate serves all, and that no search is recorded", () => {
    const card = cardOf("nano");
    expect(card.textContent).toContain(NO_SEARCH);
    expect(warningOf(card, "oneRate")).toMatch(/share one learning rate/);
    expect(card.querySelector("summary")!.textContent).toMatch(
      /3 conditions differ, 3\d equal; no search recorded; 2 warnings$/,
    );
    // Nothing has been written yet.
    expect(cells(card, "written")).toEqual([]);
  });

  it("counts the tokens that each method wrote, up to where all are", () => {
    const events = curveEvents().filter(
      (event) =>
        event.type !== "iteration" || event.algorithm !== "turn-ppo" || event.iteration <= 3,
    );
    const log = new RunLog();
    for (const event of events) log.append(event);
    // 32 episodes of 4 turns of 5 tokens, three times.
    expect(cells(shown(log), "written")).toEqual([
      ...["tokens written in 3 iterations", "1.92k", "1.92k", "1.92k"],
      "from the log",
    ]);
  });

  it("has no table for methods with loops of their own", () => {
    const card = cardOf("nano-tdpo");
    expect(card.querySelectorAll("table")).toHaveLength(0);
    expect(warningOf(card, "outside")).toMatch(/DPO, TDPO1 and TDPO2/);
    expect(presetSpec("nano-tdpo").algorithms).toEqual([]);
  });
});
