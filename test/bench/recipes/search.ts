/** An equal search of recipes as a command: `src/cli/study/search.ts` with a folder of sweeps. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "../../../src/cli/args.ts";
import {
  edges,
  searchStages,
  tryCandidates,
  type NoteOutcomes,
  type RunSweep,
  type SearchConfig,
  type SearchOutcome,
} from "../../../src/cli/study/search.ts";
import type { Summary } from "../../../src/cli/sweep/summary.ts";
import { InputError } from "../../../src/numeric/inputError.ts";

declare const __TURNBOOK_ROOT__: string;

/** All stages, then the best on test levels; `note` hears the outcomes of each. */
export async function equalSearch(
  config: SearchConfig,
  run: RunSweep,
  note: NoteOutcomes,
): Promise<SearchOutcome[]> {
  const best = await searchStages(config, run, note);
  const of = { stage: "final", set: "test", ...config.final } as const;
  const final = await tryCandidates(config, best, of, run);
  note(final);
  return final;
}

export async function main(argv: string[]): Promise<void> {
  const args = parseArgs(argv, {
    work: { type: "string" },
    jobs: { type: "integer", min: 1 },
    nice: { type: "integer", min: 0, max: 19 },
  });
  const [file, work] = [args.words[0], args.string("work")];
  if (file === undefined || work === undefined)
    throw new InputError("search takes CONFIG and --work DIR, where the runs are kept");
  const config = JSON.parse(readFileSync(file, "utf8")) as SearchConfig;
  const target = join(dirname(resolve(file)), `${basename(file, ".json")}.jsonl`);
  const outcomes: SearchOutcome[] = [];
  const note = (all: SearchOutcome[]) => {
    outcomes.push(...all);
    // Whole or not at all: a kill leaves the outcomes of the stage before.
    writeFileSync(`${target}.part`, outcomes.map((one) => `${JSON.stringify(one)}\n`).join(""));
    renameSync(`${target}.part`, target);
    for (const { method, draw, mean, kept } of all)
      console.error(`${kept ? "*" : " "} ${method} ${draw} ${mean}`);
  };
  const flags = (["jobs", "nice"] as const).flatMap((key) =>
    args.number(key) === undefined ? [] : [`--${key}`, String(args.number(key))],
  );
  // Beside the configuration, so that finished runs need no folder to be known.
  flags.push("--keep", target.replace(/jsonl$/, "runs.jsonl"));
  for (const best of await equalSearch(config, inFolder(resolve(work), flags), note)) {
    const widen = edges(config.space, best.settings);
    console.log(JSON.stringify({ ...best, ...(widen.length > 0 && { widen }) }));
  }
}

/** Sweeps as processes, each in a folder of its own. */
function inFolder(work: string, flags: string[]): RunSweep {
  const launcher = join(__TURNBOOK_ROOT__, "src", "cli", "turnbook.mjs");
  return (name, file) => {
    mkdirSync(work, { recursive: true });
    const path = join(work, `${name}.json`);
    writeFileSync(path, `${JSON.stringify(file, null, 1)}\n`);
    const words = ["sweep", path, "--out", join(work, name), ...flags];
    const said = execFileSync(process.execPath, [launcher, ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    return JSON.parse(said) as Summary;
  };
}
