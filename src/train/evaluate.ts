/** Scores of a policy on held-out levels: one episode each, greedy unless the spec says otherwise. */
import type { EngineModel } from "../engine/engine.ts";
import { mean } from "../numeric/statistics.ts";
import type { Metrics } from "../record/runEvent.ts";
import { rollout, type Episode } from "../rollout/rollout.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { IterationContext } from "./context.ts";
import { episodeReturn, markMetrics } from "./rolloutMetrics.ts";
import type { TaskFamily } from "./world.ts";

/** Seeds of the held-out tasks that a spec is scored on. */
export function testTasks(
  { evaluation }: Pick<ExperimentSpec, "evaluation">,
  { levels }: Pick<TaskFamily, "levels">,
): number[] {
  const { levels: n, set } = evaluation;
  return set === undefined ? levels.heldOut(n) : levels.split()[set].slice(0, n);
}

/** One episode on each level, at the spec's temperature of evaluations. [seeds] */
export function playLevels(
  { spec, family, gate }: Pick<IterationContext, "spec" | "family" | "gate">,
  model: EngineModel,
  seeds: readonly number[],
  iteration: number,
): Promise<Episode[]> {
  return rollout({
    model,
    world: family.world,
    tasks: seeds.map((seed) => ({ name: `${family.name}:${seed}`, seed })),
    context: spec.context,
    sampling: { ...spec.sampling, temperature: spec.evaluation.temperature },
    key: { seed: spec.seed, stream: "eval", iteration },
    ...(gate && { gate }),
  });
}

export async function evaluate(
  context: IterationContext,
  model: EngineModel,
  iteration: number,
): Promise<Metrics> {
  const { spec, family, phase } = context;
  phase?.("evaluation");
  const episodes = await playLevels(context, model, testTasks(spec, family), iteration);
  const turns = episodes.flatMap(({ turns }) => turns);
  return {
    [`val-env/${family.name}/success`]: mean(episodes.map(({ success }) => Number(success))),
    [`val-env/${family.name}/reward`]: mean(episodes.map(episodeReturn)),
    [`val-env/${family.name}/action_is_valid`]: mean(turns.map(({ valid }) => Number(valid))),
    [`val-env/${family.name}/num_turns`]: mean(episodes.map(({ turns }) => turns.length)),
    ...markMetrics(`val-env/${family.name}`, episodes),
  };
}
