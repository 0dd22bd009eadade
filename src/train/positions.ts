/** Whether an episode's chat fits a model: checked before a run, so that none ends in the middle. */
import type { ModelConfig } from "../engine/modelConfig.ts";
import { InputError } from "../numeric/inputError.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { TaskFamily } from "./world.ts";

/** @throws InputError with the number of turns that fit, if the longest episode outgrows the model's positions. */
export function checkPositions(
  { environment, sampling: { maxTokensPerTurn } }: ExperimentSpec,
  { world }: Pick<TaskFamily, "world">,
  { maxPositions }: Pick<ModelConfig, "maxPositions">,
): void {
  const { maxQueryTokens: first = 0, laterQueryTokens: later } = world;
  if (later === undefined) return;
  const { maxTurns } = environment;
  const turn = later + maxTokensPerTurn;
  const needed = first - later + maxTurns * turn;
  if (needed <= maxPositions) return;
  const fit = Math.max(0, Math.floor((maxPositions - first + later) / turn));
  throw new InputError(
    `environment.maxTurns is ${maxTurns}; its chat may have ${needed} tokens, and the model has ${maxPositions} positions: at most ${fit} turns fit`,
  );
}
