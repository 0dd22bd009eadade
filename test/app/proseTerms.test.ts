// @vitest-environment happy-dom
/** Terms of the glossary in prose: which words are marked, and the card that says what they mean. */
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createElement, Fragment } from "react";
import { afterEach, expect, it } from "vitest";
import { GlossaryCards } from "../../src/app/GlossaryCards.tsx";
import { ProseText } from "../../src/app/ProseText.tsx";
import { glossaryTerm } from "../../src/spec/glossary.ts";
import { glossaryWords } from "../../src/spec/glossaryWords.ts";

afterEach(cleanup);

const show = (markdown: string) =>
  render(
    createElement(Fragment, {}, [
      createElement(ProseText, { key: 1, markdown }),
      createElement("button", { key: 2, "data-term-meaning": "what it earned" }, "Earned"),
      createElement(GlossaryCards, { key: 3 }),
    ]),
  );

const marked = () =>
  [...document.querySelectorAll<HTMLElement>(".prose .term")].map(
    ({ textContent, dataset }) => `${textContent}: ${dataset["termId"]}`,
  );

it("marks each term once a section, and none in headings, links, code and formulas", () => {
  show(
    "The critic is not the **Critic** again; policy gradients need a policy.\n\n" +
      "## The critic\n\nA [critic](#x), a `critic`, $critic$, critics.\n\n- token-PPO, tokens",
  );
  expect(marked()).toEqual([
    ...["critic: critic", "policy gradients: gradient", "policy: policy"],
    ...["critics: critic", "tokens: token"],
  ]);
  expect(document.querySelector(".prose")?.textContent).toContain(
    "The critic is not the Critic again",
  );
});

it("knows a term of the glossary for each word, and no word twice", () => {
  const words = Object.values<readonly string[]>(glossaryWords).flat();
  expect(new Set(words.map((word) => word.toLowerCase())).size).toBe(words.length);
  for (const id of Object.keys(glossaryWords)) expect(glossaryTerm(id).meaning).not.toBe("");
});

it("escapes what it marks around", () => {
  show('<b onclick="x">critic</b> & advantage');
  expect(document.querySelector(".prose b")).toBeNull();
  expect(marked()).toEqual(["critic: critic", "advantage: advantage"]);
});

it("opens a card by focus, tap and hover, tied to its word; Escape closes it", async () => {
  show("An advantage.");
  const word = screen.getByRole("button", { name: "advantage" });
  fireEvent.focusIn(word);
  const card = screen.getByTestId("term-card");
  expect(card.textContent).toContain(glossaryTerm("advantage").meaning);
  expect(word.getAttribute("aria-describedby")).toBe(card.id);
  fireEvent.keyDown(document.body, { key: "Escape" });
  expect(screen.queryByTestId("term-card")).toBeNull();
  expect(word.hasAttribute("aria-describedby")).toBe(false);
  fireEvent.click(word);
  expect(screen.getByTestId("term-card").textContent).toContain("Advantage");
  fireEvent.focusOut(word);
  expect(screen.queryByTestId("term-card")).toBeNull();
  fireEvent(word, new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
  expect(await screen.findByTestId("term-card")).toBeTruthy();
});

it("shows what a column's head says of itself", () => {
  show("");
  fireEvent.focusIn(screen.getByRole("button", { name: "Earned" }));
  expect(screen.getByTestId("term-card").textContent).toBe("EarnedWhat it earned.");
});
