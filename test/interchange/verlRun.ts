/** Runs the Python scripts of test/interchange/verl, where torch and numpy are installed. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Keys } from "../../src/interchange/yaml.ts";

export const PYTHON = process.env["TURNBOOK_PYTHON"] ?? "/usr/bin/python3";
export const noTorch = spawnSync(PYTHON, ["-c", "import torch, numpy"]).status !== 0;
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

/** The JSON that the script prints last. */
export function python(script: string, ...args: string[]): unknown {
  const { status, stdout, stderr } = spawnSync(PYTHON, [path(`./verl/${script}`), ...args], {
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  expect(`${stderr.slice(-1500)}${String(status)}`).toMatch(/0$/);
  return JSON.parse(stdout.trim().split("\n").at(-1)!);
}

/** One iteration of verl's trainer with exported keys; `log`: the folder of the writer. */
export function iteration(keys: Keys, ...log: string[]): Iteration {
  return python("iteration.py", VERL, JSON.stringify(keys), ...log) as Iteration;
}
