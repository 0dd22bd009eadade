/** `train SPEC`: one RunEvent a line, then the fingerprint; `--out DIR` keeps the log and resumes from it. */
import { existsSync, readFileSync } from "node:fs";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../spec/inputError.ts";
import { presetNames, presetSpec, toSpec } from "../spec/presets.ts";
import { validateSpec } from "../spec/experiment.ts";
import { Experiment, type ExperimentHost } from "../train/experiment.ts";
import { parseArgs, userPath, type Args } from "./args.ts";
import { openEngine } from "./engine.ts";
import { readAsset } from "./assets.ts";
import type { Command, Output } from "./main.ts";
import { RunFolder } from "./runFolder.ts";

const OPTIONS = {
  iterations: { type: "integer", min: 1 },
  engine: { type: "string", choices: ["auto", "tfjs"] },
  backend: { type: "string", choices: ["auto", "cpu", "wasm", "webgpu"] },
  seed: { type: "integer", min: 0 },
  out: { type: "string" },
  "checkpoint-every": { type: "integer", min: 1 },
} as const;

export const train: Command = async (argv, out) => {
  const args = parseArgs(argv, OPTIONS);
  const spec = specFrom(args);
  const folder =
    args.string("out") === undefined ? null : new RunFolder(userPath(args.string("out")!));
  folder?.check(spec);
  const engine = await openEngine(spec.engine);
  try {
    const host: ExperimentHost = { engine, loadAsset: readAsset, progress: progressLine(out) };
    await run(spec, host, folder, args.number("checkpoint-every") ?? 1, out);
  } finally {
    engine.dispose();
  }
};

/** The spec of a preset name or a JSON file, with the command line's changes. */
function specFrom(args: Args): ExperimentSpec {
  const [source, ...rest] = args.words;
  if (source === undefined || rest.length > 0) {
    throw new InputError(
      `train takes one spec: a JSON file or a preset (${presetNames.join(", ")}); got ${show(args.words.join(" "))}`,
    );
  }
  const base = readSpec(source);
  const { optimisation, engine, seed } = base;
  return validateSpec({
    ...base,
    seed: args.number("seed") ?? seed,
    optimisation: {
      ...optimisation,
      iterations: args.number("iterations") ?? optimisation.iterations,
    },
    engine: {
      name: args.string("engine") ?? engine.name,
      backend: args.string("backend") ?? engine.backend,
    },
  });
}

function readSpec(source: string): ExperimentSpec {
  if (presetNames.includes(source)) return presetSpec(source);
  const path = userPath(source);
  if (!existsSync(path)) {
    throw new InputError(
      `spec ${show(source)} is neither a preset (${presetNames.join(", ")}) nor a file`,
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new InputError(`spec file ${source} is not JSON: ${(error as Error).message}`);
  }
  return toSpec(json);
}

async function run(
  spec: ExperimentSpec,
  host: ExperimentHost,
  folder: RunFolder | null,
  checkpointEvery: number,
  out: Output,
): Promise<void> {
  const saved = folder?.load();
  const experiment = await Experiment.open(spec, host, saved);
  try {
    if (saved) {
      saved.events.forEach((event) => out.json(event));
      out.progress(`resumed after iteration ${saved.position.iteration - 1}`);
    }
    while (!experiment.finished) {
      const events = await experiment.advance();
      folder?.append(events);
      events.forEach((event) => out.json(event));
      if (folder && checkpointDue(experiment, checkpointEvery))
        folder.save(await experiment.save());
    }
    out.json({ fingerprint: experiment.fingerprint, time: { at: new Date().toISOString() } });
  } finally {
    experiment.dispose();
  }
}

/** After the warm start, and after whole iterations. */
function checkpointDue({ position, finished }: Experiment, every: number): boolean {
  if (position.next !== 0) return false;
  return finished || (position.iteration - 1) % every === 0;
}

function progressLine(out: Output): NonNullable<ExperimentHost["progress"]> {
  let last = "";
  return (phase, done, total) => {
    const line = `[${done}/${total}] ${phase}`;
    if (line !== last) out.progress(line);
    last = line;
  };
}
