/**
 * What it costs that a run's folder is hashed, synced and locked: a checkpoint after every iteration, and of each step the time
 * by the clock and of the processor. An iteration is as short as nano has them, so that the share is the largest.
 */
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, userPath } from "../../src/cli/args.ts";
import { readAsset } from "../../src/cli/assets.ts";
import { openNodeEngine } from "../../src/cli/engine.ts";
import { RunFolder } from "../../src/cli/runFolder.ts";
import { sha256Hex } from "../../src/numeric/sha256.ts";
import { validateSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { Experiment } from "../../src/train/experiment.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { sayConditions, startConditions } from "./conditions.ts";

/** Milliseconds by the clock and of the processor. */
interface Spent {
  clock: number;
  processor: number;
}

type Steps = Record<string, Spent>;

export async function main(argv: string[]): Promise<void> {
  const args = parseArgs(argv, {
    iterations: { type: "integer", min: 1, max: 1000 },
    out: { type: "string" },
  });
  const iterations = args.number("iterations") ?? 20;
  const base = mkdtempSync(join(userPath(args.string("out") ?? tmpdir()), "turnbook-bench-"));
  const conditions = startConditions();
  try {
    const steps = await measure(base, iterations);
    console.log(table(steps, iterations));
    console.log(`\n${sayConditions(conditions())}; n = ${iterations}, one thread.`);
  } finally {
    rmSync(base, { recursive: true });
  }
}

async function measure(base: string, iterations: number): Promise<Steps> {
  const nano = presetSpec("nano");
  const spec = validateSpec({
    ...nano,
    algorithms: nano.algorithms.filter(({ name }) => name === "turn-ppo"),
    optimisation: { ...nano.optimisation, iterations },
    evaluation: { ...nano.evaluation, levels: 0 },
    engine: { name: "wasm", backend: "wasm" },
  });
  const engine = await openNodeEngine(spec.engine, 1);
  const say = () => undefined;
  const folder = await RunFolder.open(join(base, "run"), spec, { force: false, say });
  await folder.resume(spec);
  const experiment = await Experiment.open(spec, { engine, loadAsset: readAsset });
  const steps: Steps = {};
  try {
    folder.append(await experiment.advance());
    while (!experiment.finished) await iterate(experiment, folder, base, steps);
  } finally {
    experiment.dispose();
    folder.close();
    engine.dispose();
  }
  return steps;
}

async function iterate(experiment: Experiment, folder: RunFolder, base: string, steps: Steps) {
  const events = await timed(steps, "train", () => experiment.advance());
  await timed(steps, "append", () => folder.append(events));
  const bytes = await timed(steps, "encode", () => experiment.save());
  await timed(steps, "seal", () => sha256Hex(bytes));
  await timed(steps, "save", () => folder.save(bytes));
  await timed(steps, "plain", () => writePlainly(base, events, bytes));
}

/** As it was before: nothing hashed, synced or locked. */
function writePlainly(base: string, events: readonly RunEvent[], bytes: Uint8Array): void {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
  appendFileSync(join(base, "plain.jsonl"), lines);
  writeFileSync(join(base, "plain.zip.new"), bytes);
  renameSync(join(base, "plain.zip.new"), join(base, "plain.zip"));
}

async function timed<T>(steps: Steps, step: string, work: () => T | Promise<T>): Promise<T> {
  const [clock, processor] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(processor);
  const spent = (steps[step] ??= { clock: 0, processor: 0 });
  spent.clock += performance.now() - clock;
  spent.processor += (user + system) / 1000;
  return result;
}

function table(steps: Steps, iterations: number): string {
  const at = (step: string) => steps[step]!;
  const sum = (...names: string[]): Spent => ({
    clock: names.reduce((total, name) => total + at(name).clock, 0),
    processor: names.reduce((total, name) => total + at(name).processor, 0),
  });
  // `encode` holds the seal's hash already; `seal` is that hash once more, to know it.
  const iteration = sum("train", "append", "encode", "save");
  const minus = (a: Spent, b: Spent): Spent => ({
    clock: a.clock - b.clock,
    processor: a.processor - b.processor,
  });
  const rows: [string, Spent][] = [
    ["an iteration with its checkpoint", iteration],
    ["writing log and checkpoint: hash, lock, syncs", sum("append", "save")],
    ["the checkpoint's own SHA-256", at("seal")],
    ["writing both without any of that, as before", at("plain")],
    [
      "**integrity: the second and third less the fourth**",
      minus(sum("append", "save", "seal"), at("plain")),
    ],
  ];
  const cell = (spent: number, whole: number) =>
    `${(spent / iterations).toFixed(2)} (${((100 * spent) / whole).toFixed(2)} %)`;
  const lines = rows.map(
    ([what, { clock, processor }]) =>
      `| ${what} | ${cell(clock, iteration.clock)} | ${cell(processor, iteration.processor)} |`,
  );
  const head = "| ms an iteration | by the clock | of the processor |\n| --- | --- | --- |";
  return [head, ...lines].join("\n");
}
