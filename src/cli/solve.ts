/** `solve ENVIRONMENT`: the shortest solution of a level. */
import { solveLurd } from "../env/sokoban/solver.ts";
import { InputError, show } from "../spec/inputError.ts";
import { parseArgs } from "./args.ts";
import type { Command } from "./command.ts";
import { LEVEL_OPTIONS, readLevel } from "./sokobanLevel.ts";

export const solveCommand: Command = async (argv, out) => {
  const [name, ...rest] = argv;
  if (name !== "sokoban") {
    throw new InputError(`solve needs an environment, not ${show(name)}; allowed: sokoban`);
  }
  const args = parseArgs(rest, LEVEL_OPTIONS);
  if (args.words.length > 0)
    throw new InputError(`solve sokoban takes no argument ${show(args.words[0])}`);
  const moves = solveLurd(readLevel(args));
  out.json({ solvable: moves !== null, moves });
};
