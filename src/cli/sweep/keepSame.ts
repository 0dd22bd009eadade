/** A file that says what a folder's runs are: written once, then the same. */
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { InputError } from "../../numeric/inputError.ts";
import { makeFolder, replaceFile } from "../wholeFile.ts";

/** @throws InputError if the file has another content. */
export function keepSame(file: string, text: string): void {
  if (existsSync(file)) {
    if (readFileSync(file, "utf8") === text) return;
    throw new InputError(`${file} has another content; use another folder`);
  }
  makeFolder(dirname(file));
  replaceFile(file, text);
}
