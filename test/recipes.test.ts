/**
 * The recipes of `.github/CONTRIBUTING.md`, each counted on an existing instance: exactly the files that its row lists name it. A row
 * may list a folder, or the common beginning of several files, as one place.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const GUIDE = readFileSync(join(ROOT, ".github", "CONTRIBUTING.md"), "utf8");

interface Instance {
  /** Finds the instance by its path or in a line of code. */
  names: RegExp;
  /** Files that use the instance and that a new one would not need. */
  users?: readonly string[];
}

/** By the change's name in the table. */
const instances: Record<string, Instance> = {
  algorithm: { names: /"rebn"|\brebn:/ },
  estimator: {
    names: /\bturnPpoSt\b|"token-gae-turn-mean"/,
    users: ["src/spec/algorithmRows.ts"],
  },
  "clip rule": {
    names: /\blogGeomean\b|"log-geomean"|\/logGeomean/,
    users: ["src/spec/algorithmRows.ts"],
  },
  "axis value": { names: /"traj-turn-mean"/ },
  environment: { names: /\bbandit\b/i },
  figure: { names: /\/figures\/speed\/|\bspeedPanel\b|`speed\/`/ },
  "kind of cell": {
    names: /\bcuts(Kind|Screen)\b|"cuts"|^  cuts: \{/m,
    users: ["src/panels/opening/CutsFigure.tsx"],
  },
  importer: { names: /\bunipo(Settings|\.json)?\b/i },
  lesson: { names: /"clinic"|\bnotebooks\/clinic\.md/ },
  command: { names: /\blogitsCommand\b|\/logits\.ts/ },
  kernel: { names: /\bswigluBackward\b/, users: ["src/engine/plan/backward.ts"] },
  metric: { names: /actor\/turn_ratio_ess\b/ },
  key: { names: /\bnextMethod\b/ },
};

const inRoot = (folder: string, kind: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((path) => kind.test(path));

const files = [
  ...inRoot("src", /\.tsx?$|\bfigures\/README\.md$/),
  ...inRoot("public/notebooks", /\bnotebooks\/\w+\.md$/),
  ...inRoot("test/fixtures/import", /\.json$/),
].map((path) => ({ path, code: codeOf(readFileSync(join(ROOT, path), "utf8")) }));

/** Without lines of comments. */
function codeOf(text: string): string {
  return text.replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, "");
}

/** Rows of the table: change, number of places, their paths. */
const rows = [...GUIDE.matchAll(/^\| ([\w ]+) \| (\d+) \| ((?:\+ )?`.*) \|$/gm)].map(
  ([, change, count, places]) => ({
    change: change!,
    count: Number(count),
    places: [...places!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!).sort(),
  }),
);

it("has a row for each change", () => {
  expect(rows.map(({ change }) => change).sort()).toEqual(Object.keys(instances).sort());
});

describe.each(rows)("$change", ({ change, count, places }) => {
  it("is made in the places of its row", () => {
    const { names, users = [] } = instances[change]!;
    const found = files
      .filter(({ path, code }) => names.test(path) || names.test(code))
      .map(({ path }) => places.find((place) => path.startsWith(place)) ?? path)
      .filter((path) => !users.includes(path));
    expect([...new Set(found)].sort()).toEqual(places);
    expect(places).toHaveLength(count);
  });
});
