/** Where a study's file, and the code of its arms, come from. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { definitionsIn, typedCells, type Cell } from "../../notebook/cell.ts";
import { parseNotebook } from "../../notebook/document.ts";
import { fromJupyter } from "../../notebook/jupyter.ts";
import { parseStudy, type StudyFile } from "../../notebook/study/studyFile.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { ROW_KINDS, type Definition, type DefinitionKind } from "../../spec/definitions.ts";
import { userPath } from "../args.ts";
import { readOption, readText } from "../readFile.ts";

/** In the folder of a study. */
export const STUDY_FILE = "study.yaml";

/** The study of a folder. @throws InputError naming field, value and what is allowed. */
export function readStudy(folder: string): StudyFile {
  const path = join(folder, STUDY_FILE);
  if (!existsSync(path))
    throw new InputError(`${folder} holds no study: ${STUDY_FILE} is missing (see study new)`);
  return parseStudy(readText("study", path));
}

const NOTEBOOK = /\.(md|markdown|ipynb)$/i;

/**
 * What `--code` has for rows: a file's estimator, or a notebook's code, of which `NOTEBOOK.md#cell` names
 * the cell that is `name`'s; without it that is the cell of this name.
 * @throws InputError naming the file, and what it has.
 */
export function codeIn(code: string, name: string): Definition[] {
  const hash = existsSync(userPath(code)) ? -1 : code.lastIndexOf("#");
  const path = hash < 0 ? code : code.slice(0, hash);
  if (!NOTEBOOK.test(path)) {
    if (hash < 0) return [{ kind: "estimator", name, source: readOption("code", path) }];
    throw new InputError(
      `option --code is ${show(code)}; only a notebook (.md, .ipynb) has cells to name after #`,
    );
  }
  const text = readOption("code", path);
  const { cells } = parseNotebook(/\.ipynb$/i.test(path) ? fromJupyter(text) : text).notebook;
  const all = definitionsIn(cells).filter(({ kind }) => isOfRows(kind));
  if (hash < 0) return all;
  const id = code.slice(hash + 1);
  const own = all.find((one) => one.name === id);
  if (own) return [{ ...own, name }, ...all.filter((one) => one.name !== name)];
  const known = all.map((one) => `${one.name} (${one.kind})`).join(", ") || "none";
  throw new InputError(
    `option --code names the cell ${show(id)}, which ${whatIs(id, cells)}; rows can have of ${path}: ${known}`,
  );
}

const isOfRows = (kind: DefinitionKind) => (ROW_KINDS as readonly string[]).includes(kind);

function whatIs(id: string, cells: readonly Cell[]): string {
  const cell = typedCells(cells).find((one) => one.id === id);
  if (!cell) return "is not there";
  return cell.defines ? `defines a thing of kind ${cell.defines}` : "defines nothing";
}
