/** The floors of the house and its circles, as `.dependency-cruiser.mjs` states them. */
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { floorPlan, withPlan } from "../src/cli/floorPlan.mjs";
import rules, { cruiserOptions, FLOORS } from "../.dependency-cruiser.mjs";

const root = resolve(import.meta.dirname, "..");

async function cruised(baseDir: string): Promise<ICruiseResult> {
  const { forbidden } = rules;
  const ruleSet = { forbidden };
  const { output } = await cruise(
    ["src"],
    { ...cruiserOptions, baseDir, validate: true, ruleSet } as never,
    undefined,
    { tsConfig: { options: {} } } as never,
  );
  return output as ICruiseResult;
}

const found = ({ summary }: ICruiseResult) =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);

test("imports only go down, or beside where the design names it, and never in a circle", async () => {
  const result = await cruised(root);
  expect(result.summary.totalCruised).toBeGreaterThan(900);
  expect(found(result)).toEqual([]);
});

test("a climb, a circle of types, work behind the screen, a panel in a panel and a room of no plan are found", async () => {
  const result = await cruised(join(import.meta.dirname, "fixtures", "floors"));
  expect(found(result).sort()).toEqual([
    "charts-apart: src/charts/draw.ts -> src/train/high.ts",
    "charts-apart: src/charts/draw.ts -> src/train/round.ts",
    "no-circles: src/train/high.ts -> src/train/round.ts",
    "no-panel-imports-a-panel: src/panels/clip/clip.ts -> src/panels/ribbon/ribbon.ts",
    "no-panel-imports-a-panel: src/panels/shared/frame.ts -> src/panels/ribbon/ribbon.ts",
    "nothing-runs-what-is-to-be-read: src/algorithm/reading/one.ts -> src/algorithm/reading/two.ts",
    "nothing-runs-what-is-to-be-read: src/train/loop.ts -> src/algorithm/reading/one.ts",
    "only-down-from-numeric: src/numeric/low.ts -> src/train/high.ts",
    "panels-do-not-see-their-table: src/panels/clip/clip.ts -> src/panels/table.ts",
    "rooms-of-the-design: src/charts/draw.ts -> src/cellar/deep.ts",
    "screen-sees-types-only: src/panels/clip/clip.ts -> src/train/high.ts",
    "ui-apart: src/ui/part.ts -> src/record/run.ts",
    "what-is-to-be-read-needs-no-other-file: src/algorithm/reading/one.ts -> src/algorithm/reading/two.ts",
  ]);
});

/** Workers are named by an address, which no import shows. */
test("workers that a file starts are of its room, or below", () => {
  const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));
  const src = join(root, "src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const started = files.flatMap((name) =>
    [...readFileSync(join(src, name), "utf8").matchAll(/new URL\(\s*["'](\.[^"']+\.ts)["']/g)].map(
      ([, path]) => ({ name, to: relative(src, resolve(src, dirname(name), path!)) }),
    ),
  );
  expect(started.length).toBeGreaterThan(3);
  const roomOf = (path: string) => path.split("/")[0]!;
  const climbs = started.filter(
    ({ name, to }) => roomOf(name) !== roomOf(to) && floorOf(roomOf(to)) >= floorOf(roomOf(name)),
  );
  expect(climbs).toEqual([]);
  expect(files.filter((name) => name.includes("/") && floorOf(roomOf(name)) < 0)).toEqual([]);
});

test("the floor plan in src/README.md is drawn from the rules", () => {
  const readme = readFileSync(join(root, "src", "README.md"), "utf8");
  expect(floorPlan()).toContain("| 0 | [`numeric`](numeric/README.md) | Deterministic numbers |");
  expect(withPlan(readme)).toBe(readme);
});
