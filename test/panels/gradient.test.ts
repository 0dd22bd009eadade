import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  drawnAtFirst,
  FIGURE_FILE,
  MOST_LINES,
  ranked,
  readFigure,
} from "../../src/panels/gradient/figure.ts";

const text = readFileSync(join(import.meta.dirname, "../../public", FIGURE_FILE), "utf8");
const figure = readFigure(text);

test("the shipped figure has at least twelve rows at every checkpoint, with intervals and provenance", () => {
  // Six policies; the panel alone asks for it, 34 kB gzipped.
  expect(text.length).toBeLessThan(150_000);
  for (const { rows, sizes, n, commands, machine } of figure.checkpoints) {
    expect(rows.filter(({ ceiling }) => !ceiling).length).toBeGreaterThanOrEqual(12);
    expect(rows.some(({ ceiling }) => ceiling)).toBe(true);
    for (const { cosine, snr } of rows)
      for (const estimates of [cosine, snr]) {
        expect(estimates).toHaveLength(sizes.length);
        for (const [value, low, high] of estimates) {
          expect(low!).toBeLessThanOrEqual(value!);
          expect(high!).toBeGreaterThanOrEqual(value!);
        }
      }
    expect(n.rows).toBe(n.blocks * Math.max(...sizes));
    expect(commands.at(-1)).toContain("turnbook -- gradient");
    expect(machine.length).toBeGreaterThan(10);
  }
});

test("rows with the same numbers are one line, the best first", () => {
  const [{ rows, sizes }] = figure.checkpoints as [(typeof figure.checkpoints)[number]];
  const lines = ranked(rows, sizes.length - 1);
  const group = lines.find(({ titles }) => titles.includes("GRPO"))!;
  expect(group.titles).toContain("GSPO");
  expect(lines.flatMap(({ titles }) => titles)).toHaveLength(rows.length);
  const heights = lines.map(({ cosine }) => cosine.at(-1)![0]!);
  expect(heights).toEqual([...heights].sort((a, b) => b - a));
  const drawn = drawnAtFirst(lines);
  expect(drawn.length).toBeLessThanOrEqual(MOST_LINES);
  expect(drawn).toContain("turn-ppo");
});

test("a figure of another shape is refused", () => {
  const odd = { ...figure.checkpoints[0], sizes: "8" };
  expect(() => readFigure('{"checkpoints":[]}')).toThrow();
  expect(() => readFigure(JSON.stringify({ checkpoints: [odd] }))).toThrow();
});
