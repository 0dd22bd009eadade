import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { presetSpec, toSpec } from "../../src/spec/presets.ts";

const script = resolve(import.meta.dirname, "learning.mjs");
const folder = mkdtempSync(join(tmpdir(), "turnbook-learning-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const evaluation = (iteration: number, success: number) => ({
  type: "eval",
  algorithm: "grpo",
  iteration,
  levels: 100,
  metrics: { "val-env/sokoban/success": success },
});

const iterations = (from: number, to: number, success: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    ...{ type: "iteration", algorithm: "grpo", iteration: from + i },
    metrics: { "sokoban/success": success },
  }));

test("the table holds each score, the training success before it, and the gain with its error", () => {
  const spec = { seed: 7, algorithms: [{ name: "grpo" }] };
  const events = [
    { type: "start", spec, engine: { engine: "wasm", adapter: "SIMD" } },
    evaluation(0, 0.2),
    ...iterations(1, 10, 0.25),
    evaluation(10, 0.3),
    ...iterations(11, 20, 0.4),
    evaluation(20, 0.5),
    { type: "end", chain: "abc" },
  ];
  writeFileSync(join(folder, "events.jsonl"), events.map((e) => `${JSON.stringify(e)}\n`).join(""));
  const { stdout, status } = spawnSync("node", [script, folder], { encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout).toBe(
    [
      "| iteration | grpo, seed 7 |",
      "| --- | --- |",
      "| 0 | 20.0 |",
      "| 10 | 30.0 (25.0) |",
      "| 20 | 50.0 (40.0) |",
      // sqrt((0.2 x 0.8 + 0.5 x 0.5) / 100) = 0.064
      "| gain | 30.0 ± 6.4 |",
      "\ngrpo, seed 7: n = 100 levels; wasm, SIMD; fingerprint abc\n",
    ].join("\n"),
  );
});

test("the measured specs are the preset's, but for what they run and how much of it is scored", () => {
  const preset = presetSpec("nano");
  for (const [file, iterations] of [
    ["learning.json", 100],
    ["learning-beside.json", 50],
  ] as const) {
    const spec = toSpec(JSON.parse(readFileSync(resolve(import.meta.dirname, file), "utf8")));
    const { algorithms, evaluation, recordEpisodes, engine } = spec;
    const optimisation = { ...preset.optimisation, iterations };
    expect(spec).toEqual({
      ...{ ...preset, optimisation },
      ...{ algorithms, evaluation, recordEpisodes, engine },
    });
    expect(algorithms.every(({ set }) => Object.keys(set).length === 0)).toBe(true);
    expect(evaluation).toEqual({ ...preset.evaluation, levels: 512 });
  }
});
