/** `record pack RUN --out DIR [--every N] [--episodes N] [--branches K] [--weights 1|2] [--around N]`: see record.ts. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent, EpisodeRecord } from "../../record/runEvent.ts";
import { packRecording, wholeGroups, type FilesByName } from "../../interchange/columnar/pack.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { RUN_FILES } from "../../train/runFiles.ts";
import { outFolder, parseArgs, userPath, type Args } from "../args.ts";
import { keptLog, nearestCheckpoint } from "../keptRun.ts";
import { parseObject } from "../logFile.ts";
import type { Command, Output } from "../command.ts";
import { OutputFolder } from "../outputFolder.ts";
import { chunksOf, textLines } from "../textLines.ts";
import { TRAIN_OPTIONS, openTrainEngine } from "../trainOptions.ts";
import { isAltered, verifyRecording } from "../verifyFiles.ts";
import type { WeightMap } from "../../engine/engine.ts";
import type { StoredTruth } from "../../interchange/columnar/content.ts";
import { writeSafetensors } from "../../model/safetensors.ts";
import { answerTruth } from "../../runtime/services/truth.ts";
import type { TruthAnswer } from "../../runtime/questions.ts";
import { RunLog } from "../../reading/log/runLog.ts";
import { storiesOf } from "../../reading/story/story.ts";
import type { Experiment } from "../../train/experiment.ts";
import type { ExperimentHost } from "../../train/host.ts";
import { networksOf } from "../../train/learner.ts";
import { experimentBefore, specOfLog } from "../../train/oracle/replay.ts";
import { MODEL_OPTION, runFolderHost } from "../modelFolder.ts";
import { nodeHost } from "../nodeHost.ts";

export const PACK_OPTIONS = {
  every: { type: "integer", min: 1 },
  episodes: { type: "integer", min: 1 },
  branches: { type: "integer", min: 2, max: 512 },
  truths: { type: "integer", min: 0 },
  weights: { type: "integer", min: 1, max: 2 },
  around: { type: "integer", min: 0 },
  workers: TRAIN_OPTIONS.workers,
  ...MODEL_OPTION,
  out: { type: "string" },
  force: { type: "flag" },
} as const;

const DEFAULTS = { every: 10, episodes: 16, branches: 256, truths: 8, weights: 2 };

export const packCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { ...PACK_OPTIONS, command: { type: "string" } });
  const [run, ...rest] = args.words;
  if (run === undefined || rest.length > 0)
    throw new InputError(
      `record pack takes one run folder, log or recording; got ${show(args.words.join(" "))}`,
    );
  const target = targetOf("record pack", args);
  await packInto(target, userPath(run), args.string("command"), args, out);
};

export function targetOf(command: string, args: Args): OutputFolder {
  if (outFolder(args) === undefined)
    throw new InputError(`${command} needs --out DIR, the folder to write`);
  return new OutputFolder(args.string("out")!, args.flag("force"));
}

/** `command`: the one that made the run, if the run does not have it. */
export async function packInto(
  target: OutputFolder,
  path: string,
  command: string | undefined,
  args: Args,
  out: Output,
): Promise<void> {
  const files = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? await packFolder(path, command ?? "", args, out)
    : await packLines(path, command, args);
  target.write(files);
  const sizes = [...files].map(([name, { length }]) => [name, length] as const);
  const bytes = sizes.reduce((sum, [, length]) => sum + length, 0);
  out.json({ files: Object.fromEntries(sizes), bytes });
}

/** With weights and true values, which are computed by training the stored run again from its checkpoints. */
async function packFolder(
  folder: string,
  command: string,
  args: Args,
  out: Output,
): Promise<FilesByName> {
  const events = keptLog(folder);
  const iterations = lastIteration(events, join(folder, RUN_FILES.log));
  const { every, weights } = DEFAULTS;
  const keeps = keepsOf(
    iterations,
    args.number("every") ?? every,
    args.number("weights") ?? weights,
  );
  const sizes = {
    branches: args.number("branches") ?? DEFAULTS.branches,
    episodes: args.number("truths") ?? DEFAULTS.truths,
  };
  const { checkpoints, truthsOf } = await playedAgain({
    folder,
    events,
    keeps,
    ...sizes,
    args,
    out,
  });
  const episodes = args.number("episodes") ?? DEFAULTS.episodes;
  const keep = denser(keeps.keep, events, args);
  return packRecording({ events, command, keep, episodes, checkpoints, truthsOf });
}

/** Lines of events alone contain no weights. */
function packLines(path: string, command: string | undefined, args: Args): Promise<FilesByName> {
  const verdict = verifyRecording(path, chunksOf(path));
  if (isAltered(verdict)) throw new InputError(`${path} is ${verdict.state}: ${verdict.why}`);
  if (verdict.state !== "intact") throw new InputError(`${path} has no chain`);
  const objects = [...textLines(chunksOf(path))].map(({ text }) => parseObject(text) ?? {});
  const header = objects.find((one) => typeof one["command"] === "string");
  const events = objects.filter((one) => "type" in one) as unknown as RunEvent[];
  const { keep } = keepsOf(lastIteration(events, path), args.number("every") ?? DEFAULTS.every, 0);
  const made = command ?? (header?.["command"] as string | undefined) ?? "";
  const episodes = args.number("episodes") ?? DEFAULTS.episodes;
  const dense = denser(keep, events, args);
  return packRecording({ events, command: made, keep: dense, episodes });
}

/** Most iterations that a cause adds: an interval of a noisy run may be half of it. */
const MOST_AROUND = 24;

/**
 * With `--around N`, what is kept and every iteration in which a likely cause set in, with N before
 * and after: where someone will want to look.
 */
function denser(keep: Keeps["keep"], events: readonly RunEvent[], args: Args): Keeps["keep"] {
  const around = args.number("around");
  if (around === undefined) return keep;
  const log = new RunLog();
  for (const event of events) log.append(event);
  const likely = storiesOf(log).flatMap(({ causes }) => causes.slice(0, 2));
  const spans = likely.map(({ between: [from, to] }) => [
    from - around,
    Math.min(to + around, from - around + MOST_AROUND - 1),
  ]);
  return (n) => keep(n) || spans.some(([from, to]) => n >= from! && n <= to!);
}

function lastIteration(events: readonly RunEvent[], path: string): number {
  const last = events.at(-1);
  if (last?.type === "end") return last.iterations;
  throw new InputError(`${path} holds an unfinished run: finish its training first`);
}

interface WantedReplay {
  folder: string;
  events: RunEvent[];
  keeps: Keeps;
  /** Continuations from each turn. */
  branches: number;
  /**
   * Minimum number of episodes of each method and iteration whose true values are estimated; whole
   * groups.
   */
  episodes: number;
  args: Args;
  out: Output;
}

interface FoundAgain {
  /** Safetensors in 16 bits, by iterations of training. */
  checkpoints: Map<number, Uint8Array>;
  truthsOf: (algorithm: string, iteration: number) => Record<string, StoredTruth>;
}

/** What a log lacks: weights along the run, and true values of its first episodes, under the policies that played them. */
async function playedAgain(wanted: WantedReplay): Promise<FoundAgain> {
  const { args, out, keeps, events } = wanted;
  const spec = specOfLog(events);
  const model = await runFolderHost(spec, args);
  const engine = await openTrainEngine(spec, args, out);
  const checkpoints = new Map<number, Uint8Array>();
  const truths = new Map<string, Record<string, StoredTruth>>();
  try {
    for (const iteration of stopsOf(keeps)) {
      const experiment = await standBeforeIteration(iteration, wanted, {
        ...nodeHost(engine, out),
        ...model,
      });
      try {
        if (keeps.checkpoints.includes(iteration - 1))
          checkpoints.set(iteration - 1, await weightsOf(experiment));
        if (keeps.truths.includes(iteration))
          await addTruths(truths, experiment, iteration, wanted);
      } finally {
        experiment.dispose();
      }
    }
  } finally {
    engine.dispose();
  }
  return { checkpoints, truthsOf: (name, iteration) => truths.get(keyOf(name, iteration)) ?? {} };
}

const keyOf = (algorithm: string, iteration: number) => `${algorithm}|${iteration}`;

/** Iterations before whose updates something is computed: one more than were trained. */
function stopsOf({ checkpoints, truths }: Keeps): number[] {
  return [...new Set([...truths, ...checkpoints.map((n) => n + 1)])].sort((a, b) => a - b);
}

async function standBeforeIteration(
  iteration: number,
  { folder, events }: WantedReplay,
  host: ExperimentHost,
) {
  const saved = await nearestCheckpoint(folder, iteration);
  return experimentBefore(iteration, events, host, saved);
}

/** What is trained of every network, `<method>:<network>/<tensor>`; the reference is the start itself. */
async function weightsOf({ learners }: Experiment): Promise<Uint8Array> {
  const all: WeightMap = new Map();
  for (const learner of learners) {
    if (learner.crashed) continue;
    for (const [name, model] of networksOf(learner)) {
      if (name === "reference") continue;
      for (const [tensor, value] of await model.readWeights("trained"))
        all.set(`${learner.algorithm.name}:${name}/${tensor}`, value);
    }
  }
  return writeSafetensors(all, "F16");
}

async function addTruths(
  truths: Map<string, Record<string, StoredTruth>>,
  experiment: Experiment,
  iteration: number,
  { events, branches, episodes, out }: WantedReplay,
): Promise<void> {
  const service = { experiment, progress: () => {}, gate: () => Promise.resolve() };
  for (const event of events) {
    if (event.type !== "iteration" || event.iteration !== iteration) continue;
    const { algorithm } = event;
    const learner = experiment.learners.find((one) => one.algorithm.name === algorithm);
    if (!learner || learner.crashed) continue;
    const own: Record<string, StoredTruth> = {};
    for (const episode of firstEpisodes(event.episodes, episodes)) {
      const question = { kind: "truth", algorithm, iteration, episode, branches } as const;
      own[episode.trajectory] = storedOf(await answerTruth(service, question));
      out.progress(`true values: ${algorithm}, iteration ${iteration}, ${Object.keys(own).length}`);
    }
    truths.set(keyOf(algorithm, iteration), own);
  }
}

function firstEpisodes(all: readonly EpisodeRecord[], least: number): EpisodeRecord[] {
  return least === 0 ? [] : wholeGroups(all, least);
}

export function storedOf(answer: TruthAnswer): StoredTruth {
  const { value, advantage, solved, trained, branches, gamma, steps } = answer;
  return {
    turns: value.map((V, h) => ({
      value: V.mean,
      valueInterval: [V.low, V.high],
      advantage: advantage[h]!.mean,
      advantageInterval: [advantage[h]!.low, advantage[h]!.high],
      ...(solved[h] && { solved: solved[h] }),
    })),
    found: { trained, branches, gamma, steps },
  };
}

/** The iterations of a run whose episodes, weights and true values a recording stores. */

interface Keeps {
  /** Whether an iteration's episodes are stored. */
  keep: (iteration: number) => boolean;
  /** Iterations after which the weights are stored; the start needs none. */
  checkpoints: number[];
  /** Iterations whose first episodes get true values: those whose policy is stored, and the last. */
  truths: number[];
}

/**
 * iterations: of the run. every: stores one in this many, the first, the last, and the one that the
 * middle's weights played. weights: at the end alone (1), or at the middle too (2).
 */
function keepsOf(iterations: number, every: number, weights: number): Keeps {
  const middle = Math.floor(iterations / 2);
  const played = [1, middle + 1, iterations];
  return {
    keep: (n) => n % every === 0 || played.includes(n),
    checkpoints: unique([middle, iterations].slice(2 - weights)).filter((n) => n > 0),
    truths: unique(played.filter((n) => n <= iterations)),
  };
}

function unique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
