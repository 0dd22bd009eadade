// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, expect, test } from "vitest";
import { panelOf } from "../../src/app/GlossaryView.tsx";
import { routeOf } from "../../src/app/route.ts";
import { GlossaryPanel } from "../../src/panels/glossary/GlossaryPanel.tsx";
import { critic } from "../../src/figures/critic/manifest.ts";
import { causeSection } from "../../src/panels/glossary/causeTerms.ts";
import { panelTermsHref } from "../../src/panels/shared/glossaryLink.ts";
import { isExperimentHash } from "../../src/store/links.ts";
import { glossary } from "../../src/spec/glossary.ts";

afterEach(cleanup);

const ids = () =>
  [...document.querySelectorAll("[data-term]")].map((entry) => entry.getAttribute("data-term"));

test("lists every term, and those with a word in them", () => {
  render(createElement(GlossaryPanel, { picked: null, panel: null, allHref: "#glossary" }));
  const all = [...glossary, causeSection].flatMap(({ terms }) => terms.map(({ id }) => id));
  expect(ids()).toEqual(all);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "Explained VAR" } });
  expect(ids()).toContain("explained-variance");
  expect(ids().length).toBeLessThan(12);
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "no such word" } });
  expect(ids()).toEqual([]);
});

test("lists the terms of a panel, whose link leads here", () => {
  const href = panelTermsHref(critic);
  expect(routeOf(href)).toBe("glossary");
  expect(isExperimentHash(href)).toBe(false);
  const picked = href.replace("#glossary-", "");
  render(createElement(GlossaryPanel, { picked, panel: panelOf(picked), allHref: "#glossary" }));
  expect(new Set(ids())).toEqual(new Set(critic.terms));
  expect(screen.getByRole("link").getAttribute("href")).toBe("#glossary");
});
