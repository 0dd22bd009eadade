// @vitest-environment happy-dom
/** A question cell: answered wrong, right, with a hint, and shown; items put in order, and a turn chosen. */
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, expect, it } from "vitest";
import { QuizCell } from "../../src/app/book/cells/quiz/QuizCell.tsx";
import { ExperimentContext } from "../../src/store/hooks.ts";
import { viewOf } from "../../src/reading/log/runLog.ts";
import { emptyExperiment } from "../stories/experimentOf.ts";
import { shippedLog } from "../fixtures/shippedRun.ts";
import { askToReveal, hiddenIn } from "../../src/ui/reveal.ts";

afterEach(cleanup);

const show = (body: string) => render(createElement(QuizCell, { cell: { body } }));
const verdict = () => screen.getByTestId("quiz").getAttribute("data-verdict");
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

it("checks a choice, and shows the explanation once it is right", async () => {
  show(
    "question: Which?\noptions: [the first, the last]\nanswer: 2\nexplanation: Only the last push scored.",
  );
  expect((screen.getByRole("button", { name: "Check" }) as HTMLButtonElement).disabled).toBe(true);
  fireEvent.click(screen.getByLabelText("the first"));
  press("Check");
  expect(verdict()).toBe("wrong");
  expect(screen.getByTestId("verdict").textContent).not.toContain("Only the last push");
  fireEvent.click(screen.getByLabelText("the last"));
  expect(verdict()).toBe("open");
  press("Check");
  expect(verdict()).toBe("right");
  expect(await screen.findByText("Only the last push scored.")).toBeTruthy();
});

it("checks a number within its tolerance, gives a hint, and shows the answer", async () => {
  show(
    "question: How much?\nkind: number\nanswer: 0.3\ntolerance: 0.05\nunit: points\nhint: Add the two.",
  );
  press("Hint");
  expect(await screen.findByText("Add the two.")).toBeTruthy();
  const number = screen.getByLabelText(/Your answer/);
  for (const [given, expected] of [
    ["0.36", "wrong"],
    ["0,35", "right"],
    ["0.25", "right"],
    ["0.25 points", "right"],
    ["x", "open"],
    ["1,250", "open"],
    ["30", "wrong"],
  ] as const) {
    fireEvent.change(number, { target: { value: given } });
    press("Check");
    expect(verdict()).toBe(expected);
  }
  press("Show the answer");
  expect(screen.getByTestId("verdict").textContent).toContain("0.3 points");
});

it("says why it cannot read an answer, and what a wrong one misses", () => {
  show("question: How much?\nkind: number\nanswer: -0.3\ntolerance: 0.01");
  const said = (given: string) => {
    fireEvent.change(screen.getByLabelText(/Your answer/), { target: { value: given } });
    press("Check");
    return screen.getByTestId("verdict").textContent;
  };
  expect(said("a third")).toBe("“a third” is not read as a number. Type digits, as in −0.5.");
  expect(said("1,250")).toBe("“1,250” could be two numbers. Type 1.250 or 1250.");
  expect(said("0.3")).toBe("The size is right; look at the sign.");
  expect(said("-3")).toBe("The digits are right; look at the decimal point.");
  expect([said("2"), said("-2")]).toEqual(["Too high. Try again.", "Too low. Try again."]);
  expect(said("−0,3")).toContain("Right.");
});

it("starts over", async () => {
  show("question: Which?\noptions: [the first, the last]\nanswer: 2\nhint: Look again.");
  expect(screen.queryByTestId("quiz-reset")).toBeNull();
  fireEvent.click(screen.getByLabelText("the last"));
  press("Hint");
  press("Check");
  expect(verdict()).toBe("right");
  press("Start over");
  expect(verdict()).toBe("open");
  expect((screen.getByLabelText("the last") as HTMLInputElement).checked).toBe(false);
  expect(screen.queryByText("Look again.")).toBeNull();
});

const ORDER = "question: Sort them.\nkind: order\noptions: [first, second, third]";
const items = () =>
  [...document.querySelectorAll("[data-testid=quiz-grip]")].map(({ textContent }) => textContent);

it("puts items in order by buttons and arrow keys, and the focus stays with the item", () => {
  show(ORDER);
  const mixed = items();
  expect(mixed).not.toEqual(["first", "second", "third"]);
  const check = screen.getByRole("button", { name: "Check" }) as HTMLButtonElement;
  expect(check.disabled).toBe(true);
  const top = screen.getByRole("button", { name: "Move up: first" });
  top.focus();
  for (let i = 0; i < 2; i++) fireEvent.keyDown(document.activeElement!, { key: "ArrowUp" });
  expect(items()[0]).toBe("first");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move up: first");
  expect(screen.getByTestId("quiz-moved").textContent).toBe("first: now 1 of 3");
  if (items()[1] !== "second") press("Check");
  else press("Move up: third");
  if (verdict() === "open") press("Check");
  expect(verdict()).toBe("wrong");
  if (items()[2] !== "third") press("Move down: third");
  if (items()[0] !== "first") press("Move up: first");
  press("Check");
  expect(items()).toEqual(["first", "second", "third"]);
  expect(verdict()).toBe("right");
});

it("puts items in order by a pointer", () => {
  show(ORDER);
  const list = screen.getByRole("list", { name: "Your answer" });
  list.setPointerCapture = () => {};
  [...list.children].forEach((item, i) => {
    item.getBoundingClientRect = () => new DOMRect(0, 40 * i, 200, 40);
  });
  const before = items();
  const grip = screen.getByText(before[0]!);
  fireEvent.pointerDown(grip, { button: 0, pointerId: 1, clientY: 20 });
  fireEvent.pointerMove(list, { pointerId: 1, clientY: 110 });
  expect(list.children[2]!.getAttribute("data-drop")).toBe("below");
  expect(items()).toEqual(before);
  fireEvent.pointerUp(list, { pointerId: 1, clientY: 110 });
  expect(items()).toEqual([before[1], before[2], before[0]]);
  expect(list.querySelector("[data-drop]")).toBeNull();
});

const TURN = "question: Which?\nkind: turn\nat: grpo,10,1\nanswer: 2\nexplanation: The push.";

/** With one iteration of a recorded run. */
function recordedExperiment() {
  const experiment = emptyExperiment("first");
  experiment.store.setState({ view: viewOf(shippedLog(["grpo", 10]), "recorded") });
  return experiment;
}

it("shows the turns of an episode to choose from", async () => {
  const experiment = recordedExperiment();
  render(
    createElement(
      ExperimentContext,
      { value: experiment },
      createElement(QuizCell, { cell: { body: TURN } }),
    ),
  );
  const turns = screen.getAllByRole("radio");
  expect(turns.length).toBeGreaterThan(1);
  expect(screen.getAllByTestId("board")).toHaveLength(turns.length);
  fireEvent.click(turns[0]!);
  press("Check");
  expect(verdict()).toBe("wrong");
  fireEvent.click(turns[1]!);
  press("Check");
  expect(verdict()).toBe("right");
  expect(await screen.findByText("The push.")).toBeTruthy();
});

it("says that the episode is not there, and takes the number of the turn", () => {
  const experiment = recordedExperiment();
  const cell = createElement(QuizCell, { cell: { body: TURN.replace("10,1", "999,1") } });
  render(createElement(ExperimentContext, { value: experiment }, cell));
  expect(screen.getByTestId("quiz-no-turns").textContent).toContain("no iteration 999");
  cleanup();
  show(TURN);
  expect(screen.getByTestId("quiz-no-turns").textContent).toContain("not loaded");
  fireEvent.change(screen.getByLabelText("Turn"), { target: { value: "2" } });
  press("Check");
  expect(verdict()).toBe("right");
});

it("hides its answer from whoever presents it, until it is asked to show it", () => {
  const { container } = render(
    createElement(
      "div",
      { "data-figure": "cell-q" },
      createElement(QuizCell, { cell: { body: TURN } }),
    ),
  );
  const figure = container.querySelector<HTMLElement>("[data-figure]")!;
  expect(hiddenIn(figure)).toBe("the answer");
  act(() => askToReveal(figure));
  expect(verdict()).toBe("shown");
  expect(hiddenIn(figure)).toBeNull();
  expect(screen.getByTestId("verdict").textContent).toContain("Answer: Turn 2");
});
