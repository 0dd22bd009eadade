/** `notebook check FILE`: what is wrong with a notebook, by line. `notebook new FILE`: an empty one. `notebook run FILE --out DIR`: see notebookRun.ts. */
import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { remarksOf } from "../notebook/cellFields.ts";
import { parseNotebook, type Cell, type Remark, type TypedCell } from "../notebook/document.ts";
import { definitionsIn, readExperiment } from "../notebook/experimentCell.ts";
import { CodeError } from "../runtime/sandbox/codeError.ts";
import { freeNames } from "../runtime/sandbox/freeNames.ts";
import { InputError, show } from "../spec/inputError.ts";
import { parseArgs, userPath } from "./args.ts";
import type { Command } from "./command.ts";
import { readText } from "./readFile.ts";

const ACTIONS: Record<string, Command> = {
  check,
  new: create,
  run: async (argv, out) => (await import("./notebookRun.ts")).runNotebook(argv, out),
};

export const notebookCommand: Command = async (argv, out) => {
  const [name = "", ...rest] = argv;
  if (!Object.hasOwn(ACTIONS, name))
    throw new InputError(
      `notebook needs an action, not ${show(name)}; allowed: ${Object.keys(ACTIONS).join(", ")}`,
    );
  return ACTIONS[name]!(rest, out);
};

/** Exit code 1 where there is anything to mend. */
async function check(argv: string[], out: Parameters<Command>[1]): Promise<number> {
  const path = fileOf(argv, "check");
  const { notebook, remarks, lines } = parseNotebook(readText("the notebook", path));
  const problems = [...remarks];
  const definitions = definitionsIn(notebook.cells);
  for (const [i, cell] of notebook.cells.entries()) {
    if (cell.type === "prose") continue;
    const own = [
      ...remarksOf(cell.type, cell.body, definitions),
      ...missingFiles(cell, path),
      ...(cell.type === "code" && !cell.defines ? await codeRemarks(cell, notebook.cells) : []),
    ];
    // The body begins below the fence.
    for (const { line, message } of own)
      problems.push({ line: lines[i]! + line, message: `${cell.id}: ${message}` });
  }
  const typed = notebook.cells.filter((cell): cell is TypedCell => cell.type !== "prose");
  out.json({
    title: notebook.title,
    cells: typed.map(({ type, id, of }) => ({ type, id, of })),
    problems: problems.sort((a, b) => a.line - b.line),
  });
  return problems.length === 0 ? 0 : 1;
}

/** Code that cannot be read, and names that it reads and nothing gives. */
async function codeRemarks({ id, body }: TypedCell, cells: readonly Cell[]): Promise<Remark[]> {
  try {
    const reads = await freeNames(body, id);
    const known = new Set(cells.flatMap((cell) => (cell.type === "prose" ? [] : [cell.id])));
    return reads
      .filter((name) => name !== "runs" && !known.has(name))
      .map((name) => ({ line: 1, message: `${name} is no cell of this notebook.` }));
  } catch (error) {
    if (!(error instanceof CodeError)) throw error;
    return [{ line: error.line ?? 1, message: `${error.what}.` }];
  }
}

/** Recordings that an experiment names and that are not there: beside the folder of notebooks, as a site serves them. */
function missingFiles({ type, body }: TypedCell, path: string): Remark[] {
  if (type !== "experiment") return [];
  const { recording, seeds } = readExperiment(body);
  const beside = resolve(dirname(userPath(path)), "..");
  return [recording, seeds]
    .filter((file): file is string => file !== null && !existsSync(resolve(beside, file)))
    .map((file) => ({ line: 1, message: `${file} is not there.` }));
}

async function create(argv: string[], out: Parameters<Command>[1]): Promise<void> {
  const path = userPath(fileOf(argv, "new"));
  const text =
    "# Untitled\n\n```experiment id=first\npreset: nano\n```\n\n```curves id=curves of=first\n```\n";
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    throw new InputError(`the notebook ${path} cannot be written: ${(error as Error).message}`);
  }
  out.json({ written: path });
}

function fileOf(argv: string[], action: string): string {
  const { words } = parseArgs(argv, {});
  if (words.length !== 1)
    throw new InputError(`notebook ${action} needs one file, not ${words.length}`);
  return words[0]!;
}
