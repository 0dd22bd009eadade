/** `--actions FILE`: what an episode's turns say. */
import type { Args } from "./args.ts";
import { readOption } from "./readFile.ts";

/**
 * One turn per line; an empty line is an empty response, and only the final newline is dropped. No
 * turns without the option.
 */
export function readTurns(args: Args): string[] {
  const path = args.string("actions");
  const text = path === undefined ? "" : readOption("actions", path);
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
