/** An iteration of Turn-PPO with a model that speaks: its seconds, its work, and how fast the bare product does as much. */
import { readAsset } from "../../src/cli/assets.ts";
import { PlanBuilder } from "../../src/engine/plan/planner.ts";
import { createPlanEngine } from "../../src/engine/plan/planEngine.ts";
import type { Op } from "../../src/engine/plan/ops.ts";
import type { Runnable } from "../../src/engine/plan/executor.ts";
import { WasmExecutor } from "../../src/engine/wasm/executor.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";
import { judgeThought, truthOfClaims } from "../../src/env/sokoban/judgeThought.ts";
import { parseBoard } from "../../src/env/sokoban/board.ts";
import { readThought, type ClaimKind } from "../../src/env/sokoban/thoughtForms.ts";
import { thoughtIn } from "../../src/env/thoughtBlock.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import type { Episode } from "../../src/rollout/rollout.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { playLevels, testTasks } from "../../src/train/evaluate.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { sayConditions, startConditions } from "./conditions.ts";

/** Processor seconds of this process so far: other work on the machine counts less than by the clock. */
const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** FLOPs of an operation with this input: products, and attention over the pairs that it computes. */
function flopsOf(op: Op, { plan }: Runnable, input: Int32Array): number {
  if (op.op === "matmul") return 2 * op.M * op.N * op.K;
  if (op.op !== "attention" && op.op !== "attentionBackward") return 0;
  const field = (name: string) => plan.inputs[name] && input.subarray(plan.inputs[name].offset);
  const [first, keep] = [field("first")!, op.keep && field("keep")];
  let pairs = 0;
  for (let r = 0; r < op.R; r++) if (!keep || keep[r]! >= 0) pairs += r + 1 - first[r]!;
  // Scores and sums; the backward computes scores again, and the gradients of q, k, v and scores.
  return (op.op === "attention" ? 2 : 5) * 2 * op.H * op.d * pairs;
}

/** An executor that counts the FLOPs of what it runs. */
async function countingExecutor() {
  const executor = await WasmExecutor.create(nodeKernels());
  const count = { flops: 0 };
  const run = executor.run.bind(executor);
  executor.run = (runnable, input) => {
    for (const op of runnable.plan.ops) count.flops += flopsOf(op, runnable, input);
    run(runnable, input);
  };
  return { executor, count };
}

/** FLOP per processor second of the bare products of this model's layers, on a pass of 512 tokens. */
async function productRate(executor: WasmExecutor, D: number, F: number): Promise<number> {
  const R = 512;
  const runs = await Promise.all(
    (
      [
        [2 * F, D],
        [D, F],
        [D, D],
        [2 * D, D],
      ] as const
    ).map(async ([N, K]) => {
      const b = new PlanBuilder("product");
      const [a, w, out] = [b.temp(R * K), b.temp(N * K), b.temp(R * N)];
      b.add({ op: "matmul", layout: "NT", a, b: w, out, M: R, N, K });
      return { flops: 2 * R * N * K, runnable: await executor.compile(b.finish(), new Map()) };
    }),
  );
  const rates = Array.from({ length: 7 }, () => {
    const begun = processorSeconds();
    let flops = 0;
    for (let i = 0; i < 20; i++)
      for (const one of runs) {
        executor.run(one.runnable, new Int32Array(0));
        flops += one.flops;
      }
    return flops / (processorSeconds() - begun);
  });
  return rates.sort((a, b) => a - b)[3]!;
}

/** The first iteration of Turn-PPO, without warm-up, and what the policy solves at the start. */
export async function measureTalker(preset: string) {
  const finish = startConditions();
  const { executor, count } = await countingExecutor();
  const engine = createPlanEngine(executor);
  const spec = toSpec({
    preset,
    algorithms: [{ name: "turn-ppo", set: {} }],
    optimisation: { iterations: 1 },
    critic: { warmup: 0 },
  });
  const experiment = await Experiment.open(spec, { engine, loadAsset: readAsset });
  const events: RunEvent[] = [];
  const { hiddenSize, intermediateSize } = experiment.learners[0]!.actor.config;
  const rates = [await productRate(executor, hiddenSize, intermediateSize)];
  let [seconds, flops] = [0, 0];
  while (!experiment.finished) {
    const [begun, before] = [processorSeconds(), count.flops];
    const news = await experiment.advance();
    if (news.some(({ type }) => type === "iteration"))
      [seconds, flops] = [processorSeconds() - begun, count.flops - before];
    events.push(...news);
  }
  rates.push(await productRate(executor, hiddenSize, intermediateSize));
  const weights = await experiment.learners[0]!.actor.readWeights();
  const parameters = [...weights.values()].reduce((sum, { data }) => sum + data.length, 0);
  const iteration = events.find((event) => event.type === "iteration")!;
  const start = events.find((event) => event.type === "eval")!;
  const { metrics, time } = iteration;
  const [rollout, update] = [Number(time["rollout"]), Number(time["update"])];
  experiment.dispose();
  engine.dispose();
  return {
    preset,
    parameters,
    tokens: metrics["response_length/mean"]!,
    context: spec.context,
    start: start.metrics["val-env/sokoban/success"]!,
    levels: spec.evaluation.levels,
    episodes: spec.optimisation.tasksPerIteration * spec.optimisation.groupSize,
    rolloutShare: rollout / (rollout + update),
    processorSeconds: seconds,
    gigaflops: flops / 1e9,
    gigaflopsPerSecond: Math.max(...rates) / 1e9,
    conditions: sayConditions(finish()),
  };
}

const CELLS: ReadonlySet<ClaimKind> = new Set(["player", "box", "target"]);
const share = (of: readonly boolean[]) => of.filter(Boolean).length / of.length;

/** What the first policy solves on 512 held-out levels, what its thoughts say there, and what of it is true of the board before them. */
export async function measureThoughts(preset: string) {
  const engine = createPlanEngine(await WasmExecutor.create(nodeKernels()));
  const spec = toSpec({
    preset,
    algorithms: [{ name: "turn-ppo", set: {} }],
    evaluation: { levels: 512 },
  });
  const experiment = await Experiment.open(spec, { engine, loadAsset: readAsset });
  const { family, learners } = experiment;
  const tasks = testTasks(spec, family);
  const episodes: Episode[] = [];
  // A cache of all of them at once would not fit.
  for (let at = 0; at < tasks.length; at += 128) {
    const some = tasks.slice(at, at + 128);
    episodes.push(...(await playLevels({ spec, family }, learners[0]!.actor, some, 0)));
  }
  experiment.dispose();
  engine.dispose();
  const claims: { kind: ClaimKind; right: boolean }[] = [];
  const thoughts = episodes
    .flatMap(({ turns }) => turns)
    .map(({ observation, text }) => {
      const [board, thought] = [parseBoard(observation), thoughtIn(text) ?? ""];
      const { reads, fits } = judgeThought(board, thought, []);
      const said = readThought(thought) ?? [];
      const steps = said.flatMap((claim) => (claim.kind === "now" ? claim.steps : []));
      const isTrue = truthOfClaims(board, said, steps);
      const told = said.map((claim) => ({ kind: claim.kind, right: isTrue(claim) }));
      claims.push(...told);
      const cells = told.filter(({ kind }) => CELLS.has(kind));
      return { reads, fits, cells: reads && cells.every(({ right }) => right) };
    });
  const kinds = [...new Set(claims.map(({ kind }) => kind))];
  return {
    levels: tasks.length,
    solved: share(episodes.map(({ success }) => success)),
    thoughts: thoughts.length,
    read: share(thoughts.map(({ reads }) => reads)),
    cells: share(thoughts.map(({ cells }) => cells)),
    fit: share(thoughts.map(({ fits }) => fits)),
    claims: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        share(claims.filter((one) => one.kind === kind).map(({ right }) => right)),
      ]),
    ),
  };
}
