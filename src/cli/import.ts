/** `import PATH...`: rollouts of any trainer that is known, as one file of `turnbook-rollouts/1`, read as a stream. */
import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { paidAtEnd, type ItemFile } from "../interchange/import/foreign.ts";
import { RefusedError } from "../interchange/import/refused.ts";
import { isRowField, rowFields, type RowMap } from "../interchange/import/choices.ts";
import { readInto } from "../interchange/import/translate.ts";
import { words } from "../interchange/import/words.ts";
import { RolloutFile, type KeptPart, type RunFound } from "../interchange/rollouts/rolloutFile.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { computableRows } from "../reading/credit/computable.ts";
import { parseArgs, userPath, type Args } from "./args.ts";
import type { Command } from "./command.ts";
import { onFiles } from "./fileError.ts";
import { openPaths } from "./openPaths.ts";
import { partialPath, writeAll } from "./wholeFile.ts";

/** `import PATH... [--steps A:B] [--groups N] [--map FIELD=COLUMN]... [--paid-last] --out FILE [--force]` */
export const importCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, {
    steps: { type: "string" },
    groups: { type: "integer", min: 1 },
    map: { type: "string", repeat: true },
    out: { type: "string" },
    "paid-last": { type: "flag" },
    force: { type: "flag" },
  });
  if (args.words.length === 0) throw new InputError("import needs the path of a file or a folder");
  const kept = {
    steps: stepsIn(args),
    groups: args.number("groups") ?? null,
    paidLast: args.flag("paid-last"),
  };
  const map = mapIn(args.list("map"));
  const target = args.string("out");
  if (target === undefined) throw new InputError("import needs --out FILE");
  const path = userPath(target);
  if (existsSync(path) && !args.flag("force"))
    throw new InputError(`--out ${target} exists; add --force to replace it`);
  const { files, faults } = await openPaths(args.words);
  const { writer, rollouts } = await onWhole(path, (write) =>
    readAll(files, faults, write, kept, map),
  );
  for (const line of [...faults, ...rollouts.warnings]) out.progress(line);
  out.json(summary(writer, rollouts));
};

function stepsIn(args: Args): KeptPart["steps"] {
  const text = args.string("steps");
  if (text === undefined) return null;
  const [, from, to] = /^(\d*):(\d*)$/.exec(text) ?? [];
  if (from === undefined || to === undefined)
    throw new InputError(`option --steps is ${show(text)}; it must be A:B, as 10:20, 10: or :20`);
  return [from === "" ? 0 : Number(from), to === "" ? Infinity : Number(to)];
}

function mapIn(pairs: readonly string[]): RowMap | null {
  const map: RowMap = {};
  for (const pair of pairs) {
    const [field = "", ...column] = pair.split("=");
    if (!isRowField(field) || column.length === 0)
      throw new InputError(
        `option --map is ${show(pair)}; it must be FIELD=COLUMN, where FIELD is ${rowFields.join(", ")}`,
      );
    map[field] = column.join("=");
  }
  return pairs.length === 0 ? null : map;
}

function readAll(
  files: readonly ItemFile[],
  faults: string[],
  write: (line: string) => void,
  kept: KeptPart,
  map: RowMap | null,
) {
  const rollouts = new RolloutFile(write, kept);
  try {
    const { titles, refused, refusedAt, notFinite, notFiniteAt } = readInto(rollouts, files, map);
    if (refused > 0) faults.push(words.unread(refused, refusedAt));
    if (notFinite > 0) faults.push(words.notFinite(notFinite, notFiniteAt));
    return { writer: titles.join(" and "), rollouts };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    const asked = rollouts.leftOut > 0 ? "No episode is within --steps." : "";
    throw new InputError([asked || `${error.message} ${error.action}`, ...faults].join(" "));
  }
}

const BLOCK = 1 << 20;

/** The file appears once it is whole. */
async function onWhole<T>(path: string, work: (write: (line: string) => void) => T): Promise<T> {
  const part = partialPath(path);
  const file = onFiles(`${path} cannot be written`, () => openSync(part, "w"));
  let held: string[] = [];
  let length = 0;
  const flush = () => {
    onFiles(`${path} cannot be written`, () => writeAll(file, held.join("")));
    [held, length] = [[], 0];
  };
  try {
    const result = work((line) => {
      held.push(line, "\n");
      length += line.length;
      if (length > BLOCK) flush();
    });
    flush();
    renameSync(part, path);
    return result;
  } finally {
    closeSync(file);
    rmSync(part, { force: true });
  }
}

/** Names that are listed. */
const MOST_UNREAD = 20;

/** The largest training run of the files, an evaluation if there is no other, and what else is in them. */
function summary(writer: string, { found, leftOut, assumed, unreadFields }: RolloutFile) {
  const [main, ...others] = [...found.values()].sort(
    (a, b) => Number(a.isEval) - Number(b.isEval) || b.episodes - a.episodes || b.tokens - a.tokens,
  );
  const rows = computableRows(main!.first);
  const paid = main!.first.map((episode) => paidAtEnd(episode) ?? episode);
  const more = computableRows(paid).filter((name) => !rows.includes(name));
  const names = [...new Set([...found.values()].map(({ name }) => name))];
  return {
    // Several programs write tables, and a table's run is named after its own.
    writer: writer.replace("tables", names.join(", ")),
    ...counts(main!),
    rows,
    ...(more.length > 0 && { rowsIfPaidLast: more }),
    absent: absentIn(main!),
    assumed: [...assumed],
    ...(unreadFields.size > 0 && { unread: [...unreadFields].slice(0, MOST_UNREAD) }),
    ...(leftOut > 0 && { leftOut }),
    ...(others.length > 0 && {
      others: others.map((run) => ({
        run: run.name,
        split: run.isEval ? "eval" : "train",
        ...counts(run),
      })),
    }),
  };
}

function counts({ episodes, steps, logged, groups, turns, tokens }: RunFound) {
  return { episodes, steps: (episodes > 0 ? steps : logged).size, groups, turns, tokens };
}

const NEVER = ["updates"];

function absentIn({ seen, settings, episodes }: RunFound): string[] {
  const fields = Object.entries(words.absent).filter(
    ([field]) => !NEVER.includes(field) && !seen.has(field as keyof typeof words.absent),
  );
  const lacking = episodes === 0 ? ["episodes"] : fields.map(([, name]) => name);
  return [...lacking, ...(settings ? [] : ["settings of training"])];
}
