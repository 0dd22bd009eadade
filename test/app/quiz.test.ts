// @vitest-environment happy-dom
/** A question cell: answered wrong, right, with a hint, and shown. */
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, expect, it } from "vitest";
import { QuizCell } from "../../src/app/book/QuizCell.tsx";

afterEach(cleanup);

const show = (body: string) => render(createElement(QuizCell, { body }));
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
    ["x", "wrong"],
  ] as const) {
    fireEvent.change(number, { target: { value: given } });
    press("Check");
    expect(verdict()).toBe(expected);
  }
  press("Show the answer");
  expect(screen.getByTestId("verdict").textContent).toContain("0.3 points");
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
