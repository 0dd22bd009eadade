/** The page's parts have one home: no room makes its own buttons, menus, sheets, boxes to check or empty states. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Where parts are used. */
const ROOMS = ["app", "charts", "panels"];

const files = ROOMS.flatMap((room) => {
  const folder = join("src", room);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".tsx")).map((name) => join(folder, name));
});

const having = (what: RegExp) =>
  files
    .map((file) => what.exec(readFileSync(file, "utf8")) && file)
    .filter((file) => file !== null);

it.each([
  ["Button", /<button\s+type="button"/],
  ["Menu", /\bDropdownMenu\b/],
  ["Confirm", /\bAlertDialog\b/],
  ["Empty", /className="empty"/],
  ["Check", /<label[^>]*className="check"/],
  ["InlineField", /<label[^>]*className="inline-field"/],
])("%s is taken from the parts", (_, byHand) => {
  expect(having(byHand)).toEqual([]);
});

it("takes sheets from the parts; the palette alone is a dialog of its own", () => {
  expect(having(/\bDialog\b[^;]*from "radix-ui"/)).toEqual([
    join("src", "app", "palette", "CommandPalette.tsx"),
  ]);
});
