/**
 * `record truths RECORDING --iteration N [--policy NAME]`: a recording's true values again, under the policy that played, with what
 * they lack: shares of continuations that succeed. Nothing else in it changes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ofEpisodes,
  type IterationPart,
  type StoredTruth,
} from "../../interchange/columnar/content.ts";
import { encodeManifest, MANIFEST } from "../../interchange/columnar/manifest.ts";
import { ColumnarRecording } from "../../interchange/columnar/open.ts";
import { encodePart } from "../../interchange/columnar/part.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { sha256Hex } from "../../numeric/sha256.ts";
import type { RunEvent } from "../../record/runEvent.ts";
import { answerTruth } from "../../runtime/services/truth.ts";
import type { Experiment } from "../../train/experiment.ts";
import { experimentBefore, specOfLog } from "../../train/oracle/replay.ts";
import { parseArgs, userPath } from "../args.ts";
import type { Command, Output } from "../command.ts";
import { MODEL_OPTION, runFolderHost } from "../modelFolder.ts";
import { nodeHost } from "../nodeHost.ts";
import { OutputFolder } from "../outputFolder.ts";
import { openTrainEngine, TRAIN_OPTIONS } from "../trainOptions.ts";
import { storedOf } from "./packCommand.ts";

export const truthsCommand: Command = async (argv, out) => {
  const options = { iteration: { type: "integer", min: 1 }, policy: { type: "string" } } as const;
  const args = parseArgs(argv, { ...options, workers: TRAIN_OPTIONS.workers, ...MODEL_OPTION });
  const [folder, ...rest] = args.words;
  const iteration = args.number("iteration");
  if (folder === undefined || rest.length > 0)
    throw new InputError(`record truths takes one recording; got ${show(args.words.join(" "))}`);
  if (iteration === undefined) throw new InputError("record truths needs --iteration N");
  const read = (name: string) => readFileSync(join(userPath(folder), name));
  const recording = new ColumnarRecording(read(MANIFEST).toString("utf8"), async (name) =>
    Promise.resolve(new Uint8Array(read(name))),
  );
  const methods = (await recording.iteration(iteration)) as IterationPart["methods"];
  const policy = args.string("policy");
  if (policy !== undefined && !Object.hasOwn(methods, policy))
    throw new InputError(
      `option --policy is ${show(policy)}; allowed: ${Object.keys(methods).join(", ")}`,
    );
  const events = (await recording.events()) as RunEvent[];
  const spec = specOfLog(events);
  const model = await runFolderHost(spec, args);
  const engine = await openTrainEngine(spec, args, out);
  try {
    const host = { ...nodeHost(engine, out), ...model };
    const experiment = await experimentBefore(iteration, events, host);
    for (const [name, method] of Object.entries(methods))
      if (policy === undefined || name === policy)
        method.truths = await truthsAgain(experiment, name, iteration, method, out);
    experiment.dispose();
  } finally {
    engine.dispose();
  }
  const { manifest } = recording;
  const { part } = manifest.iterations.find((one) => one.iteration === iteration)!;
  const bytes = encodePart({ methods }, ofEpisodes);
  const entry = { name: part, bytes: bytes.length, sha256: await sha256Hex(bytes) };
  const parts = manifest.parts.map((one) => (one.name === part ? entry : one));
  const files = new Map<string, Uint8Array | string>([
    [part, bytes],
    [MANIFEST, encodeManifest({ ...manifest, parts })],
  ]);
  new OutputFolder(folder, true).write(files);
  out.json({ part, bytes: bytes.length });
};

/** Of the episodes that have them. @throws InputError if a value comes out otherwise. */
async function truthsAgain(
  experiment: Experiment,
  algorithm: string,
  iteration: number,
  { episodes, truths }: IterationPart["methods"][string],
  out: Output,
): Promise<Record<string, StoredTruth>> {
  const service = { experiment, progress: () => {}, gate: () => Promise.resolve() };
  const again: Record<string, StoredTruth> = {};
  for (const [trajectory, known] of Object.entries(truths)) {
    const episode = episodes.find((one) => String(one.trajectory) === trajectory)!;
    const { branches } = known.found;
    const question = { kind: "truth", algorithm, iteration, episode, branches } as const;
    const found = storedOf(await answerTruth(service, question));
    const differs = found.turns.some(
      ({ value }, h) => !(Math.abs(value - known.turns[h]!.value) < 1e-4),
    );
    if (differs)
      throw new InputError(
        `computed again, the true values of ${algorithm}, iteration ${iteration}, episode ${trajectory} differ from the recording's`,
      );
    again[trajectory] = found;
    out.progress(`true values: ${algorithm}, iteration ${iteration}, episode ${trajectory}`);
  }
  return again;
}
