/** Scores of a policy on held-out levels: one episode each, greedy unless the spec says otherwise. */
import type { EngineModel } from "../engine/engine.ts";
import { mean } from "../numeric/statistics.ts";
import type { Metrics } from "../record/runEvent.ts";
import { rollout } from "../rollout/rollout.ts";
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

export async function evaluate(
  { spec, family, gate, phase }: IterationContext,
  model: EngineModel,
  iteration: number,
): Promise<Metrics> {
  phase?.("evaluation");
  const seeds = testTasks(spec, family);
  const episodes = await rollout({
    model,
    world: family.world,
    tasks: seeds.map((seed) => ({ name: `${family.name}:${seed}`, seed })),
    context: spec.context,
    sampling: { ...spec.sampling, temperature: spec.evaluation.temperature },
    key: { seed: spec.seed, stream: "eval", iteration },
    ...(gate && { gate }),
  });
  const turns = episodes.flatMap(({ turns }) => turns);
  return {
    [`val-env/${family.name}/success`]: mean(episodes.map(({ success }) => Number(success))),
    [`val-env/${family.name}/reward`]: mean(episodes.map(episodeReturn)),
    [`val-env/${family.name}/action_is_valid`]: mean(turns.map(({ valid }) => Number(valid))),
    [`val-env/${family.name}/num_turns`]: mean(episodes.map(({ turns }) => turns.length)),
    ...markMetrics(`val-env/${family.name}`, episodes),
  };
}
