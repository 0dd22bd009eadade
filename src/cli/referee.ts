/**
 * `referee [--task T,T] [--algorithm A,A] [--critic C] [--seeds N] [--episodes N] [--set K=V]...
 * [--code FILE [--on ROW]] [--out FILE]`: every row's credit on tasks whose true advantage is known
 * exactly: one line for each task and row, then means over tasks.
 */
import { InputError, show } from "../numeric/inputError.ts";
import type { RefereeTask } from "../reading/referee/game.ts";
import {
  REFEREE_CRITICS,
  REFEREE_DEFAULTS,
  refereeCommandOf,
  type RefereeCritic,
  type RefereeLine,
  type RefereeReport,
} from "../reading/referee/lines.ts";
import { describeCourt, refereeLines, summariseLines } from "../reading/referee/report.ts";
import { openCourt, REFEREE_BATCH } from "../reading/referee/score.ts";
import { refereeTasks } from "../reading/referee/tasks.ts";
import {
  algorithmNames,
  definedRowName,
  resolveAlgorithm,
  type AlgorithmConfig,
} from "../spec/algorithms.ts";
import { checkDefinitions, type Definition } from "../spec/definitions.ts";
import { boundRow } from "../train/definitions.ts";
import { parseArgs, userPath, type Args } from "./args.ts";
import type { Command } from "./command.ts";
import { algorithmList } from "./compare.ts";
import { overrides } from "./credit.ts";
import { openDefinitionsHere } from "./nodeHost.ts";
import { readText } from "./readFile.ts";
import { replaceFile } from "./wholeFile.ts";

const OPTIONS = {
  task: { type: "string" },
  algorithm: { type: "string" },
  critic: { type: "string", choices: REFEREE_CRITICS },
  seeds: { type: "integer", min: 1, max: 1000 },
  episodes: { type: "integer", min: 2 * REFEREE_BATCH, max: 100_000 },
  set: { type: "string", repeat: true },
  code: { type: "string" },
  on: { type: "string", choices: algorithmNames },
  out: { type: "string" },
} as const;

/** The name of the estimator in `--code`, and whose critic, ratio and clip it has by default. */
const MINE = "mine";
const OWN_ROW = "turn-ppo";

export const refereeCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, OPTIONS);
  const [word] = args.words;
  if (word !== undefined) throw new InputError(`referee takes options only, not ${show(word)}`);
  const tasks = tasksOf(args.string("task"));
  const { seeds, episodes } = sizesOf(args);
  const rows = await rowsOf(args);
  const critic = args.string("critic") as RefereeCritic | undefined;
  const report: RefereeReport = { seeds, episodes, tasks: [], lines: [] };
  for (const [i, task] of tasks.entries()) {
    out.progress(`task ${i + 1} of ${tasks.length}: ${task.name}`);
    const court = openCourt(task, seeds, episodes);
    report.tasks.push(describeCourt(court));
    for (const row of rows)
      for (const line of refereeLines(court, row, critic)) {
        out.json({ ...line, command: commandOf(line, args) });
        report.lines.push(line);
      }
  }
  out.json({ summary: summariseLines(report.lines) });
  const file = args.string("out");
  if (file !== undefined) replaceFile(userPath(file), `${JSON.stringify(report)}\n`);
};

/** @throws InputError naming a task that there is not. */
function tasksOf(asked: string | undefined): RefereeTask[] {
  if (asked === undefined) return [...refereeTasks];
  return asked.split(",").map((name) => {
    const found = refereeTasks.find((task) => task.name === name.trim());
    if (found) return found;
    const allowed = refereeTasks.map((task) => task.name).join(", ");
    throw new InputError(`option --task is ${show(name)}; allowed: ${allowed}`);
  });
}

/** @throws InputError unless a seed's episodes are whole batches. */
function sizesOf(args: Args): { seeds: number; episodes: number } {
  const { seeds, episodes } = {
    seeds: args.number("seeds") ?? REFEREE_DEFAULTS.seeds,
    episodes: args.number("episodes") ?? REFEREE_DEFAULTS.episodes,
  };
  if (episodes % REFEREE_BATCH === 0) return { seeds, episodes };
  throw new InputError(
    `option --episodes is ${episodes}; it must be a multiple of ${REFEREE_BATCH}, the episodes of a batch`,
  );
}

/** The rows asked for, and the own one; with neither all rows. @throws InputError for a row or code that cannot be had. */
async function rowsOf(args: Args): Promise<AlgorithmConfig[]> {
  const [code, asked, on] = [args.string("code"), args.string("algorithm"), args.string("on")];
  const set = overrides(args.list("set"));
  if (code === undefined) {
    if (on !== undefined) throw new InputError("option --on is for --code FILE");
    return algorithmList(asked, set);
  }
  const source = readText("option --code", code);
  const mine: Definition = { kind: "estimator", name: MINE, source };
  checkDefinitions([mine]);
  const own = resolveAlgorithm(definedRowName(on ?? OWN_ROW, "estimator", MINE), set);
  const others = asked === undefined ? [] : algorithmList(asked, set);
  return [boundRow(own, await openDefinitionsHere([mine])), ...others];
}

/** Options that a line's numbers depend on beside task, row and critic. */
const SHARED = ["seeds", "episodes", "code", "on"] as const;

function commandOf(line: RefereeLine, args: Args): string {
  const isOwn = line.row.endsWith(`@${MINE}`);
  const shared = SHARED.filter((key) => isOwn || (key !== "code" && key !== "on"));
  const options = shared.flatMap((key) => {
    const value = args.string(key);
    return value === undefined ? [] : [`--${key} ${value}`];
  });
  const set = args.list("set").map((pair) => `--set ${pair}`);
  const command = refereeCommandOf(line, [...options, ...set]);
  // The own row is named by its file.
  return isOwn ? command.replace(` --algorithm ${line.row}`, "") : command;
}
