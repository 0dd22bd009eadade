/** The task family of an environment whose descriptor says how to train on it: worlds, tasks, an expert's episodes. */
import { descriptorOf } from "../env/descriptors.ts";
import type { Training, PlayInfo } from "../env/descriptor.ts";
import type { Environment } from "../env/environment.ts";
import { uniform } from "../numeric/rng.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { World } from "../rollout/world.ts";
import type { EnvironmentSpec, ExperimentSpec } from "../spec/experiment.ts";
import { compactWords, type PlanAdapter } from "../text/compactWords.ts";
import { domainTokenizerFiles, tokensOf, vocabularyOf } from "../text/domainVocabulary.ts";
import { readTokenizer } from "../text/tokenizer.ts";
import { LevelSeeds } from "./levels.ts";
import type { Demonstration, TaskFamily } from "./world.ts";

type DescribedGame = Environment<PlayInfo>;
type DescribedWorld = World<PlayInfo> & { prompter: PlanAdapter };

/**
 * The vocabulary is padded to a multiple of this, for fast kernels and so that words can be added.
 */
const VOCABULARY_BUCKET = 64;

/** Writes the environment's queries and reads its responses. */
function describedPrompter(
  training: Training<never, never>,
  { think = false }: EnvironmentSpec,
  context: ExperimentSpec["context"],
): PlanAdapter {
  const { tokenizer, config } = domainTokenizerFiles(vocabularyOf(training.words));
  return compactWords(readTokenizer(tokenizer, config), { context, think }, training.compact);
}

/** noise: share of turns on which the expert takes a random action. */
export function describedFamily(
  spec: EnvironmentSpec,
  context: ExperimentSpec["context"],
  noise: number,
  given = descriptorOf(spec.kind).training,
): TaskFamily {
  if (!given) throw new Error(`${spec.kind} has a family of its own`);
  const training = given as unknown as Training<EnvironmentSpec, DescribedGame>;
  const { bestAfter } = training;
  const prompter = describedPrompter(given, spec, context);
  const words = vocabularyOf(given.words);
  const world: DescribedWorld = {
    create: () => training.create(spec),
    prompter,
    maxTurns: spec.maxTurns,
    ...(training.chancy(spec) && { chancy: true }),
    actions: (game) => training.actions(game as DescribedGame),
    best: (game, gamma) => training.best(game as DescribedGame, gamma),
    ...(bestAfter && {
      bestAfter: (game, text, gamma) => bestAfter(game as DescribedGame, text, gamma),
    }),
  };
  const potential = (game: Environment) => training.potential(game as DescribedGame);
  return {
    name: spec.kind,
    world,
    levels: new LevelSeeds((seed) => training.taskOf(spec, seed)),
    demonstrate: (seed) => demonstrate(training, world, seed, noise),
    gain: { kind: "potential", of: potential },
    potential,
    vocabSize: Math.ceil(tokensOf(words).length / VOCABULARY_BUCKET) * VOCABULARY_BUCKET,
    tokenizerFiles: () => domainTokenizerFiles(words),
  };
}

/**
 * The expert replans before each turn. Bad luck does not make a choice wrong, so an episode that
 * ends in failure is imitated too; null if the expert gives up, or has not finished within the
 * limits.
 */
function* demonstrate(
  { expert }: Training<EnvironmentSpec, DescribedGame>,
  { create, prompter, actions }: DescribedWorld,
  seed: number,
  noise: number,
): Sliced<Demonstration | null> {
  const game = create(seed) as DescribedGame;
  game.reset(seed);
  const responses: number[][] = [];
  for (;;) {
    const draws = drawsOf(seed, responses.length);
    const said = draws[0]! < noise ? [pick(actions!(game), draws[1]!)] : expert(game);
    if (said.length === 0) return null;
    const response = prompter.planned(said, said.length);
    responses.push(response);
    const { terminated, truncated } = game.step(prompter.answer(response));
    if (terminated) return { seed, responses };
    if (truncated) return null;
    yield;
  }
}

/** Whether a turn is random, and if so which action: two numbers in [0, 1). */
function drawsOf(seed: number, turn: number): number[] {
  return [0, 1].map((step) =>
    uniform({ seed, stream: "clone-noise", iteration: turn, trajectory: 0, step }),
  );
}

function pick(actions: readonly string[], u: number): string {
  return actions[Math.floor(u * actions.length)]!;
}
