import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  drawnAtFirst,
  FIGURE_FILE,
  MOST_LINES,
  ranked,
  readFigure,
} from "../../src/figures/gradient/recorded.ts";
import { gradientPanel } from "../../src/figures/gradient/gradient.ts";
import type { Block, Figure, FigureInput } from "../../src/figures/figure.ts";

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

/** The panel's figure under these choices. */
function shown(held: FigureInput["held"], of: typeof figure | null = figure): Figure {
  return gradientPanel(of).figure({ held } as FigureInput, null);
}

const kinds = <K extends Block["kind"]>(all: Figure, kind: K) =>
  all.filter((block) => block.kind === kind) as Extract<Block, { kind: K }>[];

const drawnIn = (all: Figure) => {
  const [cosine] = kinds(all, "side")[0]!.parts[0]!;
  return cosine!.kind === "lines" ? cosine!.lines : [];
};

test("every row has its numbers with intervals, and n, commands and machine", () => {
  const all = shown({});
  const grid = kinds(all, "grid")[0]!;
  const rows = Array.from({ length: grid.count }, (_, place) => grid.row(place));
  expect(
    rows
      .map(({ name }) => name)
      .join(", ")
      .split(", ").length,
  ).toBeGreaterThanOrEqual(12);
  for (const { cells } of rows)
    expect(cells[0]).toMatch(/^−?\d\.\d\d \(−?\d\.\d\d to −?\d\.\d\d\)$/);
  const how = kinds(all, "group")[0]!.parts();
  const said = [...all, ...how].map((block) => ("text" in block ? block.text : "")).join("\n");
  expect(said).toMatch(/n = [\d,]+ episodes in \d+ blocks/);
  expect(said).toContain("Machine: AMD EPYC");
  expect(how.flatMap((block) => ("command" in block ? block.command : [])).at(-1)).toContain(
    "npm run -s turnbook -- gradient",
  );
});

test("rows are drawn or not, and sorted by another batch size", () => {
  const before = drawnIn(shown({}));
  expect(before.length).toBeLessThanOrEqual(MOST_LINES);
  const { sizes } = figure.checkpoints[0]!;
  for (const { x, band } of before) {
    expect(x).toEqual(sizes);
    expect(band).toHaveLength(sizes.length);
  }
  const grid = kinds(shown({}), "grid")[0]!;
  const rows = Array.from({ length: grid.count }, (_, place) => grid.row(place));
  const first = rows.find(({ check }) => check!.isOn)!;
  expect(first.check!.says).toBe(`Draw ${first.name.replace(" (ceiling)", "")}`);
  const { by } = first.check!;
  const after = drawnIn(shown("choose" in by ? by.choose : {}));
  expect(after.map(({ id }) => id)).toEqual(
    before.map(({ id }) => id).filter((id) => id !== first.id),
  );
  const full = rows.filter(({ check }) => !check!.isOn).map(({ check }) => check!.disabled);
  expect(new Set(full)).toEqual(new Set([before.length === MOST_LINES]));
  const small = shown({ size: "8" });
  expect(kinds(small, "text").map(({ title }) => title)).toContain("All rows at 8 episodes");
});

test("a file that did not load is said to be missing", () => {
  expect(shown({}, null)).toMatchObject([{ kind: "text", look: "warning" }]);
});
