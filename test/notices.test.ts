/** THIRD_PARTY_NOTICES.md names every package that this one depends on, with the licence that the package itself names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const json = (path: string) =>
  JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;
const notices = readFileSync(join(root, "THIRD_PARTY_NOTICES.md"), "utf8");
const [, runtime = "", development = ""] = notices.split(/^## .*$/m);
const { dependencies, devDependencies } = json("package.json") as Record<string, object>;
const licenceOf = (name: string) => json(`node_modules/${name}/package.json`)["license"] as string;

/** The table's rows: names and licence. "-core" after "@tensorflow/tfjs" is "@tensorflow/tfjs-core". */
const rows = runtime
  .split("\n")
  .filter((line) => /^\| [@a-z]/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, names = "", licence = ""]) => {
    const [first = "", ...more] = names.split(",").map((name) => name.trim().split(" ")[0]!);
    const all = more.map((name) => (name.startsWith("-") ? first + name : name));
    return { names: [first, ...all], licence };
  });

it.each(Object.keys(dependencies!))("%s is named with its licence", (name) => {
  const row = rows.find(({ names }) => names.includes(name));
  expect(row, `no row names ${name}`).toBeDefined();
  expect(row!.licence).toBe(licenceOf(name));
});

it("names no package that is no longer used", () => {
  const named = rows.flatMap(({ names }) => names).filter((name) => name !== "package");
  const known = Object.keys(dependencies!);
  // "katex, its fonts included" names no second package.
  expect(named.filter((name) => /[a-z]-|[@/]/.test(name) && !known.includes(name))).toEqual([]);
});

/** Groups of names, each followed by its licence in brackets. */
const groups = development
  .replaceAll("\n", " ")
  .split(";")
  .map((text) => ({ text, licence: /\(([^)]*)\)[^()]*$/.exec(text)?.[1] ?? "" }));

it.each(Object.keys(devDependencies!))("%s is named among those for development", (name) => {
  const group = groups.find(({ text }) => text.split(/[\s,()]+/).some((word) => word === name));
  expect(group, `no group names ${name}`).toBeDefined();
  expect(group!.licence).toContain(licenceOf(name));
});
