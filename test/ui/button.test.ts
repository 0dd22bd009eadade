// @vitest-environment happy-dom
/** A button that its own press disables: the focus stays, and a second press does nothing. */
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { Button } from "../../src/ui/Button.tsx";

afterEach(cleanup);

const [press, focus, blur, submit] = [
  vi.fn(),
  vi.fn(),
  vi.fn(),
  vi.fn((e: Event) => e.preventDefault()),
];

function Once() {
  const [isDone, setDone] = useState(false);
  const onClick = () => {
    press();
    setDone(true);
  };
  return createElement(
    Button,
    { type: "submit", disabled: isDone, onClick, onFocus: focus, onBlur: blur },
    "Once",
  );
}

it("keeps the focus until the reader leaves it, and is disabled then", () => {
  const { container } = render(
    createElement("form", { onSubmit: submit as never }, createElement(Once)),
  );
  const button = screen.getByRole<HTMLButtonElement>("button");
  button.focus();
  fireEvent.click(button);
  expect(document.activeElement).toBe(button);
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  fireEvent.click(button);
  expect([press.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1]);
  button.blur();
  fireEvent.blur(button);
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([true, null]);
  // What its place wants to hear of the focus, it hears.
  expect([focus, blur].every((heard) => heard.mock.calls.length > 0)).toBe(true);
  expect(container.querySelectorAll("[aria-disabled]").length).toBe(0);
});
