import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "../src");

/** Rooms by floor. A room may import any room on a lower floor. */
const FLOORS = [
  ["numeric", "spec", "record"],
  ["env", "text", "credit", "objective", "engine"],
  ["algorithm", "model"],
  ["rollout"],
  ["train"],
  ["runtime", "interchange"],
  ["notebook", "store"],
  ["charts", "panels"],
  ["app", "cli"],
];

/** What a room may import on its own floor. */
const BESIDE: Record<string, string[]> = {
  record: ["spec"],
  store: ["notebook"],
  panels: ["charts"],
};

/** Rooms of the screen see these for types only: work goes through runtime to the worker. */
const SCREEN = ["panels", "charts", "app"];
const TYPES_ONLY = ["engine", "model", "rollout", "train"];

interface Import {
  file: string;
  from: string;
  to: string;
  typeOnly: boolean;
}

const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|tsx)$/.test(name) && !name.endsWith(".d.ts"))
    .map((name) => join(src, name));
}

/** Every static or dynamic relative import of a file. */
function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const pattern =
    /(?:^|\n)\s*(import|export)\s+(type\s+)?([^;"']*?from\s*)?["'](\.[^"']+)["']|import\(\s*["'](\.[^"']+)["']\s*\)|new URL\(\s*["'](\.[^"']+\.ts)["']/g;
  return [...text.matchAll(pattern)].map((match) => {
    const target = resolve(dirname(file), (match[4] ?? match[5] ?? match[6])!);
    const [from, to] = [file, target].map((path) => relative(src, path).split("/")[0]!);
    return { file: relative(src, file), from: from!, to: to!, typeOnly: match[2] !== undefined };
  });
}

const all = sourceFiles().flatMap(importsOf);

test("every source file lives in a room of the design", () => {
  const rooms = new Set(sourceFiles().map((file) => relative(src, file).split("/")[0]!));
  expect([...rooms].filter((room) => floorOf(room) < 0)).toEqual([]);
});

test("imports only go down, or beside where the design names it", () => {
  const climbs = all.filter(({ from, to }) => {
    if (from === to || to === "..") return false;
    if (floorOf(to) < floorOf(from)) return false;
    return !BESIDE[from]?.includes(to);
  });
  expect(climbs.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
});

test("the screen imports engine, model, rollout and train for types only", () => {
  const works = all.filter(
    ({ from, to, typeOnly }) => SCREEN.includes(from) && TYPES_ONLY.includes(to) && !typeOnly,
  );
  expect(works.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
});

test("env and text see no engine, algorithm no engine, env no model", () => {
  // Same-floor rules above already forbid the first; the second is a lower floor and needs its own line.
  const wrong = all.filter(({ from, to }) => from === "algorithm" && to === "engine");
  expect(wrong).toEqual([]);
});

test("the import reader sees what it should", () => {
  expect(all.length).toBeGreaterThan(50);
  expect(all.some(({ from, to }) => from === "env" && to === "spec")).toBe(true);
});
