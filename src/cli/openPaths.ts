/** The files of other programs that a command line names, alone or in folders. */
import { append } from "../numeric/lists.ts";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { openPacked } from "../interchange/container/open.ts";
import type { ItemFile } from "../interchange/import/foreign.ts";
import { RefusedError } from "../interchange/import/refused.ts";
import { words } from "../interchange/import/words.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { userPath } from "./args.ts";
import { chunksOf } from "./textLines.ts";

/** Files that hold rollouts, by their names; weights and configurations beside them are passed over. */
export const ROLLOUT_FILE =
  /\.(?:jsonl?|ndjson|csv|tsv|txt|log|gz|zst|zip|eval|parquet|pkl|pickle|pt)$/i;

/** Files named or in a folder, and why others could not be openPacked. @throws InputError if there is none */
export async function openPaths(paths: readonly string[]) {
  const files: ItemFile[] = [];
  const faults: string[] = [];
  for (const path of paths)
    for (const { name, full } of filesIn(path)) {
      try {
        append(files, await openPacked({ name, chunks: () => chunksOf(full) }));
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        faults.push(words.binary(name, `${error.message} ${error.action}`));
      }
    }
  if (files.length === 0)
    throw new InputError(
      faults[0] ?? `${show(paths.join(" "))} holds no file that may have rollouts`,
    );
  return { files, faults };
}

function filesIn(path: string): { name: string; full: string }[] {
  const root = userPath(path);
  if (!existsSync(root)) throw new InputError(`there is no file or folder ${show(path)}`);
  if (!statSync(root).isDirectory())
    return [{ name: root.split(sep).slice(-2).join("/"), full: root }];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ROLLOUT_FILE.test(entry.name))
    .map((entry) => {
      const full = join(entry.parentPath, entry.name);
      return {
        name: `${basename(root)}/${full
          .slice(root.length + 1)
          .split(sep)
          .join("/")}`,
        full,
      };
    });
}
