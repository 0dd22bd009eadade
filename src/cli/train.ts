/** `train SPEC`: one RunEvent a line, then the fingerprint; `--out DIR` keeps the log and resumes from it. */
import type { ExperimentSpec } from "../spec/experiment.ts";
import { Experiment, type ExperimentHost } from "../train/experiment.ts";
import { parseArgs, userPath } from "./args.ts";
import { readAsset } from "./assets.ts";
import { openEngine } from "./engine.ts";
import type { Command, Output } from "./main.ts";
import { RunFolder } from "./runFolder.ts";
import { progressLine, specFrom, TRAIN_OPTIONS } from "./trainOptions.ts";

export const train: Command = async (argv, out) => {
  const args = parseArgs(argv, TRAIN_OPTIONS);
  const spec = specFrom("train", args);
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
