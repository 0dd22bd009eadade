import { expect, test } from "vitest";
import { manifests } from "../../src/panels/manifests.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { numberAxes } from "../../src/method/numbers.ts";
import { glossary, glossaryTerm, hintOf, metricTermId } from "../../src/spec/glossary.ts";
import { metricTable } from "../../src/spec/metricTable.ts";
import { rowAxes } from "../../src/method/rowAxes.ts";
import { renderTex } from "../../src/ui/maths/katex.ts";

const all = glossary.flatMap(({ terms }) => terms);

test("every metric and every axis has an entry with its own meaning", () => {
  for (const { name, meaning } of metricTable)
    expect(glossaryTerm(metricTermId(name))).toMatchObject({ term: name, meaning });
  for (const [name, { about }] of Object.entries({ ...rowAxes, ...wordAxes, ...numberAxes }))
    expect(glossaryTerm(`axis-${name}`)).toMatchObject({ term: name, meaning: about });
});

test("every panel names terms, and the glossary has them", () => {
  for (const { id, terms } of manifests) {
    expect(terms.length, id).toBeGreaterThanOrEqual(3);
    expect(new Set(terms).size, id).toBe(terms.length);
    for (const term of terms) expect(glossaryTerm(term).meaning, `${id} ${term}`).not.toBe("");
  }
});

test("every term of a section of its own is used by a panel, or is a word of the page", () => {
  const used = new Set<string>(manifests.flatMap(({ terms }) => [...terms]));
  const others = all.filter(({ id }) => !/^(axis|metric)-/.test(id) && !used.has(id));
  expect(others.length).toBeLessThan(12);
});

test("terms are one each, in plain sentences with a source", () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const own = all.filter(({ id }) => !/^(axis|metric)-/.test(id));
  expect(new Set(own.map(({ term }) => term)).size).toBe(own.length);
  for (const { id, term, meaning, source } of own) {
    expect(meaning, id).toMatch(/^[A-Z].*[^.]$/);
    expect(meaning.split(" ").length, id).toBeLessThanOrEqual(20);
    expect([id, term, source].every((text) => text.length > 0)).toBe(true);
    expect(id).toMatch(/^[\w-]+$/);
  }
});

test("equations are KaTeX", () => {
  const equations = all.flatMap(({ equation }) => equation ?? []);
  expect(equations.length).toBeGreaterThan(15);
  for (const tex of equations) expect(renderTex(tex, false)).not.toContain("katex-error");
});

test("a hint begins small, but for names", () => {
  expect(hintOf("ratio")).toMatch(/^how many times/);
  expect(() => hintOf("nonsense")).toThrow("nonsense");
});
