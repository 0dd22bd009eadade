/** Each rule of `.oxlintrc.json` finds the fault that is planted for it: a rule that is misspelt, or reaches no file, is deaf. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ALLOWED, FAULTS, SPREADS } from "./faults.ts";

const root = join(import.meta.dirname, "../..");
const CONFIG = ".oxlintrc.json";
const folder = mkdtempSync(join(tmpdir(), "turnbook-lint-"));

interface Diagnostic {
  /** `plugin(rule)` */
  code: string;
  filename: string;
}

interface Override {
  rules: Record<string, unknown>;
}

/** Without its comments. */
const text = readFileSync(join(root, CONFIG), "utf8").replaceAll(/^\s*\/\/.*$/gm, "");
const config = JSON.parse(text) as Override & {
  overrides: Override[];
};
const rules = [config, ...config.overrides].flatMap((part) =>
  Object.entries(part.rules).flatMap(([name, level]) => (level === "off" ? [] : [name])),
);

let found: Map<string, string[]>;

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** @returns names of rules, by the file in which they found something */
async function lint(): Promise<Map<string, string[]>> {
  const bin = join(root, "node_modules", ".bin", "oxlint");
  const output = await new Promise<string>((done) => {
    // It exits with 1 where it finds something.
    execFile(bin, ["-f", "json"], { cwd: folder }, (_, stdout) => done(stdout));
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
  const byFile = new Map<string, string[]>();
  for (const { filename, code } of diagnostics)
    byFile.set(filename, [...(byFile.get(filename) ?? []), nameOf(code)]);
  return byFile;
}

/** As the configuration has it. */
const nameOf = (code: string) =>
  code
    .replace(/^eslint\(|\)$/g, "")
    .replace(/_/g, "-")
    .replace("react-hooks", "react")
    .replace("(", "/");

beforeAll(async () => {
  for (const path of [CONFIG, "test/lint/rules.mjs"])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  write("tsconfig.json", '{ "compilerOptions": { "strict": true, "jsx": "react-jsx" } }');
  for (const [path, text] of [...Object.values(FAULTS), ALLOWED, SPREADS]) write(path, text);
  found = await lint();
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Nobody has found code that this one alone refuses; the rule of the same name in eslint-plugin-react-hooks had none either. */
const UNPROVOKED = "react/preserve-manual-memoization";

it("has a fault for every rule", () => {
  const all = [...Object.keys(FAULTS), UNPROVOKED];
  expect(all.toSorted()).toEqual([...new Set(rules)].toSorted());
});

it.each(Object.entries(FAULTS))("%s finds its fault", (name, [path]) => {
  expect(found.get(path) ?? []).toContain(name);
});

it("lets pass what a rule allows, and tests what only they may do", () => {
  expect(found.get(ALLOWED[0]) ?? []).toEqual([]);
});

it("finds every way to spread a list into a call", () => {
  const spreads = (found.get(SPREADS[0]) ?? []).filter((name) => name.startsWith("turnbook/"));
  expect(spreads).toHaveLength(6);
});
