/** `--actions FILE`: the texts of an episode's turns. */
import type { Args } from "./args.ts";
import { readOption } from "./readFile.ts";

/**
 * One turn per line; an empty line is an empty response, and only the final newline is dropped.
 * Empty without the option.
 */
export function readTurns(args: Args): string[] {
  const path = args.string("actions");
  const text = path === undefined ? "" : readOption("actions", path);
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
