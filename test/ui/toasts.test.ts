// @vitest-environment happy-dom
/** Messages of what was done: said, taken back, gone. */
import { createElement } from "react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Toasts } from "../../src/ui/Toasts.tsx";
import { say, toasts } from "../../src/ui/toasts.ts";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  toasts.setState({ all: [] });
});

it("goes by itself, but not where something can be done about it", () => {
  vi.useFakeTimers();
  render(createElement(Toasts));
  const undo = vi.fn();
  act(() => {
    say({ text: "Link copied." });
    say({ text: "Deleted.", action: { name: "Undo", run: undo } });
  });
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.queryByText("Link copied.")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(undo).toHaveBeenCalledOnce();
  act(() => void vi.advanceTimersByTime(1000));
  expect(toasts.getState().all).toEqual([]);
});

it("keeps the newest three", () => {
  for (const text of ["1", "2", "3", "4"]) say({ text });
  expect(toasts.getState().all.map(({ text }) => text)).toEqual(["2", "3", "4"]);
});
