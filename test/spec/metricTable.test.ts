import { expect, test } from "vitest";
import { metricEntry, metricTable } from "../../src/spec/metricTable.ts";
import { metricTitle, PERCENT } from "../../src/spec/metricTitles.ts";

test("every name is there once, with its own meaning", () => {
  const names = metricTable.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, meaning, source } of metricTable) {
    expect(meaning.length, name).toBeGreaterThan(5);
    expect(["verl", "TRL", "RAGEN", "verl-agent", "ours"], name).toContain(source);
  }
});

test("every metric has words that no other has, short enough for a chart's head, and a unit where it needs one", () => {
  const titles = metricTable.map(({ name }) => metricTitle(name)?.title ?? `none for ${name}`);
  expect(titles.filter((title) => title.startsWith("none for"))).toEqual([]);
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  for (const title of titles) expect(title.length, title).toBeLessThanOrEqual(44);
  for (const { name, meaning } of metricTable)
    if (/^Share of/.test(meaning) && !name.includes("explained_var"))
      expect(metricTitle(name)!.unit, name).toBe(PERCENT);
  expect(metricTitle("actor/entropy/*", "actor/entropy/3")).toEqual({
    title: "Policy entropy, turn 3",
    unit: "nats",
  });
});

test("a name is found by itself or by its pattern, and no part of another", () => {
  expect(metricEntry("sokoban/success")?.name).toBe("*/success");
  for (const mark of ["success_purchase", "success_find", "end_of_page"])
    expect(metricEntry(`webshop/${mark}`)?.name).toBe(`*/${mark}`);
  expect(metricEntry("webshop/pass@8")?.name).toBe("*/pass@*");
  expect(metricEntry("actor/entropy/3")?.name).toBe("actor/entropy/*");
  expect(metricEntry("actor/entropy")?.name).toBe("actor/entropy");
  expect(metricEntry("val-env/sokoban/success")).toBeUndefined();
  expect(metricEntry("xactor/entropy")).toBeUndefined();
});
