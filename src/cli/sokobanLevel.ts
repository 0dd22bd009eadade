/** `--level FILE.xsb [--index N]`, used by `play sokoban` and `solve sokoban`. */
import type { Board } from "../env/sokoban/board.ts";
import { parseXsbLevel } from "../env/sokoban/xsb.ts";
import { InputError } from "../numeric/inputError.ts";
import type { Args, OptionSpec } from "./args.ts";
import { readOption } from "./readFile.ts";

export const LEVEL_OPTIONS: Record<string, OptionSpec> = {
  level: { type: "string" },
  index: { type: "integer", min: 0 },
};

/**
 * Level --index (from 0, default 0) of the file --level. Throws InputError with the file's name.
 */
export function readLevel(args: Args): Board {
  const path = args.string("level");
  if (path === undefined) throw new InputError("option --level FILE.xsb is missing");
  const text = readOption("level", path);
  try {
    return parseXsbLevel(text, args.number("index") ?? 0);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${path}: ${error.message}`);
  }
}
