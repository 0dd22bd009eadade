/** `train SPEC`: one RunEvent a line, then the fingerprint; `--out DIR` keeps the log and resumes from it (and with `--keep-every N` each Nth checkpoint), `--record FILE` writes a recording. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { alarmText, type Alarm } from "../train/doctor/watch.ts";
import { Experiment, type ExperimentHost } from "../train/experiment.ts";
import { InputError } from "../spec/inputError.ts";
import { parseArgs, userPath } from "./args.ts";
import { readAsset } from "./assets.ts";
import type { Command, Output } from "./main.ts";
import { RunFolder } from "./runFolder.ts";
import { openTrainEngine, progressLine, specFrom, TRAIN_OPTIONS } from "./trainOptions.ts";

export const train: Command = async (argv, out) => {
  const args = parseArgs(argv, {
    ...TRAIN_OPTIONS,
    record: { type: "string" },
    "keep-every": { type: "integer", min: 1 },
  });
  const spec = specFrom("train", args);
  const folder =
    args.string("out") === undefined ? null : new RunFolder(userPath(args.string("out")!));
  const keepEvery = args.number("keep-every");
  if (keepEvery !== undefined && !folder)
    throw new InputError("option --keep-every needs --out DIR, where checkpoints are kept");
  await folder?.check(spec);
  const record = args.string("record");
  const told = record === undefined ? out : recordTo(userPath(record), argv, out);
  const engine = await openTrainEngine(spec, args, out);
  try {
    const host: ExperimentHost = { engine, loadAsset: readAsset, progress: progressLine(out) };
    const every = { save: args.number("checkpoint-every") ?? 1, keep: keepEvery ?? Infinity };
    await run(spec, host, folder, every, told);
  } finally {
    engine.dispose();
  }
};

/** Also writes the log to a file, the command that makes it first: what the page shows before anything has run. */
function recordTo(file: string, argv: string[], out: Output): Output {
  mkdirSync(dirname(file), { recursive: true });
  const command = `npm run -s turnbook -- train ${argv.join(" ")}`;
  writeFileSync(file, `${JSON.stringify({ command })}\n`);
  const json = (value: unknown) => {
    appendFileSync(file, `${JSON.stringify(value)}\n`);
    out.json(value);
  };
  return { ...out, json };
}

/** Iterations between checkpoints: `save` replaces the last one, `keep` keeps them beside it. */
interface Every {
  save: number;
  keep: number;
}

async function run(
  spec: ExperimentSpec,
  host: ExperimentHost,
  folder: RunFolder | null,
  every: Every,
  out: Output,
): Promise<void> {
  const saved = await folder?.load();
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
      if (folder) await saveWhereDue(experiment, folder, every);
      if (experiment.alarm) {
        folder?.save(await experiment.save());
        return stopAt(experiment.alarm, folder, out);
      }
    }
    out.json({ fingerprint: experiment.fingerprint, time: { at: new Date().toISOString() } });
  } finally {
    experiment.dispose();
  }
}

/** Says why, and keeps the checkpoint before the fall beside the run's own. The same command goes on from here. */
function stopAt(alarm: Alarm, folder: RunFolder | null, out: Output): void {
  const { message, action } = alarmText(alarm);
  if (alarm.beforeFall) folder?.saveBeforeFall(alarm.beforeFall.bytes);
  out.progress(`stopped: ${message} ${action}`);
}

/** After the warm start, and after whole iterations. */
async function saveWhereDue(experiment: Experiment, folder: RunFolder, every: Every) {
  const { position, finished } = experiment;
  if (position.next !== 0) return;
  const done = position.iteration - 1;
  const [save, keep] = [finished || done % every.save === 0, done > 0 && done % every.keep === 0];
  if (!save && !keep) return;
  const bytes = await experiment.save();
  if (keep) folder.keep(done, bytes);
  if (save) folder.save(bytes);
}
