/** `clone SPEC --out DIR`: makes a warm-start checkpoint folder by cloning an expert, as public/models holds them. */
import type { WeightMap } from "../engine/engine.ts";
import { readSafetensors, writeSafetensors } from "../model/safetensors.ts";
import { exportModelFolder } from "../model/folder.ts";
import { InputError } from "../numeric/inputError.ts";
import { openDefinitions } from "../train/definitions.ts";
import { evaluate } from "../train/evaluate.ts";
import { HELD_OUT_LEVELS } from "../train/levels.ts";
import { withTokenizer } from "../train/modelFolders.ts";
import { cloneWeights, configOf, taskFamilyOf, holdOutLevels } from "../train/warmStart.ts";
import { cloneWork } from "./cloneWork.ts";
import { outFolder, parseArgs, userPath, keptWords } from "./args.ts";
import type { Command } from "./command.ts";
import { nodeHost } from "./nodeHost.ts";
import { OutputFolder } from "./outputFolder.ts";
import { openTrainEngine, sayIfLong, specFrom, TRAIN_OPTIONS } from "./trainOptions.ts";

export const cloneCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, {
    ...TRAIN_OPTIONS,
    force: { type: "flag" },
    work: { type: "string" },
    bf16: { type: "flag" },
  });
  if (outFolder(args) === undefined)
    throw new InputError("clone needs --out DIR, the folder to write");
  const spec = specFrom("clone", args);
  const work = args.string("work");
  const keeper =
    work === undefined ? undefined : cloneWork(userPath(work), spec, (line) => out.progress(line));
  const target = new OutputFolder(args.string("out")!, args.flag("force"));
  sayIfLong({ ...spec, model: { ...spec.model, warmStart: "clone" } }, false, out);
  const dtype = args.flag("bf16") ? "BF16" : "F32";
  const engine = await openTrainEngine(spec, args, out);
  try {
    const host = nodeHost(engine, out);
    const family = taskFamilyOf(spec, await openDefinitions(spec, host));
    await holdOutLevels(family.levels, HELD_OUT_LEVELS, host);
    const config = configOf(spec, family);
    const { weights, warmStart } = await cloneWeights(spec, host, family, config, keeper);
    // Scored as stored.
    const model = await engine.createModel(config, asStored(weights, dtype), "none");
    const scores = await evaluate({ spec, family, clock: () => 0 }, model, 0);
    const { workers: _workers, ...about } = engine.info;
    const summary = {
      command: `npm run -s turnbook -- clone ${keptWords(argv).join(" ")}`,
      clone: spec.clone,
      seed: spec.seed,
      engine: about,
      metrics: { ...warmStart.metrics, ...scores },
      levels: spec.evaluation.levels,
    };
    target.write(
      await withTokenizer(
        exportModelFolder(config, weights, dtype),
        family.tokenizerFiles(),
        summary,
      ),
    );
    out.json(summary);
  } finally {
    engine.dispose();
  }
};

function asStored(weights: WeightMap, dtype: "F32" | "BF16"): WeightMap {
  return dtype === "F32" ? weights : readSafetensors(writeSafetensors(weights, dtype), "BF16");
}
