/** Reads a spec from the command line, shared by the commands that train. */
import { existsSync } from "node:fs";
import { adapterWords } from "../engine/adapterWords.ts";
import type { Engine } from "../engine/engine.ts";
import { validateSpec, type ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { presetNames, presetSpec, toSpec } from "../spec/presets.ts";
import { oldReadings, revised } from "../spec/revise.ts";
import { CURRENT_REVISION } from "../spec/revision.ts";
import { changedSpec } from "../spec/specChanges.ts";
import { setupSentence, setupTime } from "../spec/setupTime.ts";
import type { ExperimentHost } from "../train/host.ts";
import { formatDuration } from "../numeric/format.ts";
import { Eta } from "../runtime/eta.ts";
import { userPath, type Args } from "./args.ts";
import { openNodeEngine, runsOnWorkers } from "./engine.ts";
import type { Output } from "./command.ts";
import { readJsonFile } from "./readFile.ts";
import { workersUnasked } from "./workers.ts";

/** `--set FIELD=VALUE`, as often as wanted, as in links. */
export const SET_OPTION = { type: "string", repeat: true } as const;

export const TRAIN_OPTIONS = {
  set: SET_OPTION,
  iterations: { type: "integer", min: 1 },
  engine: { type: "string", choices: ["auto", "wasm", "webgpu", "tfjs"] },
  backend: { type: "string", choices: ["auto", "cpu", "wasm", "webgpu"] },
  seed: { type: "integer", min: 0 },
  workers: { type: "integer", min: 1, max: 16 },
  out: { type: "string" },
  "checkpoint-every": { type: "integer", min: 1 },
} as const;

/**
 * The spec of a preset name or a JSON file, with the command line's changes.
 * @param set whose settings `--set` changes: the spec's, or those of the rows that a command compares
 * @throws InputError
 */
export function specFrom(
  command: string,
  args: Args,
  set: "spec" | "rows" = "spec",
): ExperimentSpec {
  const [source, ...rest] = args.words;
  if (source === undefined || rest.length > 0) {
    const presets = presetNames.join(", ");
    throw new InputError(
      `${command} takes one spec, a JSON file or a preset (${presets}); got ${show(args.words.join(" "))}`,
    );
  }
  const base = set === "spec" ? withSettings(specIn(source), args) : specIn(source);
  const { optimisation, engine, seed } = base;
  const spec = validateSpec({
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
  // A file is an existing experiment, apart from the seed; a preset makes a new one.
  return revised(spec, presetNames.includes(source) ? null : base);
}

/** A spec with the command line's settings. @throws InputError as a link's changes are refused. */
export function withSettings(spec: ExperimentSpec, args: Args): ExperimentSpec {
  const changes = args.list("set").map((text): [string, string] => {
    const at = text.indexOf("=");
    if (at < 1)
      throw new InputError(
        `option --set is ${show(text)}; it must be FIELD=VALUE, such as optimisation.actorLr=0.01`,
      );
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return changedSpec(spec, changes);
}

/** The spec of a preset name or a JSON file, unchanged. @throws InputError. */
export function specIn(source: string): ExperimentSpec {
  if (presetNames.includes(source)) return presetSpec(source);
  if (!existsSync(userPath(source))) {
    throw new InputError(
      `spec ${show(source)} is neither a preset (${presetNames.join(", ")}) nor a file`,
    );
  }
  return toSpec(readJsonFile("spec file", source));
}

/**
 * The engine that the spec names, with the requested workers or one per core, reported on stderr:
 * workers may fail to start. Throws InputError if workers are requested for an engine that has
 * none.
 */
export async function openTrainEngine(
  { engine: asked }: ExperimentSpec,
  args: Args,
  out: Output,
): Promise<Engine> {
  const workers = args.number("workers");
  if (workers !== undefined && !runsOnWorkers(asked))
    throw new InputError(
      `option --workers is ${workers}, but engine ${asked.name} on backend ${asked.backend} has no workers; allowed with: the wasm engine`,
    );
  const engine = await openNodeEngine(asked, workers ?? workersUnasked());
  const { engine: name, backend } = engine.info;
  out.progress(`engine ${name} on ${backend} (${adapterWords(engine.info)})`);
  return engine;
}

/** A line for each number that an older experiment interprets differently than a new one. */
export function sayOldReadings(spec: ExperimentSpec, out: Output): void {
  for (const { what, was, now } of oldReadings(spec))
    out.progress(
      `${what}: ${was}, as in revision 1; "revision": ${CURRENT_REVISION} in the spec takes ${now}`,
    );
}

/** One line before the work if generating and solving boards takes long. */
export function sayIfLong(spec: ExperimentSpec, resumed: boolean, out: Output): void {
  const time = setupTime(spec, resumed);
  if (time) out.progress(setupSentence(time, formatDuration));
}

/** Seconds between two lines that differ only in their count. */
const COUNT_EVERY = 2;
/** Work that takes more than this many seconds reports the time left. */
const LONG = 10;

/** Progress on stderr, each line once, with the time left for long work. */
export function progressLine(out: Output): NonNullable<ExperimentHost["progress"]> {
  let last = { line: "", phase: "", at: -Infinity };
  const eta = new Eta();
  return (phase, done, total) => {
    const now = performance.now();
    const left = eta.note(done, total, now) ?? 0;
    const line = `[${done}/${total}] ${phase}`;
    const isCount = phase === last.phase && done < total && now - last.at < 1000 * COUNT_EVERY;
    if (line === last.line || isCount) return;
    out.progress(left > LONG ? `${line}, about ${formatDuration(left)} left` : line);
    last = { line, phase, at: now };
  };
}
