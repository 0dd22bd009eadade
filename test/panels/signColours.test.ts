/** Blue and red mean sign only (look.md): no other style has their tokens. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../src");

/** Styles of what has a sign: credit, TD error, agreement; and the tokens themselves. */
const OF_SIGNS = [
  ...["app/course/course.css", "app/styles/algorithms.css", "app/styles/theme.css"],
  ...["panels/formula/formula.css", "panels/opening/opening.css"],
  ...["panels/opening/cuts.css"],
  ...[
    "panels/ribbon/ribbon.css",
    "draw/signedNumber.css",
    "draw/bars.css",
    "draw/draw.css",
    "draw/strip.css",
    "panels/tokens/tokens.css",
  ],
  "panels/shared/signedBars.css",
  "panels/shop/trip/trip.css",
];

it("keeps blue and red for signs: a clip, a truth or a limit has neither", () => {
  const styles = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".css"));
  const users = styles.filter((path) =>
    /var\(--(plus|minus)(-2)?\)/.test(readFileSync(join(root, path), "utf8")),
  );
  expect(users.filter((path) => !OF_SIGNS.includes(path))).toEqual([]);
});

it("draws truth in ink and a clip in no colour of failure", () => {
  const css = (path: string) => readFileSync(join(root, path), "utf8");
  expect(css("panels/ribbon/ribbon.css")).toMatch(
    /\.ribbon-truth-line,[^{]*\{[^}]*stroke: var\(--ink\)/,
  );
  expect(css("panels/ribbon/RibbonChart.tsx")).toMatch(
    /marker="diamond"[^>]*colour="var\(--ink\)"/,
  );
  expect(css("panels/ribbon/ribbon.css")).not.toContain("--target");
  const clipped = /\.tag-clipped \{([^}]*)\}/.exec(css("app/styles/app.css"))![1]!;
  expect(clipped).not.toContain("--bad");
});
