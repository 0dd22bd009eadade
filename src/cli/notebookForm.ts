/** `notebook format FILE...`: each notebook as the page writes it, so that a change in the page is a small difference in Git. */
import { writeFileSync } from "node:fs";
import type { Remark } from "../notebook/body.ts";
import type { Notebook } from "../notebook/cell.ts";
import { parseNotebook, serialiseNotebook } from "../notebook/document.ts";
import { InputError } from "../numeric/inputError.ts";
import { parseArgs, userPath } from "./args.ts";
import type { Command } from "./command.ts";
import { readText } from "./readFile.ts";

export const formatNotebooks: Command = async (argv, out) => {
  const { words } = parseArgs(argv, {});
  if (words.length === 0) throw new InputError("notebook format needs at least one file, not 0");
  for (const path of words) {
    const before = readText("the notebook", path);
    const text = serialiseNotebook(parseNotebook(before).notebook);
    if (text !== before) writeFileSync(userPath(path), text);
    out.json({ file: path, changed: text !== before });
  }
  return Promise.resolve();
};

/** The first line that the page would write otherwise. */
export function formRemarks(text: string, notebook: Notebook): Remark[] {
  const [before, after] = [text, serialiseNotebook(notebook)].map((one) => one.split("\n"));
  const at = after!.findIndex((line, i) => line !== before![i]);
  const line = at < 0 ? after!.length : at;
  if (at < 0 && before!.length === after!.length) return [];
  const wanted = after![line] ?? "the end of the file";
  const message = `The page writes this line as "${wanted.slice(0, 80)}"; notebook format writes the file so.`;
  return [{ line: line + 1, message }];
}
