// @vitest-environment happy-dom
/** The opening figure as a reader meets it: guess first, then the true credit. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CutsFigure } from "../../src/panels/opening/CutsFigure.tsx";
import { OpeningFigure } from "../../src/panels/opening/OpeningFigure.tsx";
import { pictureOfCuts } from "../../src/panels/opening/cutsPicture.tsx";
import { pictureOfStrip } from "../../src/panels/opening/picture.tsx";
import { numbersOfCuts, numbersOfStrip } from "../../src/panels/opening/numbers.ts";
import { bestTurn } from "../../src/figures/spread.ts";
import { signedCredit } from "../../src/panels/opening/strip.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { readOpening } from "../../src/reading/opening.ts";
import { firstLearned } from "../../src/spec/schedule.ts";
import { ExperimentContext, type ExperimentHandle } from "../../src/store/hooks.ts";
import { setPreferences } from "../../src/store/preferences.ts";
import { askToReveal, hiddenIn } from "../../src/ui/reveal.ts";
import { curveEvents, curveSpec } from "../fixtures/curveRun.ts";
import { emptyExperiment } from "../stories/experimentOf.ts";

const text = readFileSync(join(import.meta.dirname, "../../public/figures/opening.json"), "utf8");
const { truth, turns, at, credits, tokenCredits } = readOpening(text);
const best = bestTurn(truth.advantage);
const other = best === 0 ? 1 : 0;

let experiment: ExperimentHandle;

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(text)));
  experiment = emptyExperiment("test");
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  setPreferences({ shortcuts: true });
});

const figureFrom = (file: string) =>
  createElement(
    ExperimentContext,
    { value: experiment },
    createElement(OpeningFigure, { file, curves: null, note: "One run", takes: "4 min" }),
  );

async function show(): Promise<HTMLElement> {
  await act(async () => {
    render(figureFrom("figures/opening.json"));
  });
  await screen.findAllByTestId("opening-turn");
  return screen.getByTestId("opening");
}

const verdict = () => screen.getByTestId("opening-verdict").textContent;

it("shows each turn as a named picture, and no true credit before a guess", async () => {
  const figure = await show();
  const boards = within(figure).getAllByRole("img");
  expect(boards).toHaveLength(turns.length + 1);
  expect(boards[1]!.getAttribute("aria-label")).toMatch(/^Turn 2\. /);
  for (const value of truth.advantage)
    expect(figure.textContent).not.toContain(`${signedCredit(value)} ±`);
  expect(within(figure).getAllByRole("button", { name: /^Guess turn/ })).toHaveLength(turns.length);
});

it("reveals the true credit at a guess, and says whether it was right", async () => {
  const figure = await show();
  fireEvent.click(screen.getAllByTestId("opening-turn")[other]!);
  expect(verdict()).toContain(`Not turn ${other + 1}: turn ${best + 1} earned most.`);
  expect(figure.textContent).toContain(`${signedCredit(truth.advantage[best]!)} ±`);
  fireEvent.click(screen.getAllByTestId("opening-turn")[best]!);
  expect(verdict()).toContain(`Yes: turn ${best + 1}.`);
  expect(screen.getAllByTestId("opening-turn")[best]!.getAttribute("aria-pressed")).toBe("true");
});

it("takes a guess by key, but not where single keys are off or someone types", async () => {
  await show();
  const press = (target: Element | Document) =>
    fireEvent.keyDown(target, { key: String(best + 1) });
  setPreferences({ shortcuts: false });
  press(document);
  expect(verdict()).toContain("Your turn");
  setPreferences({ shortcuts: true });
  const field = document.body.appendChild(document.createElement("input"));
  press(field);
  expect(verdict()).toContain("Your turn");
  press(document.body);
  expect(verdict()).toContain("Yes");
  field.remove();
});

it("leads to the same episode in the lens", async () => {
  await show();
  const href = decodeURIComponent(screen.getByTestId("opening-lens").getAttribute("href")!);
  expect(href).toContain("view=lens");
  expect(href).toContain(`at=${at.algorithm},${at.iteration},${at.episode + 1}`);
});

it("says how each board moves on, and that rows have scales of their own", async () => {
  const figure = await show();
  const arrows = [...figure.querySelectorAll(".move-arrows")];
  expect(arrows.map((one) => one.querySelectorAll("g").length)).toEqual(
    turns.map(({ actions }) => actions.length),
  );
  expect(figure.textContent).toContain("Each row has its own scale");
  expect(screen.getByTestId("opening-takes").textContent).toContain("about 4 min");
});

it("shows the true credit without a guess where it is asked to, as present mode does", async () => {
  const figure = await show();
  expect(hiddenIn(figure)).toBe("the true credit");
  act(() => askToReveal(figure));
  expect(hiddenIn(figure)).toBeNull();
  expect(figure.dataset["figureTitle"]).toContain(`Turn ${best + 1} earned the reward`);
  expect(verdict()).toMatch(new RegExp(`^Turn ${best + 1} raised the expected reward by`));
  expect(
    screen.getAllByTestId("opening-turn").map((one) => one.getAttribute("aria-pressed")),
  ).not.toContain("true");
  const marked = figure.querySelectorAll("[data-best]");
  expect([...marked].map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining(signedCredit(truth.advantage[best]!)),
  ]);
});

it("has a statement for a title once the true credit is seen, and not before", async () => {
  const figure = await show();
  expect(figure.dataset["figureTitle"]).toBe("Who earned the reward?");
  fireEvent.click(screen.getAllByTestId("opening-turn")[other]!);
  expect(figure.dataset["figureTitle"]).toMatch(
    new RegExp(`^Turn ${best + 1} earned the reward\\. GRPO paid all ${turns.length} the same`),
  );
});

it("says nothing of the recorded seeds where the form asks for another environment", async () => {
  await show();
  const aside = screen.getByRole("complementary", { name: "What each learned" });
  expect(aside.textContent).toContain("One run");
  expect(aside.textContent).toContain("you see a recorded run");
  const shown = { state: "shown", command: "", warnings: [], integrity: null } as const;
  act(() => experiment.store.setState({ recorded: null, recording: { ...shown, warnings: [] } }));
  expect(aside.textContent).not.toContain("One run");
  expect(aside.textContent).not.toContain("you see a recorded run");
  expect(screen.queryByTestId("opening-lens")).toBeNull();
});

it("keeps the place of who trains by keyboard, though the button goes", async () => {
  await show();
  const start = screen.getByTestId("opening-start");
  start.focus();
  vi.spyOn(experiment.session, "toggleRun").mockReturnValue(undefined);
  fireEvent.click(start);
  act(() => experiment.store.setState({ state: "running" }));
  expect(document.activeElement).toBe(screen.getByTestId("opening-running"));
});

it.each([
  [1, /: No clear leader in training, iterations \d+ to \d+: \S+ 100\.0\s%, \S+ 100\.0\s%, /],
  [0.5, /: \S+ leads in training: 100\.0\s% solved in iterations \d+ to \d+, then \S+ 50\.0\s%, /],
])(
  "says who leads in training until what was trained is tried on new levels (the second at %d)",
  async (second, sentence) => {
    await show();
    const values: Record<string, number> = { "token-ppo": second, "turn-ppo": 1, grpo: 0 };
    const every = 10;
    const events = curveEvents({
      ...{ iterations: 10, every },
      change: (metrics, name) => ({ ...metrics, "sokoban/success": values[name]! }),
    });
    const log = new RunLog();
    const train = (from: number, to: number) =>
      act(() => {
        for (const event of events.slice(from, to)) log.append(event);
        experiment.store.setState({ state: "running", view: viewOf(log, "live") });
      });
    const tried = events.findIndex((one) => one.type === "eval" && one.iteration > 0);
    // Three that all play with an updated policy.
    const last = firstLearned(curveSpec()) + 2;
    const third = events.findIndex((one) => one.type === "iteration" && one.iteration === last);
    train(0, third);
    expect(screen.queryByTestId("opening-so-far")).toBeNull();
    train(third, tried);
    const said = `: ${screen.getByTestId("opening-so-far").textContent}`;
    expect(said).toMatch(sentence);
    expect(said).toMatch(new RegExp(`at iteration ${every}\\.$`));
    train(tried, events.length);
    expect(screen.queryByTestId("opening-so-far")).toBeNull();
    expect(screen.getByTestId("opening-lead").textContent).toMatch(/held-out success at iteration/);
  },
);

it("cuts the same episode into one piece, turns and tokens, each with its credit", async () => {
  await act(async () => {
    render(createElement(CutsFigure, { file: "figures/opening.json" }));
  });
  const figure = await screen.findByTestId("cuts");
  const pieces = [...figure.querySelectorAll(".cuts-way")].map((way) =>
    within(way as HTMLElement)
      .getAllByTestId("cuts-piece")
      .map((piece) => piece.title),
  );
  const written = (values: readonly number[]) => values.map((value) => signedCredit(value));
  expect(pieces).toEqual([
    written(credits["grpo"]!.slice(0, 1)),
    written(tokenCredits!["token-ppo"]!.flat()),
    written(credits["turn-ppo"]!),
  ]);
});

it("says so where the figure is missing", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 404 })));
  await act(async () => {
    render(figureFrom("figures/none.json"));
  });
  await screen.findByText("The figure could not be loaded.");
});

it("saves the strip's numbers turn by turn, in full, and the pieces of the cuts", async () => {
  const opening = readOpening(text);
  const strip = numbersOfStrip(opening);
  expect(strip.head.slice(0, 5)).toEqual(["turn", "response", "actions", "reward", "GRPO"]);
  expect(strip.rows.map((row) => row.slice(-3))).toEqual(
    turns.map((_, h) => [truth.advantage[h], truth.low[h], truth.high[h]]),
  );
  expect(strip.rows.map((row) => row[4])).toEqual(credits["grpo"]);
  const { rows } = numbersOfCuts(opening);
  const pieces = rows.filter(([method]) => method === "token-PPO").map(([, , , value]) => value);
  expect(pieces).toEqual(tokenCredits!["token-ppo"]!.flat());
  expect(rows[0]!.slice(0, 3)).toEqual(["GRPO", null, 1]);
});

it("both figures are pictures of one drawing, with what the page has shown of them and no more", async () => {
  const opening = readOpening(text);
  const labels = (svg: string) => {
    const { documentElement } = new DOMParser().parseFromString(svg, "image/svg+xml");
    return [...documentElement.querySelectorAll("text")].map(({ textContent }) => textContent);
  };
  const [hidden, seen] = [
    labels(await pictureOfStrip(opening, false)),
    labels(await pictureOfStrip(opening, true)),
  ];
  for (const name of ["GRPO", "token-PPO", "Turn-PPO", "Turn 1", ...turns.map((one) => one.text)])
    expect(hidden).toContain(name);
  for (const value of credits["turn-ppo"]!) expect(hidden).toContain(signedCredit(value));
  expect(hidden).not.toContain("True credit");
  expect(hidden).not.toContain(signedCredit(truth.advantage[best]!));
  expect(seen).toEqual(expect.arrayContaining([...hidden, "True credit"]));
  for (const value of truth.advantage) expect(seen).toContain(signedCredit(value));
  const cuts = labels(await pictureOfCuts(opening));
  for (const value of tokenCredits!["token-ppo"]!.flat())
    expect(cuts).toContain(signedCredit(value));
});

it("both figures have the menu that charts have", async () => {
  await act(async () => {
    render(createElement(CutsFigure, { file: "figures/opening.json" }));
    render(
      createElement(
        ExperimentContext,
        { value: experiment },
        createElement(OpeningFigure, {
          ...{ file: "figures/opening.json", curves: null, note: "", takes: null },
        }),
      ),
    );
  });
  expect(await screen.findByTestId("data-opening")).toBeTruthy();
  expect(await screen.findByTestId("data-cuts")).toBeTruthy();
});
