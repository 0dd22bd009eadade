/** Model folders on disk: the files of one, and `--model DIR` of an experiment. */
import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { RangedFile } from "../model/safetensors.ts";
import { hashFolder, openTextFolder } from "../model/textFolder.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { folderName } from "../spec/folder.ts";
import { validateSpec, type ExperimentSpec } from "../spec/experiment.ts";
import type { ExperimentHost } from "../train/host.ts";
import { userPath, type Args } from "./args.ts";
import { rangedFile } from "./readFile.ts";

/** Maximum bytes of the text files of a model folder. */
const MAX_TEXT_FILE = 2 ** 28;

/** Empty if the folder cannot be listed: reading it reports why. */
export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** `--model DIR`: the folder that an experiment is on. */
export const MODEL_OPTION = { model: { type: "string" } } as const;

/** The files of the folder of an option. Promises, because it may be on a web server: a failed read rejects. */
export const folderOpener =
  (option: string, folder: string) =>
  async (name: string): Promise<RangedFile> => {
    const file = rangedFile(`option --${option}`, join(folder, name));
    if (file.size <= MAX_TEXT_FILE || name.endsWith(".safetensors")) return file;
    throw new InputError(`it has ${file.size} bytes; at most ${MAX_TEXT_FILE} are read`);
  };

/**
 * The experiment on the folder of `--model`, which it names by its hash.
 * @throws InputError if the folder is not the one that the experiment names, or there is none
 */
export async function withModelFolder(
  spec: ExperimentSpec,
  args: Args,
): Promise<{ spec: ExperimentSpec; host: Pick<ExperimentHost, "openFolder"> }> {
  const { folder: named } = spec.model;
  const option = args.string("model");
  if (option === undefined) {
    if (!named) return { spec, host: {} };
    throw new InputError(
      `model.folder is ${show(folderName(named))}; option --model DIR must name that folder`,
    );
  }
  const path = userPath(option);
  const open = folderOpener("model", path);
  const folder = await openTextFolder(open, filesIn(path));
  const { hash } = await hashFolder(open, folder.files);
  if (named && named.hash !== hash)
    throw new InputError(
      `option --model is ${show(option)}, whose files have the hash ${hash}; the experiment is on ${show(folderName(named))} with ${named.hash}`,
    );
  const model = {
    ...spec.model,
    warmStart: "checkpoint",
    folder: named ?? { hash, name: basename(resolve(path)) },
  };
  return { spec: validateSpec({ ...spec, model }), host: { openFolder: async () => folder } };
}

/**
 * The folder that a stored run is on, by `--model`.
 * @throws InputError as withModelFolder, or if the run is on none
 */
export async function runFolderHost(
  spec: ExperimentSpec,
  args: Args,
): Promise<Pick<ExperimentHost, "openFolder">> {
  const option = args.string("model");
  if (option !== undefined && !spec.model.folder)
    throw new InputError(
      `option --model is ${show(option)}; the run is on no model folder: leave the option out`,
    );
  return (await withModelFolder(spec, args)).host;
}
