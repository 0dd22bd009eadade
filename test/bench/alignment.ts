/**
 * Where the noise of an update comes from: the alignment metric of a few iterations from the shipped start, with one
 * setting changed at a time. Each line of the output file is one run; lines that are there are not run again.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs, userPath } from "../../src/cli/args.ts";
import { readAsset } from "../../src/cli/assets.ts";
import { openNodeEngine } from "../../src/cli/engine.ts";
import { mean, tInterval } from "../../src/numeric/statistics.ts";
import { mergeSpec, validateSpec, type ExperimentSpec } from "../../src/spec/experiment.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { sayConditions, startConditions } from "./conditions.ts";

const base = (preset: string, seed: number, iterations: number): ExperimentSpec =>
  toSpec({
    ...{ preset, seed, recordEpisodes: 0, engine: { name: "wasm" } },
    algorithms: [{ name: "turn-ppo", set: {} }],
    // The full rate from the first update on: few iterations are run.
    optimisation: { iterations, actorLrWarmup: 0 },
    evaluation: { levels: 0, alignment: true },
    doctor: { on: false },
  });

/** What is changed, one at a time. */
const CHANGES: Record<string, object> = {
  "as the preset": {},
  "critic separate": { critic: { kind: "separate" } },
  "critic weight 0.1": { critic: { coef: 0.1 } },
  "critic detached": { critic: { kind: "head-detached" } },
  "rate / 3": { optimisation: { actorLr: 3.3e-4 } },
  "rate / 10": { optimisation: { actorLr: 1e-4 } },
  "one epoch": { optimisation: { epochs: 1 }, critic: { epochs: 1 } },
  "one step a pass": { optimisation: { minibatch: 128 } },
  "one epoch, one step": { optimisation: { epochs: 1, minibatch: 128 }, critic: { epochs: 1 } },
  "512 episodes": { optimisation: { tasksPerIteration: 64, minibatch: 128 } },
  "no entropy bonus": { optimisation: { entropyCoef: 0 } },
  "separate, one epoch, one step": {
    critic: { kind: "separate", epochs: 1 },
    optimisation: { epochs: 1, minibatch: 128 },
  },
};

interface Line {
  change: string;
  seed: number;
  /** Per iteration after the critic's warm-up. */
  alignment: number[];
  spread: number[];
}

export async function main(argv: string[]): Promise<void> {
  const args = parseArgs(argv, {
    ...{ seeds: { type: "string" }, iterations: { type: "integer", min: 3 } },
    ...{
      json: { type: "string" },
      preset: { type: "string" },
      only: { type: "string", repeat: true },
    },
  });
  const file = userPath(args.string("json") ?? "alignment.jsonl");
  const seeds = (args.string("seeds") ?? "1,2").split(",").map(Number);
  const iterations = args.number("iterations") ?? 6;
  const preset = args.string("preset") ?? "nano";
  const only = args.list("only");
  const conditions = startConditions();
  const engine = await openNodeEngine({ name: "wasm", backend: "wasm" }, 1);
  for (const seed of seeds)
    for (const [change, changes] of Object.entries(CHANGES)) {
      if (only.length > 0 && !only.includes(change)) continue;
      if (linesOf(file).some((line) => line.change === change && line.seed === seed)) continue;
      const spec = validateSpec(mergeSpec(base(preset, seed, iterations), changes));
      const experiment = await Experiment.open(spec, { engine, loadAsset: readAsset });
      const line: Line = { change, seed, alignment: [], spread: [] };
      while (!experiment.finished)
        for (const event of await experiment.advance()) {
          if (event.type !== "iteration" || event.warmup) continue;
          line.alignment.push(event.metrics["actor/alignment"] ?? NaN);
          line.spread.push(event.metrics["actor/turn_logratio_std"] ?? NaN);
        }
      experiment.dispose();
      appendFileSync(file, `${JSON.stringify(line)}\n`);
      process.stderr.write(`${change}, seed ${seed}\n`);
    }
  engine.dispose();
  print(linesOf(file));
  console.log(`\n${sayConditions(conditions())}; ${preset}, ${iterations} iterations.`);
}

function linesOf(file: string): Line[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

/** Means over seeds of the means over a run's iterations, with t intervals over seeds. */
function print(lines: Line[]): void {
  console.log("| changed | seeds | alignment | std of log-ratios |\n| --- | --- | --- | --- |");
  for (const change of Object.keys(CHANGES)) {
    const own = lines.filter((line) => line.change === change);
    if (own.length === 0) continue;
    const cell = (of: (line: Line) => number[]) => {
      const values = own.map((line) => mean(of(line)));
      const { low, high } = tInterval(values);
      const interval = values.length > 1 ? ` (${low.toFixed(3)} to ${high.toFixed(3)})` : "";
      return `${mean(values).toFixed(3)}${interval}`;
    };
    const cells = [cell(({ alignment }) => alignment), cell(({ spread }) => spread)];
    console.log(`| ${[change, own.length, ...cells].join(" | ")} |`);
  }
}
