/** The task families a spec can name, each as a world for rollouts with its levels and demonstrations. */
import type { Environment } from "../env/environment.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { TurnInfo, World } from "../rollout/world.ts";
import type { TokenizerFiles } from "../text/domainVocabulary.ts";

/** The tasks, by seed, that a run trains on, demonstrates and is tested on. No held-out task is in a training set. */
export interface TaskSeeds {
  /** Tasks that pretrained weights have seen: never held out. Call before `heldOut`. */
  exclude(tasks: Iterable<string>): void;
  /** Seeds of the first n held-out tasks, or fewer if there are fewer. [<= n] */
  heldOut(n: number): number[];
  /** The held-out tasks in two disjoint sets. [<= 256 each] */
  split(): Record<TestSet, number[]>;
  /**
   * Tasks of a study's own, by its number from 0: distinct, not held out for other scores, and equal
   * to none of the `trained` ones. [n] @throws InputError if there are not that many.
   */
  sealed(study: number, n: number, trained: Iterable<number>): number[];
  /** Seeds of one iteration (from 1) of a run. [tasks] */
  train(runSeed: number, iteration: number, set: TrainingSet): number[];
  /** Seeds of n tasks to demonstrate, by the spec's revision; default 1. [n] */
  clone(n: number, revision?: number): number[];
  /**
   * The same three in slices, for tasks that take long to generate; `onTask` receives the number so
   * far.
   */
  heldOutSliced(n: number, onTask?: OnTask): Sliced<number[]>;
  trainSliced(
    runSeed: number,
    iteration: number,
    set: TrainingSet,
    onTask?: OnTask,
  ): Sliced<number[]>;
  cloneSliced(n: number, revision?: number, onTask?: OnTask): Sliced<number[]>;
}

/** How a family measures a state, before a turn or after the last one. */
export type GainMeasure =
  /**
   * The ids that write the right answer; or true once it has been given, false if it cannot be
   * given.
   */
  | { kind: "answer"; of(environment: Environment, info: TurnInfo): readonly number[] | boolean }
  /** A number that grows towards the goal. */
  | { kind: "potential"; of(environment: Environment): number };

export type OnTask = (made: number) => void;
export type TestSet = "validation" | "test";

export interface TrainingSet {
  /** Tasks wanted in this iteration. */
  tasks: number;
  /** Episodes per iteration, the same for every algorithm of the run. */
  episodes: number;
  /** Size of the pool; 0 without one. */
  pool: number;
  /** The spec's revision; default 1. */
  revision?: number | undefined;
}

/** An expert's episode: its responses turn by turn as token ids, stop token included. */
export interface Demonstration {
  seed: number;
  responses: number[][];
}

export interface TaskFamily {
  /** Name in metrics, e.g. "sokoban" in val-env/sokoban/success. */
  name: string;
  world: World;
  levels: TaskSeeds;
  /** Size of its models' vocabulary, including unused ids. */
  vocabSize: number;
  /** The tokenizer of its checkpoints. */
  tokenizerFiles(): TokenizerFiles;
  /** An expert's episode on the level of this seed; null if it cannot finish within the limits. */
  demonstrate(seed: number): Sliced<Demonstration | null>;
  /** How near a state is to the answer (A2TGPO). */
  gain: GainMeasure;
  /** How near the goal an environment of the world is: exact, and higher is nearer (process rewards). */
  potential(environment: Environment): number;
  /** One sentence on why the best player's return is unknown; absent: it is known, or there is nothing to add. */
  bestRefused?: string | null;
}
