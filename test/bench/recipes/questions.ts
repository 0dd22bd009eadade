/** The sweep files of open questions and ablations, and the one that measures where their conditions start. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ablations } from "../../../src/spec/ablations.ts";
import { openQuestions } from "../../../src/spec/openQuestions.ts";
import { sweepFileOf, sweepOf } from "../../../src/spec/study.ts";

declare const __TURNBOOK_ROOT__: string;

const studies = [...openQuestions, ...ablations];

/** Parts of a spec that the first weights and their score depend on. */
const STARTING = ["environment", "model", "clone", "sampling"] as const;

/** Every distinct start of a study, scored on validation levels: its name is that of the first condition which has it. */
export function startsSweep() {
  const seen = new Set<string>();
  const variants = studies.flatMap(({ name, base = {}, conditions }) =>
    conditions.flatMap((condition) => {
      const parts = { ...base, ...condition.set };
      const set = Object.fromEntries(
        STARTING.flatMap((part) => (part in parts ? [[part, parts[part]]] : [])),
      );
      const key = JSON.stringify(set);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ name: `${name}.${condition.name}`, set }];
    }),
  );
  const { preset, recordEpisodes, engine } = sweepOf(studies[0]!).base;
  const base = {
    ...{ preset, algorithms: [{ name: "turn-ppo", set: {} }], optimisation: { iterations: 1 } },
    evaluation: { levels: 256, every: 1, set: "validation" },
    ...{ recordEpisodes, engine },
  };
  return { base, variants, seeds: [21, 22, 23] };
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
