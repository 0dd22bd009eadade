/** Adapters trained on the command line: killed, resumed, exported, and read by `logits`. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { planSweep } from "../../src/cli/sweep/sweepFile.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-lora-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const launcher = resolve(import.meta.dirname, "../../src/cli/turnbook.mjs");

const settings = [
  "model.lora.rank=8",
  "iterations=2",
  "algorithms=turn-ppo",
  "critic.warmup=0",
  "optimisation.tasksPerIteration=2",
  "optimisation.groupSize=2",
  "optimisation.minibatch=4",
  "evaluation.levels=2",
  "environment.maxTurns=2",
].flatMap((one) => ["--set", one]);
const train = [launcher, "train", "nano", ...settings, "--workers", "1"];

function turnbook(...argv: string[]) {
  const { stdout, stderr, status } = spawnSync("node", argv, { encoding: "utf8" });
  expect(stderr.split("\n").filter((line) => line.includes("bug"))).toEqual([]);
  expect(status, stderr).toBe(0);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Killed without warning as soon as it has printed an iteration. */
function killed(out: string): Promise<void> {
  return new Promise((done) => {
    const child = spawn("node", [...train, "--out", out]);
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('"type":"iteration"')) child.kill("SIGKILL");
    });
    child.on("close", () => done());
  });
}

test("adapters are trained, killed and resumed to the same fingerprint, and exported", async () => {
  const out = join(folder, "run");
  await killed(out);
  const resumed = turnbook(...train, "--out", out).at(-1)!["fingerprint"];
  expect(resumed).toBe(turnbook(...train).at(-1)!["fingerprint"]);

  const models = join(folder, "models");
  const [told] = turnbook(launcher, "export", "huggingface", out, "--out", models);
  expect(told!["models"]).toEqual(["turn-ppo", "turn-ppo-adapter", "frozen-base"]);
  expect(readdirSync(join(models, "turn-ppo-adapter"))).toEqual(
    expect.arrayContaining(["adapter_config.json", "adapter_model.safetensors"]),
  );
  const logits = (model: string, ...more: string[]) =>
    turnbook(launcher, "logits", "--model", join(models, model), "--ids", "5,6,7,1", ...more);
  const numbers = (lines: unknown) =>
    JSON.stringify(lines)
      .match(/-?\d+\.\d+(e-?\d+)?/g)!
      .map(Number);
  const merged = numbers(logits("turn-ppo"));
  const apart = numbers(logits("frozen-base", "--adapter", join(models, "turn-ppo-adapter")));
  expect(apart.length).toBe(merged.length);
  expect(merged.length).toBeGreaterThan(100);
  apart.forEach((x, i) => expect(x).toBeCloseTo(merged[i]!, 4));
  expect(numbers(logits("frozen-base"))).not.toEqual(merged);
});

test("the study of adapters beside full training is the same search for both, on the same levels", () => {
  const file = resolve(import.meta.dirname, "../bench/lora.json");
  const { runs } = planSweep(JSON.parse(readFileSync(file, "utf8")));
  expect(runs).toHaveLength(2 * 3 * 3);
  const withoutLora = runs.map(({ spec }) => {
    const { lora: _, ...model } = spec.model;
    return JSON.stringify({ ...spec, model });
  });
  expect(new Set(withoutLora).size).toBe(9);
  expect(runs.filter(({ spec }) => spec.model.lora?.rank === 8)).toHaveLength(9);
});
