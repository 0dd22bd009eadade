/** THIRD_PARTY_NOTICES.md names every package that this one depends on, with the licence that the package itself names. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const json = (path: string) =>
  JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;
const notices = readFileSync(join(root, "THIRD_PARTY_NOTICES.md"), "utf8");
const [, runtime = "", development = ""] = notices.split(/^## .*$/m);
const packages = Object.keys(json("package.json")["devDependencies"] as object);
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

/** Groups of names, each followed by its licence in brackets. */
const groups = development
  .replaceAll("\n", " ")
  .split(";")
  .map((text) => ({ text, licence: /\(([^)]*)\)[^()]*$/.exec(text)?.[1] ?? "" }));
const groupOf = (name: string) =>
  groups.find(({ text }) => text.split(/[\s,()]+/).some((word) => word === name));

/** The tarball depends on nothing, so that package.json has one list only; the notices say which of it the bundles carry. */
const [tools, carried] = [packages.filter(groupOf), packages.filter((name) => !groupOf(name))];

it.each(carried)("%s is named with its licence", (name) => {
  const row = rows.find(({ names }) => names.includes(name));
  expect(row, `no row names ${name}`).toBeDefined();
  expect(row!.licence).toBe(licenceOf(name));
});

it("names no package that is no longer used", () => {
  const named = rows.flatMap(({ names }) => names).filter((name) => name !== "package");
  // "katex, its fonts included" names no second package.
  expect(named.filter((name) => /[a-z]-|[@/]/.test(name) && !carried.includes(name))).toEqual([]);
});

it.each(tools)("%s is named among those for development", (name) => {
  expect(groupOf(name)!.licence).toContain(licenceOf(name));
});

/** Sources import these to build, or, of webgpu, only where the reader has installed it. */
const BUILDERS = ["assemblyscript", "esbuild", "vite", "webgpu"];

it("has none for development that page or command line carry", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
    .map((path) => readFileSync(join(root, "src", path), "utf8"));
  const imported = (name: string) => {
    const from = new RegExp(`(from|import|import\\()\\s*["']${name}["'/]`);
    return texts.some((text) => from.test(text));
  };
  expect(tools.filter(imported).sort()).toEqual(BUILDERS);
});
