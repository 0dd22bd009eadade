/** What a log lacks: weights along the run, and true values of its first episodes, under the policies that played them. */
import type { Engine, WeightMap } from "../../engine/engine.ts";
import type { StoredTruth } from "../../interchange/columnar/content.ts";
import { wholeGroups } from "../../interchange/columnar/pack.ts";
import { writeSafetensors } from "../../model/safetensors.ts";
import type { EpisodeRecord, RunEvent } from "../../record/runEvent.ts";
import { answerTruth } from "../../runtime/services/truth.ts";
import type { TruthAnswer } from "../../runtime/questions.ts";
import type { Experiment } from "../../train/experiment.ts";
import { networksOf } from "../../train/learner.ts";
import { experimentBefore, specOfLog } from "../../train/oracle/replay.ts";
import type { Args } from "../args.ts";
import { nearestCheckpoint } from "../keptRun.ts";
import type { Output } from "../command.ts";
import { nodeHost } from "../nodeHost.ts";
import { openTrainEngine } from "../trainOptions.ts";
import type { Keeps } from "./keptIterations.ts";

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

export async function playedAgain(wanted: WantedReplay): Promise<FoundAgain> {
  const { args, out, keeps, events } = wanted;
  const engine = await openTrainEngine(specOfLog(events), args, out);
  const checkpoints = new Map<number, Uint8Array>();
  const truths = new Map<string, Record<string, StoredTruth>>();
  try {
    for (const iteration of stopsOf(keeps)) {
      const experiment = await standBeforeIteration(iteration, wanted, engine);
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
  { folder, events, out }: WantedReplay,
  engine: Engine,
) {
  const host = nodeHost(engine, out);
  const saved = await nearestCheckpoint(folder, iteration);
  return experimentBefore(iteration, events, host, saved);
}

/** Every trained network, `<method>:<network>/<tensor>`; the reference is the start itself. */
async function weightsOf({ learners }: Experiment): Promise<Uint8Array> {
  const all: WeightMap = new Map();
  for (const learner of learners) {
    if (learner.crashed) continue;
    for (const [name, model] of networksOf(learner)) {
      if (name === "reference") continue;
      for (const [tensor, value] of await model.readWeights())
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

function storedOf({ value, advantage, trained, branches, gamma, steps }: TruthAnswer): StoredTruth {
  return {
    turns: value.map((V, h) => ({
      value: V.mean,
      valueInterval: [V.low, V.high],
      advantage: advantage[h]!.mean,
      advantageInterval: [advantage[h]!.low, advantage[h]!.high],
    })),
    found: { trained, branches, gamma, steps },
  };
}
