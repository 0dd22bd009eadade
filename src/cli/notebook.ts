/** `notebook new FILE`: an empty one. `badge`, `check`, `format`, `run`: see notebookBadge.ts, notebookCheck.ts, notebookForm.ts, notebookRun.ts. */
import { writeFileSync } from "node:fs";
import { InputError, show } from "../numeric/inputError.ts";
import { parseArgs, userPath } from "./args.ts";
import type { Command } from "./command.ts";

const ACTIONS: Record<string, Command> = {
  badge: async (argv, out) => (await import("./notebookBadge.ts")).badgeCommand(argv, out),
  check: async (argv, out) => (await import("./notebookCheck.ts")).checkNotebooks(argv, out),
  format: async (argv, out) => (await import("./notebookForm.ts")).formatNotebooks(argv, out),
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

async function create(argv: string[], out: Parameters<Command>[1]): Promise<void> {
  const { words } = parseArgs(argv, {});
  if (words.length !== 1) throw new InputError(`notebook new needs one file, not ${words.length}`);
  const path = userPath(words[0]!);
  const text =
    "# Untitled\n\n```experiment id=first\npreset: nano\n```\n\n```curves id=curves of=first\n```\n";
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    throw new InputError(`the notebook ${path} cannot be written: ${(error as Error).message}`);
  }
  out.json({ written: path });
}
