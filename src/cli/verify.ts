/**
 * `verify PATH`: whether a run folder, a saved run, a checkpoint, a recording or a model folder is
 * intact: one line of JSON per file, exit code 1 if one was altered.
 */
import { InputError } from "../numeric/inputError.ts";
import { parseArgs, userPath } from "./args.ts";
import type { Command } from "./command.ts";
import { isAltered } from "./verifyFiles.ts";
import { verifyPath } from "./verifyPath.ts";

export const verifyCommand: Command = async (argv, out) => {
  const { words } = parseArgs(argv, {});
  const [path] = words;
  if (words.length !== 1 || path === undefined || path === "")
    throw new InputError(
      `verify takes one path, a run folder, a saved run, a checkpoint, a recording or a model folder; got ${words.length}`,
    );
  const verdicts = await verifyPath(userPath(path), path);
  for (const verdict of verdicts) out.json(verdict);
  return verdicts.some(isAltered) ? 1 : 0;
};
