/** `record train SPEC --out DIR [--work DIR]`: trains a spec in a run folder, resumable, then packs it. */
import { join } from "node:path";
import { InputError } from "../../numeric/inputError.ts";
import { parseArgs, userPath, keptWords } from "../args.ts";
import type { Command, Output } from "../command.ts";
import { trainCommand } from "../train.ts";
import { specFrom, TRAIN_OPTIONS } from "../trainOptions.ts";
import { PACK_OPTIONS, packInto, targetOf } from "./packCommand.ts";

/** Passed on to `train` unchanged. */
const TO_TRAIN = [
  "iterations",
  "seed",
  "workers",
  "engine",
  "backend",
  "checkpoint-every",
  "model",
] as const;

export const recordTrainCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { ...TRAIN_OPTIONS, ...PACK_OPTIONS, work: { type: "string" } });
  const spec = specFrom("record train", args);
  if (spec.recordEpisodes === 0)
    throw new InputError("recordEpisodes is 0; a recording needs episodes, at least 1");
  const target = targetOf("record train", args);
  const work = userPath(args.string("work") ?? join("runs", `record-${spec.preset}-${spec.seed}`));
  const middle = Math.max(1, Math.floor(spec.optimisation.iterations / 2));
  const given = TO_TRAIN.flatMap((key) => {
    const value = args.string(key);
    return value === undefined ? [] : [`--${key}`, value];
  });
  for (const change of args.list("set")) given.push("--set", change);
  const words = [...args.words, ...given, "--out", work, "--keep-every", String(middle)];
  await trainCommand(words, quiet(out));
  const command = `npm run -s turnbook -- record train ${keptWords(argv).join(" ")}`;
  await packInto(target, work, command, args, out);
};

/** The events are in the folder. */
function quiet(out: Output): Output {
  return { ...out, json: () => {} };
}
