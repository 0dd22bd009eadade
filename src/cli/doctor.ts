/** `doctor --run DIR`: what the collapse doctor says of a run that is or was kept with `train --out DIR`, or of any log of events. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../record/runEvent.ts";
import { InputError, show } from "../spec/inputError.ts";
import { diagnose } from "../train/doctor/doctor.ts";
import { parseArgs, userPath } from "./args.ts";
import type { Command } from "./main.ts";

export const doctor: Command = (argv, out) => {
  const args = parseArgs(argv, { run: { type: "string" } });
  const run = args.string("run");
  if (run === undefined || args.words.length > 0)
    throw new InputError(
      `doctor takes --run, a run's folder or its log; got ${show(argv.join(" "))}`,
    );
  out.json(diagnose(readLog(logOf(userPath(run), run))));
  return Promise.resolve();
};

/** The log itself, or the one in the folder. Throws InputError. */
function logOf(path: string, asked: string): string {
  if (!existsSync(path)) throw new InputError(`--run is ${show(asked)}; there is no such folder`);
  const file = statSync(path).isDirectory() ? join(path, "events.jsonl") : path;
  if (!existsSync(file))
    throw new InputError(`--run is ${show(asked)}; a run's folder holds events.jsonl`);
  return file;
}

/** One event a line; lines that are no events (a recording's first and last) are left out. Throws InputError. */
function readLog(file: string): RunEvent[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, i) => {
    if (line.trim() === "") return [];
    const event = parse(line, `${file}, line ${i + 1}`);
    return isJudged(event) ? [event] : [];
  });
}

function parse(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new InputError(`${place} is ${show(line)}; it must be one JSON event`);
  }
}

/** Whether this is an event that the doctor reads, with all that it reads of it. */
function isJudged(value: unknown): value is RunEvent {
  const { type, algorithm, iteration, metrics, cause } = Object(value) as Record<string, unknown>;
  if (typeof algorithm !== "string" || typeof iteration !== "number") return false;
  if (type === "crash") return typeof cause === "string";
  if (type !== "iteration" && type !== "eval") return false;
  const numbers = Object.values(Object(metrics) as object);
  return numbers.every((x) => x === null || typeof x === "number");
}
