/** `export huggingface RUN --out DIR`: the models of a stored run, each as a folder for transformers. */
import { InputError } from "../numeric/inputError.ts";
import { modelFolders } from "../train/modelFolders.ts";
import { keptCheckpoint, RUN_FILES } from "../train/runFiles.ts";
import { outFolder, parseArgs, userPath } from "./args.ts";
import type { Command } from "./command.ts";
import { hasCode } from "./fileError.ts";
import { openDefinitionsHere } from "./nodeHost.ts";
import { OutputFolder } from "./outputFolder.ts";
import { keptIterations, readCheckpoint } from "./resumePoint.ts";

export const exportModels: Command = async (argv, out) => {
  const args = parseArgs(argv, { out: { type: "string" }, iteration: { type: "integer", min: 1 } });
  const [run, ...rest] = args.words;
  if (run === undefined || rest.length > 0)
    throw new InputError(
      `export huggingface needs one folder of "train --out", not ${args.words.length}`,
    );
  if (outFolder(args) === undefined) throw new InputError("option --out DIR is missing");
  const target = new OutputFolder(args.string("out")!, null);
  const checkpoint = await checkpointOf(userPath(run), args.number("iteration"));
  const files = await modelFolders(checkpoint, { openDefinitions: openDefinitionsHere });
  target.write(files);
  out.json({
    out: args.string("out"),
    iterations: checkpoint.position.iteration - 1,
    models: [...new Set([...files.keys()].map((path) => path.split("/")[0]))],
  });
};

/** The newest checkpoint, or the one stored after an iteration. */
async function checkpointOf(run: string, iteration: number | undefined) {
  const name = iteration === undefined ? RUN_FILES.checkpoint : keptCheckpoint(iteration);
  try {
    return await readCheckpoint(run, name);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    const kept = keptIterations(run);
    const list = kept.length > 0 ? `; kept iterations: ${kept.join(", ")}` : "";
    throw new InputError(`${run} has no checkpoint ${name}${list}`);
  }
}
