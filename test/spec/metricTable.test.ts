import { expect, test } from "vitest";
import { metricEntry, metricTable, PERCENT } from "../../src/spec/metricTable.ts";

test("every name is there once, with its own meaning", () => {
  const names = metricTable.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const levels = ["token", "turn", "trajectory", "group", "update"];
  const units = ["", "%", "nats", "groups", "actions", "turns", "tokens", "moves", "pairs"];
  for (const { name, level, title, unit, meaning, source, also, healthy } of metricTable) {
    expect(levels, name).toContain(level);
    expect(units, name).toContain(unit);
    // No part of a line is in another's place.
    expect([name, title, meaning, also, healthy].join(), name).not.toMatch(/[{}\n[\]]| \| /);
    expect(meaning.length, name).toBeGreaterThan(5);
    expect(["verl", "TRL", "RAGEN", "verl-agent", "ours"], name).toContain(source);
  }
});

test("every metric has words that no other has, short enough for a chart's head, and a unit where it needs one", () => {
  const titles = metricTable.map(({ title }) => title);
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  for (const title of titles) expect(title.length, title).toBeLessThanOrEqual(44);
  for (const { name, meaning, unit } of metricTable)
    if (/^Share of/.test(meaning) && !name.includes("explained_var"))
      expect(unit, name).toBe(PERCENT);
  expect(metricEntry("actor/entropy/3")).toMatchObject({
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
