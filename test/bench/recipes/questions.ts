/** The sweep files of open questions and ablations, and the one that measures where their conditions start. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ablations } from "../../../src/spec/studies/ablations.ts";
import { mergeSpec, type PartialSpec } from "../../../src/spec/experiment.ts";
import { openQuestions } from "../../../src/spec/studies/openQuestions.ts";
import {
  sweepFileOf,
  sweepOf,
  type Condition,
  type Study,
} from "../../../src/spec/studies/study.ts";

declare const __TURNBOOK_ROOT__: string;

const studies = [...openQuestions, ...ablations];

/** Parts of a spec that the first weights and their score depend on. */
const STARTING = ["environment", "model", "clone", "sampling"] as const;

/** What a condition's first weights and their score depend on, as changes of the preset. */
function startOf({ base = {} }: Study, { set }: Condition): PartialSpec {
  const parts = mergeSpec(base, set ?? {}) as PartialSpec;
  return Object.fromEntries(
    STARTING.flatMap((part) => (part in parts ? [[part, parts[part]]] : [])),
  );
}

/** Scores the first weights of a study's conditions on validation levels, where the test levels stay unseen. */
export function startsOf(study: Study) {
  const { base, seeds } = sweepOf(study);
  const { preset, recordEpisodes, engine } = base;
  return {
    base: {
      ...{ preset, algorithms: [{ name: "turn-ppo", set: {} }], optimisation: { iterations: 1 } },
      evaluation: { levels: 256, every: 1, set: "validation" },
      ...{ recordEpisodes, engine },
    },
    variants: study.conditions.map((condition) => ({
      name: `${study.name}.${condition.name}`,
      set: startOf(study, condition),
    })),
    seeds,
  };
}

/** Every distinct start of all studies: its name is that of the first condition which has it. */
export function startsSweep() {
  const seen = new Set<string>();
  const all = studies.map(startsOf);
  const variants = all
    .flatMap((sweep) => sweep.variants)
    .filter(({ set }) => {
      const key = JSON.stringify(set);
      return !seen.has(key) && seen.add(key);
    });
  return { ...all[0]!, variants };
}

export function main(): void {
  for (const study of studies) write(sweepFileOf(study), sweepOf(study));
  write("test/bench/recipes/starts.json", startsSweep());
}

function write(file: string, sweep: object): void {
  const path = join(__TURNBOOK_ROOT__, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(sweep, null, 2)}\n`);
}
