/** The examples of the page on definitions, and small runs that use them. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { openDefinedCodes } from "../../src/runtime/sandbox/definitions.ts";
import { nodeQuickJs } from "../../src/runtime/sandbox/node.ts";
import type { Definition, DefinitionKind } from "../../src/spec/definitions.ts";
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { Experiment } from "../../src/train/experiment.ts";
import type { ExperimentHost } from "../../src/train/host.ts";
import { host, runToEnd } from "../train/support.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../src/record/definitions.md"), "utf8");

/** Each block of code on the page begins with its kind and name. */
export const examples: readonly Definition[] = [
  ...page.matchAll(/```ts\n(\/\/ (\w+) (\w+)\n[\s\S]*?)```/g),
].map(([, source, kind, name]) => ({
  kind: kind as DefinitionKind,
  name: name!,
  source: source!,
}));

export function example(name: string): Definition {
  return examples.find((one) => one.name === name)!;
}

/** Five iterations of seconds, on the lake. */
export function lakeSpec(changes: PartialSpec = {}): ExperimentSpec {
  const base = {
    preset: "frozenlake",
    model: { warmStart: "none" },
    algorithms: [{ name: "turn-ppo", set: {} }],
    optimisation: { iterations: 5, tasksPerIteration: 2, groupSize: 2, minibatch: 2, epochs: 1 },
    critic: { warmup: 0, epochs: 1 },
    evaluation: { levels: 0 },
    recordEpisodes: 2,
    engine: { name: "wasm", backend: "wasm" },
  };
  const { environment, ...others } = changes;
  const spec = toSpec({ ...base, ...others });
  return environment ? toSpec({ ...spec, environment }) : spec;
}

const clone = (expert?: string): PartialSpec => ({
  model: { preset: "nano", warmStart: "clone" },
  clone: { levels: 20, steps: 4, batch: 8, lr: 0.003, ...(expert !== undefined && { expert }) },
});
const lake = lakeSpec();

/** All kinds, in three runs of five iterations, by what each defines. */
export const ofEveryKind: Readonly<Record<string, ExperimentSpec>> = {
  "a row's code, a reward, a segmentation and an expert": lakeSpec({
    definitions: [
      "turnPpo",
      "root",
      "spo",
      "fading",
      "mixedOnly",
      "tether",
      "hurry",
      "uncertain",
      "wanderer",
    ].map(example),
    algorithms: [
      "turn-ppo",
      "turn-ppo@turnPpo@ratio-root@clip-spo@aggregation-fading@filter-mixedOnly@regulariser-tether",
    ].map((name) => ({ name, set: {} })),
    environment: { ...lake.environment, reward: "hurry" },
    optimisation: { ...lake.optimisation, segmentation: "uncertain" },
    ...clone("wanderer"),
  }),
  "a prompt": lakeSpec({
    preset: "talker-nano",
    definitions: [example("echo")],
    model: { preset: "talker-nano", warmStart: "none" },
    environment: { ...toSpec({ preset: "talker-nano" }).environment, maxTurns: 2, prompt: "echo" },
    sampling: { maxTokensPerTurn: 6 },
  }),
  "an environment": lakeSpec({
    definitions: [example("corridor")],
    environment: {
      kind: "defined",
      definition: "corridor",
      trainLevels: 0,
      maxTurns: 6,
      formatPenalty: -0.1,
    },
    ...clone(),
  }),
};

export async function definedHost(): Promise<ExperimentHost> {
  const openDefinitions = async (definitions: readonly Definition[]) =>
    openDefinedCodes(await nodeQuickJs(), definitions);
  return { ...(await host()), openDefinitions };
}

/** A spec's run from its beginning to its end. */
export async function trained(spec: ExperimentSpec) {
  const experiment = await Experiment.open(spec, await definedHost());
  try {
    const events = await runToEnd(experiment);
    return { events, fingerprint: experiment.fingerprint };
  } finally {
    experiment.dispose();
  }
}
