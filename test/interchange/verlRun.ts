/** Runs the Python scripts of test/interchange/verl, where torch and numpy are installed. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Keys } from "../../src/interchange/yaml.ts";

export const PYTHON = process.env["TURNBOOK_PYTHON"] ?? "/usr/bin/python3";
// To import them takes seconds.
const LOOK = "from importlib.util import find_spec as f; exit(not (f('torch') and f('numpy')))";
export const noTorch = spawnSync(PYTHON, ["-c", LOOK]).status !== 0;
export const skipped = noTorch ? ` (not run: ${PYTHON} has no torch and numpy)` : "";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const given = process.env["TURNBOOK_VERL"];
/** Whether verl is the stored version. */
export const ofVerl = given === undefined;
const VERL = given ?? path("../fixtures/verl/verl-1dda039.tar.xz");

export interface Update {
  loss: number;
  /** Of trained tokens, by row. */
  logprob: number[][];
  value: number[][];
  grad: number[][];
}

/** What verl's trainer computed. */
export interface Iteration {
  keys: string[];
  groups: string[];
  episodes: { lengths: number[]; rewards: number[]; score: number }[];
  old: number[][];
  values: number[][];
  advantages: number[][];
  returns: number[][];
  reference: number[][] | null;
  updates: Update[];
  critic: Update[];
  counts: { actor: number[]; critic: number[] };
  metrics: Record<string, number>;
  files: Record<string, string>;
  standIns: string[];
  registered: string[];
  refusals: string[];
  /** By other ways: largest difference of an advantage, a loss, and the critic's count of steps. */
  other: { before: number; ragen: number; split: number; ragenLoss: number; ragenCritic: number[] };
  trainer: string[];
}

/** The lines of JSON that the script prints. */
export function python(script: string, ...args: string[]): unknown[] {
  const { status, stdout, stderr } = spawnSync(PYTHON, [path(`./verl/${script}`), ...args], {
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  expect(`${stderr.slice(-1500)}${String(status)}`).toMatch(/0$/);
  const lines = stdout.trim().split("\n");
  return lines.filter((line) => /^[[{]/.test(line)).map((line) => JSON.parse(line) as unknown);
}

/** An iteration of verl's trainer with each of these exported keys; `log`: the folder of the writer. */
export function iterations(keys: readonly Keys[], ...log: string[]): Iteration[] {
  const found = python("iteration.py", VERL, JSON.stringify(keys), ...log) as Iteration[];
  expect(found).toHaveLength(keys.length);
  return found;
}
