/** Adapters trained on the command line: killed, resumed, exported, and read by `logits`. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { planSweep } from "../../src/cli/sweep/sweepFile.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { smallFolder } from "../model/smallFolder.ts";
import { killedAt } from "./cliSupport.ts";

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
const settled = ["train", "nano", ...settings, "--workers", "1"];
const train = [launcher, ...settled];

function turnbook(...argv: string[]) {
  const { stdout, stderr, status } = spawnSync("node", argv, { encoding: "utf8" });
  expect(stderr.split("\n").filter((line) => line.includes("bug"))).toEqual([]);
  expect(status, stderr).toBe(0);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("adapters are trained, killed and resumed to the same fingerprint, and exported", async () => {
  const out = join(folder, "run");
  const { killed } = await killedAt('"type":"iteration"', ...settled, "--out", out);
  expect(killed).toBe(true);
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

test("a folder of --model is trained, and asked for by name and hash", async () => {
  const write = (name: string, content: string | Map<string, Uint8Array>) => {
    const path = join(folder, name);
    if (typeof content === "string") writeFileSync(path, content);
    else {
      mkdirSync(path);
      for (const [file, bytes] of content) writeFileSync(join(path, file), bytes);
    }
    return path;
  };
  const run = async (...argv: string[]) => {
    const events: Record<string, unknown>[] = [];
    const said: string[] = [];
    const out = {
      json: (value: unknown) => void events.push(value as Record<string, unknown>),
      progress: (line: string) => void said.push(line),
    };
    return { code: await main(["train", ...argv], out), events, last: said.at(-1) };
  };
  const [own, other] = [write("own", smallFolder(1)), write("other", smallFolder(2))];
  const short = ["--set", "sampling.maxTokensPerTurn=8", "--set", "iterations=1", "--workers", "1"];
  const first = await run(
    "talker-nano",
    ...settings.slice(0, 2),
    ...settings.slice(4),
    ...short,
    "--model",
    own,
  );
  expect([first.code, first.last]).toEqual([0, expect.anything()]);
  const { spec } = first.events[0] as { spec: ExperimentSpec };
  expect(spec.model).toMatchObject({ folder: { name: "own" }, lora: { rank: 8 } });

  const file = write("spec.json", JSON.stringify(spec));
  expect((await run(file, "--model", own)).events.at(-1)!["fingerprint"]).toBe(
    first.events.at(-1)!["fingerprint"],
  );
  const { hash } = spec.model.folder!;
  const asks = await run(file);
  expect([asks.code, asks.last]).toEqual([
    2,
    'model.folder is "own"; option --model DIR must name that folder',
  ]);
  const wrong = await run(file, "--model", other);
  expect([wrong.code, wrong.last]).toEqual([
    2,
    expect.stringMatching(`whose files have the hash .*; the experiment is on "own" with ${hash}`),
  ]);
  const silent = await run("nano", "--model", own);
  expect(silent.last).toMatch(/environment.thought is .*; with model.folder it must be given/);
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
