/** Trains the live experiments of which lessons say numbers, and keeps these with the runs' fingerprints. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Output } from "../../src/cli/command.ts";
import { keptLog } from "../../src/cli/keptRun.ts";
import { trainCommand } from "../../src/cli/train.ts";
import { readExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { pinned } from "../../src/reading/classroom/classResults.ts";
import { LogDoctor } from "../../src/reading/diagnosis.ts";
import { bodyOf } from "../fixtures/lesson.ts";
import { TRIED, type Tried } from "./tried.ts";

/** Set by the bundler: the repository. */
declare const __TURNBOOK_ROOT__: string;

/** @param words lessons; none for all. @returns the exit code. */
export async function main(words: string[]): Promise<number> {
  const file = join(__TURNBOOK_ROOT__, "test", "tried", "tried.json");
  const kept = JSON.parse(readFileSync(file, "utf8")) as Record<string, Tried>;
  for (const lesson of words.length > 0 ? words : Object.keys(TRIED)) {
    kept[lesson] = await tried(lesson, TRIED[lesson]!);
    writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
    console.log(JSON.stringify(kept[lesson]));
  }
  return 0;
}

async function tried(lesson: string, metrics: readonly string[]): Promise<Tried> {
  const experiment = bodyOf(lesson, "live");
  const folder = mkdtempSync(join(tmpdir(), "turnbook-tried-"));
  try {
    const spec = join(folder, "experiment.json");
    writeFileSync(spec, JSON.stringify(pinned(readExperiment(experiment).spec)));
    const quiet: Output = { json: () => {}, progress: (text) => console.error(text) };
    await trainCommand([spec, "--out", join(folder, "run")], quiet);
    const log = new RunLog();
    for (const event of keptLog(join(folder, "run"))) log.append(event);
    return readTried(experiment, log, metrics);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readTried(experiment: string, log: RunLog, metrics: readonly string[]): Tried {
  const [algorithm] = log.algorithms;
  const pairs = (metric: string, phase: "train" | "heldout") => {
    const { x, y } = log.series(algorithm!, metric, phase);
    return [...x].map((at, i): [number, number | null] => [at, y[i] ?? null]);
  };
  const doctor = new LogDoctor(log);
  doctor.advance(Infinity, () => 0);
  return {
    experiment,
    fingerprint: log.lastChain ?? "",
    train: Object.fromEntries(metrics.map((metric) => [metric, pairs(metric, "train")])),
    success: pairs("val-env/sokoban/success", "heldout"),
    findings: doctor.diagnosis.findings.map(({ detector }) => detector),
  };
}
