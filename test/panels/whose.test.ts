// @vitest-environment happy-dom
/**
 * Whose a number is, in the panels that are components: what changes with true values, with the method beside it or with another
 * iteration says so in its row, or over its table or figure. As ../figures/whose.test.ts asks it of the figures.
 */
import { act, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { PanelId } from "../../src/panels/manifests.ts";
import type { Truths } from "../../src/reading/truths.ts";
import type { ExperimentStore } from "../../src/store/experimentState.ts";
import { addFork } from "../../src/store/forks.ts";
import type { Fork } from "../../src/store/forkTypes.ts";
import { addTruths } from "../../src/store/truths.ts";
import {
  ITERATION,
  logOf,
  METHODS,
  OTHER_POLICY,
  says,
  truthsBy,
  unsaid,
  whoseRuns,
  type Piece,
} from "../fixtures/whoseRuns.ts";
import { some } from "../every.ts";
import { recordingOf } from "../stories/recordings.ts";
import { panelInDom, usesPanels } from "./inDom.tsx";

usesPanels();

/** What is read as one. */
const UNITS = "tr, li, p, dt, dd, summary, label, legend, h3, h4, h5, figcaption, button, option";
/** What a unit stands in. */
const AROUND = "table, figure, section, details, fieldset, .curve-read, .figure-group";
/** What stands over it there. */
const HEADS = ":scope > :is(thead, caption, figcaption, summary, legend, h3, h4, h5, header, p)";

/** Text, and what is said of it to those who cannot see it, or point at it. */
function saidIn(element: Element): string {
  const named = [element, ...element.querySelectorAll("[aria-label], [title]")];
  const names = named.flatMap((one) => [one.getAttribute("aria-label"), one.getAttribute("title")]);
  return [element.textContent, ...names].filter(Boolean).join(" ");
}

function piecesOf(panel: HTMLElement): Piece[] {
  const units = [...panel.querySelectorAll(UNITS)].filter(
    (one) => one.parentElement!.closest("tr, li") === null && !one.querySelector("tr, li"),
  );
  return units.map((unit) => {
    const heads: string[] = [];
    for (
      let around = unit.closest(AROUND);
      around && around !== panel;
      around = around.parentElement!.closest(AROUND)
    )
      heads.push(
        around.getAttribute("aria-label") ?? "",
        ...[...around.querySelectorAll(HEADS)].filter((head) => !head.contains(unit)).map(saidIn),
      );
    const id = `${unit.tagName} of ${unit.closest("[data-testid]")?.getAttribute("data-testid")}`;
    return { id, text: [saidIn(unit), ...heads].join(" | ") };
  });
}

/** Looks in which nothing may have changed: parts of a panel come later. */
const STILL = 10;

/** The panel's pieces, once nothing changes any more. */
async function shown(
  id: PanelId,
  events: (typeof whoseRuns)["same"],
  algorithm: string,
  truths: Truths = {},
  prepare: (store: ExperimentStore) => void = () => {},
): Promise<Piece[]> {
  const at = `${algorithm},${ITERATION},1,2`;
  const { panel, experiment } = await panelInDom(id, recordingOf(events), at);
  await act(async () => {
    addTruths(experiment.store, truths);
    prepare(experiment.store);
  });
  let before = "";
  let still = 0;
  await waitFor(
    () => {
      const now = panel.innerHTML;
      still = now === before ? still + 1 : 0;
      before = now;
      expect(still).toBeGreaterThanOrEqual(STILL);
    },
    { interval: 20 },
  );
  const pieces = piecesOf(panel);
  panel.closest("body")!.replaceChildren();
  return pieces;
}

/** Curves say "latest" over the values at their ends. */
const ITERATION_OR_LATEST = new RegExp(`${says.iteration.source}|\\| latest\\b`, "i");

const PANELS = ["curves", "formula", "fork", "playground"] as const;

const everywhere = PANELS.flatMap((id, i) =>
  METHODS.map((name, k) => ({ id, algorithm: name, first: i % METHODS.length === k })),
);

describe.each(
  some(everywhere, ({ first }) => first).map((one) => [one.id, one.algorithm] as const),
)("the panel %s at %s", (id, algorithm) => {
  it("says of true values by which policy they are, where another one played", async () => {
    const [first, second] = [
      await shown(id, whoseRuns.same, algorithm, truthsBy(algorithm, OTHER_POLICY)),
      await shown(id, whoseRuns.same, algorithm, truthsBy(algorithm, OTHER_POLICY, 1)),
    ];
    expect(unsaid(first, second, says.policy)).toEqual([]);
  });

  it("names the method beside it, and another iteration, where a number is theirs", async () => {
    const here = await shown(id, whoseRuns.same, algorithm);
    for (const name of METHODS.filter((one) => one !== algorithm)) {
      const there = await shown(id, whoseRuns.ofMethod.get(name)!, algorithm);
      expect(unsaid(here, there, says.method(name)), name).toEqual([]);
    }
    const then = await shown(id, whoseRuns.elsewhere, algorithm);
    expect(unsaid(here, then, ITERATION_OR_LATEST)).toEqual([]);
  });
});

describe("a fork's result", () => {
  /** Of turn 2 of the first episode; `more` than others. */
  function forkBy(trained: number, more: number): Omit<Fork, "number"> {
    const [episode] = logOf(whoseRuns.same).episodes("turn-ppo", ITERATION);
    const spread = (at: number) => ({
      returns: [at - 1, at + 1 + more],
      mean: { mean: at + more, low: at - 3, high: at + 2 + more },
      advantage: { mean: at - 1 + more, low: at - 9, high: at + 9 },
    });
    const kept = { ...episode!, origin: "fork" as const, turn: 1, boards: [], branch: 0 };
    return {
      question: {
        ...{
          kind: "fork",
          algorithm: "turn-ppo",
          iteration: ITERATION,
          episode: episode!,
          turn: 1,
        },
        ...{ branches: 2, response: "Up", board: null },
      },
      answer: {
        ...{ trained, branches: 2, gamma: 0.99, steps: "turn", kept: [kept] },
        ...{ policy: spread(1.137), recorded: spread(2.137), forked: spread(5.137) },
        played: { text: "Up", actions: ["Up"], reward: -0.137 - more, over: false },
      },
    } as unknown as Omit<Fork, "number">;
  }
  const result = async (trained: number, more: number) => {
    const pieces = await shown("fork", whoseRuns.same, "turn-ppo", {}, (store) => {
      addFork(store, forkBy(trained, more));
    });
    return pieces.filter(({ text }) => !text.includes("Kept forks"));
  };

  it("says which policy it is of, where another one played the episode", async () => {
    const [first, second] = [await result(OTHER_POLICY, 0), await result(OTHER_POLICY, 1)];
    expect(unsaid(first, second, says.policy)).toEqual([]);
    expect(second).not.toEqual(first);
  });
});

it("looks at panels that have such numbers", async () => {
  const text = async (id: PanelId, events: (typeof whoseRuns)["same"]) =>
    JSON.stringify(await shown(id, events, "turn-ppo"));
  const changing: PanelId[] = [];
  for (const id of PANELS)
    if ((await text(id, whoseRuns.same)) !== (await text(id, whoseRuns.elsewhere)))
      changing.push(id);
  expect(changing).toContain("curves");
});
