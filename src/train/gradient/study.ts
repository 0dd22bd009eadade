/**
 * A policy at a checkpoint, its episodes and each row's gradient on them. Reference and rows use
 * their own levels, far from those of any iteration, so that neither the policy nor a critic has
 * been trained on them.
 */
import { countSketch } from "../../numeric/countSketch.ts";
import { greatest } from "../../numeric/lists.ts";
import type { TrajectoryBatch } from "../../method/trajectoryBatch.ts";
import type { Episode } from "../../rollout/rollout.ts";
import { neededColumns, type AlgorithmConfig } from "../../spec/algorithms.ts";
import { InputError } from "../../numeric/inputError.ts";
import type { IterationContext } from "../context.ts";
import { measure, playIteration } from "../iterate.ts";
import type { Learner } from "../learner.ts";
import { learnerFor } from "../oracle/judge.ts";
import { trueValues } from "../oracle/trueValues.ts";
import { blockRows, type BlockRow } from "./block.ts";
import { referenceGradient } from "./reference.ts";
import { rowWeights, withTruth, type GradientRow, type TrueColumns } from "./rowWeights.ts";

/** Iteration numbers beyond any run, which key the levels and draws here. */
const REFERENCE = 1_000_001;
const ROWS = 2_000_001;

export interface GradientStudy {
  context: IterationContext;
  /** The policy is the first learner's actor; a row's values come from the first learner with its kind of critic. */
  learners: readonly Learner[];
  rows: readonly GradientRow[];
  /** Rollouts per task. */
  group: number;
  /** Batch sizes in episodes, multiples of the group; a block has as many episodes as the largest. */
  sizes: readonly number[];
  /** Branches from each state for rows that know the truth; 0: no such rows. */
  branches: number;
  /** Dimension of the count sketch. */
  sketch: number;
}

/** Block r of the true gradient, from this many batches of a block's size. [P] */
export function referenceBlock(
  study: GradientStudy,
  r: number,
  batches: number,
): Promise<Float32Array> {
  const { context, learners } = study;
  const { spec, gate } = context;
  const [{ actor }] = learners as [Learner];
  async function* played() {
    for (let i = 0; i < batches; i++) {
      await gate?.();
      yield await playBlock(study, REFERENCE + r * batches + i);
    }
  }
  return referenceGradient({
    model: actor,
    context: spec.context,
    temperature: spec.sampling.temperature,
    rewardScale: spec.optimisation.rewardScale,
    batches: played(),
  });
}

/** Every row on block number k. reference [R][P] */
export async function studyBlock(
  study: GradientStudy,
  k: number,
  reference: readonly Float32Array[],
): Promise<BlockRow[]> {
  const { context, learners, rows, sizes, branches, sketch } = study;
  const { spec, gate } = context;
  const iteration = ROWS + k;
  const episodes = await playBlock(study, iteration);
  const batches = await batchesOf(study, episodes, iteration);
  const truth = branches > 0 ? await trueGradient(study, episodes, iteration) : null;
  const { rewardScale } = spec.optimisation;
  const weighed = rows.map((row) => {
    const batch = withTruth(row, batches.get(row)!, truth, rewardScale);
    return {
      name: row.name,
      weigh: (members: readonly number[]) => rowWeights(row, batch, members),
    };
  });
  return blockRows({
    model: learners[0]!.actor,
    context: spec.context,
    temperature: spec.sampling.temperature,
    episodes,
    batch: batches.get(rows[0]!)!,
    rows: weighed,
    sizes,
    reference,
    sketch: countSketch(reference[0]!.length, sketch),
    ...(gate && { gate }),
  });
}

/**
 * The rows that can be computed, and why the others cannot: a critic is missing, or groups are.
 * @throws InputError if none can be.
 */
export function ableRows({ learners, rows, group, branches }: Omit<GradientStudy, "sizes">) {
  const refused: { row: string; reason: string }[] = [];
  const able = rows.filter((row) => {
    const reason = whyNot(row);
    if (reason !== null) refused.push({ row: row.name, reason });
    return reason === null;
  });
  if (able.length === 0) throw new InputError(refused.map(({ reason }) => reason).join("; "));
  return { rows: able, refused };

  function whyNot({ truth, config }: GradientRow): string | null {
    if (truth !== null && branches === 0) return `${config.name} needs --branches`;
    if (config.grouped && group < 2) return `${config.name} compares rollouts of one task`;
    try {
      if (truth === null) learnerFor(config, learners, 1);
      return null;
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
  }
}

function playBlock(
  { context, learners, group, sizes }: GradientStudy,
  iteration: number,
): Promise<Episode[]> {
  const { spec } = context;
  const tasks = greatest(sizes) / group;
  const groups = { tasksPerIteration: tasks, groupSize: group, grouping: "all" as const };
  const own = { ...spec, optimisation: { ...spec.optimisation, ...groups } };
  return playIteration({ ...context, spec: own }, learners[0]!, iteration);
}

/** Each row's batch; rows that see the same columns share it. */
async function batchesOf(
  { context, learners, rows }: GradientStudy,
  episodes: Episode[],
  iteration: number,
): Promise<Map<GradientRow, TrajectoryBatch>> {
  const made = new Map<string, TrajectoryBatch>();
  const of = new Map<GradientRow, TrajectoryBatch>();
  for (const row of rows) {
    // A critic whose values the truth replaces is not evaluated.
    const config: AlgorithmConfig = row.truth ? { ...row.config, ...WITHOUT_CRITIC } : row.config;
    const { learner, critic } = learnerFor(config, learners, 1);
    const key = JSON.stringify([critic, neededColumns(config)]);
    const known = made.get(key);
    const batch =
      known ?? (await measure({ ...context, looks: true }, learner, episodes, iteration)).batch;
    made.set(key, batch);
    of.set(row, batch);
  }
  return of;
}

const WITHOUT_CRITIC = { name: "reinforce", critic: "none", baseline: "none" } as const;

async function trueGradient(
  { context, learners, branches }: GradientStudy,
  episodes: Episode[],
  iteration: number,
): Promise<TrueColumns> {
  const { spec, family, gate } = context;
  const player = {
    model: learners[0]!.actor,
    world: family.world,
    context: spec.context,
    sampling: spec.sampling,
  };
  const key = { seed: spec.seed, iteration };
  const truth = await trueValues(player, episodes, {
    branches,
    gamma: 1,
    key,
    ...(gate && { gate }),
  });
  return { value: truth.value.mean, advantage: truth.advantage.mean };
}
