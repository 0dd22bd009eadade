/** `solve ENVIRONMENT`: the shortest solution of a level. */
import { solveLurd } from "../env/sokoban/solver.ts";
import { parseArgsOf } from "./args.ts";
import type { Command } from "./command.ts";
import { LEVEL_OPTIONS, readLevel } from "./sokobanLevel.ts";

export const solveCommand: Command = async (argv, out) => {
  const args = parseArgsOf("solve", "sokoban", argv, LEVEL_OPTIONS);
  const moves = solveLurd(readLevel(args));
  out.json({ solvable: moves !== null, moves });
};
