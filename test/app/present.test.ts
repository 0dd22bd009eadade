// @vitest-environment happy-dom
import { createElement } from "react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { embedded } from "../../src/app/present/embedded.ts";
import {
  bestLayout,
  figureScale,
  finerPieces,
  piecesOf,
  showAlone,
  showPiece,
} from "../../src/app/present/figures.ts";
import { Present, Scores } from "../../src/app/present/Present.tsx";
import { formatPercent } from "../../src/numeric/format.ts";
import { leadOf } from "../../src/reading/leader.ts";
import { titleOf } from "../../src/reading/titles.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";
import { emptyExperiment, showText } from "../stories/experimentOf.ts";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

describe("a figure alone", () => {
  it("is as large as the window allows, and on a phone never smaller than it is", () => {
    const room = { width: 1400, height: 700 };
    expect(figureScale(1000, 400, room)).toBe(1.4);
    expect(figureScale(1000, 600, room)).toBe(1.16);
    // In a hall as in a hand: it scrolls, and is read.
    expect(figureScale(1000, 2000, room)).toBe(1);
    expect(figureScale(360, 2000, { width: 360, height: 600 })).toBe(1);
    expect(figureScale(100, 100, { width: 4000, height: 4000 })).toBe(4);
    expect(figureScale(360, 0, { width: 360, height: 600 })).toBe(1);
  });

  it("is laid out in the width that makes its type largest", () => {
    const room = { width: 1000, height: 700 };
    // Wide and low: only the width counts, so the narrowest is scaled most.
    expect(bestLayout(1000, () => ({ height: 200, room }))).toEqual({ own: 760, scale: 1.31 });
    // Taller where it is narrower, as text is.
    const wrapped = (own: number) => ({ height: own < 900 ? 900 : 650, room });
    expect(bestLayout(1000, wrapped)).toEqual({ own: 900, scale: 1.07 });
    // A panel that is alone is never below the size that a hall can read, and no wider than the window then.
    const tall = (own: number) => ({ height: own < 500 ? 3000 : 2000, room });
    expect(bestLayout(1000, tall, [1240, 480], 2)).toEqual({ own: 500, scale: 2 });
    // A phone has one width.
    const small = { width: 360, height: 600 };
    expect(bestLayout(360, () => ({ height: 2000, room: small }))).toEqual({ own: 360, scale: 1 });
  });

  it("marks the element that contains it, and leaves nothing behind", () => {
    document.body.innerHTML = "<main><article><section data-figure='a'></section></article></main>";
    const before = document.body.innerHTML;
    const end = showAlone(document.querySelector("section")!);
    const marked = [...document.querySelectorAll("[data-figure-path]")].map(
      ({ tagName }) => tagName,
    );
    expect(marked).toEqual(["MAIN", "ARTICLE"]);
    expect(document.querySelector("[data-figure-shown]")?.tagName).toBe("SECTION");
    end();
    expect(document.body.innerHTML).toBe(before);
  });

  it("is split where it is too tall: the text, its questions, and each figure", () => {
    document.body.innerHTML = `<section data-figure="step"><div class="lesson-words"><p>Text</p><div id="q1"><b class="quiz"></b></div><div id="q2"><b class="quiz"></b></div></div>
      <div class="lesson-figures"><div id="f1"></div><details id="f2"></details></div></section>`;
    const step = document.querySelector<HTMLElement>("section")!;
    // Not laid out here: all but the folded one has a height.
    for (const one of document.querySelectorAll(".lesson-words, #f1"))
      Object.defineProperty(one, "clientHeight", { value: 10 });
    const pieces = piecesOf(step);
    expect(pieces.map(([one]) => one!.className || one!.id)).toEqual(["lesson-words", "f1"]);
    const finer = finerPieces(pieces[0]!);
    expect(finer.map((all) => all.map(({ id, tagName }) => id || tagName))).toEqual([
      ["P"],
      ["q1"],
      ["q2"],
    ]);
    expect(finerPieces(pieces[1]!)).toEqual([]);
    const before = document.body.innerHTML;
    const end = showPiece(step, finer[1]!);
    expect(document.querySelector("[data-present-piece]")?.id).toBe("q1");
    end();
    expect(document.body.innerHTML).toBe(before);
  });

  it("is named before the hash", () => {
    expect(embedded("?embed=opening")).toBe("opening");
    expect(embedded("?embed")).toBe("");
    expect(embedded("?benchmark=1")).toBeNull();
  });
});

describe("present mode", () => {
  beforeEach(() => {
    document.body.innerHTML =
      "<main>" +
      "<section data-figure='a' data-figure-title='Who?' data-figure-hides='the answer'></section>" +
      "<section data-figure='b' data-figure-title='B leads' aria-label='Curves'></section></main>";
    // No layout here: everything can be seen.
    vi.spyOn(HTMLElement.prototype, "getClientRects").mockReturnValue([
      new DOMRect(),
    ] as unknown as DOMRectList);
    vi.spyOn(HTMLElement.prototype, "scrollIntoView").mockReturnValue();
    const first = document.querySelector<HTMLElement>("[data-figure=a]")!;
    first.addEventListener("turnbook-reveal", () => {
      delete first.dataset["figureHides"];
      first.dataset["figureTitle"] = "She did.";
    });
    render(createElement(Present, { experiment: undefined, onLeave: vi.fn() }));
  });

  const shown = () => screen.getByTestId("present").dataset["figureShows"];
  const title = () => screen.getByTestId("present-title").textContent;
  const then = () => screen.getByTestId("present-then").textContent!.trim();
  const dots = () =>
    screen.getAllByTestId("present-dot").map((dot) => dot.getAttribute("aria-current"));
  const press = (key: string) => fireEvent.keyDown(document.body, { key });

  it("asks, reveals, and only then goes on; what comes next has its plain name", async () => {
    expect([shown(), title(), then()]).toEqual(["a", "Who?", "Reveal: the answer"]);
    press("ArrowRight");
    await vi.waitFor(() => expect(title()).toBe("She did."));
    expect([shown(), then()]).toEqual(["a", "Next: Curves"]);
    press("ArrowRight");
    expect([shown(), title(), then()]).toEqual(["b", "B leads", ""]);
    press("ArrowLeft");
    expect(title()).toBe("She did.");
  });

  it("has a dot for each figure, which says where one is and leads there", () => {
    expect(dots()).toEqual(["step", null]);
    expect(
      screen.getAllByTestId("present-dot").map((dot) => dot.getAttribute("aria-label")),
    ).toEqual(["Who?", "Curves"]);
    fireEvent.click(screen.getAllByTestId("present-dot")[1]!);
    expect(shown()).toBe("b");
    expect(dots()).toEqual([null, "step"]);
    expect(screen.getByText("2 of 2")).toBeTruthy();
  });
});

it("says in its bar how each method does on held-out tasks, in the run that is shown", async () => {
  const experiment = emptyExperiment("test");
  render(createElement(Scores, { store: experiment.store }));
  expect(screen.queryByTestId("present-scores")).toBeNull();
  await act(() => showText(experiment, syntheticRecording(shortRun())));
  const lead = leadOf(experiment.store.getState().view.log, "val-env/sokoban/success", "heldout")!;
  const [, ...scores] = [...screen.getByTestId("present-scores").children];
  expect(scores.map(({ textContent }) => textContent)).toEqual(
    lead.ranked.map(({ name, value }) => `${titleOf(name)} ${formatPercent(value)}`),
  );
});
