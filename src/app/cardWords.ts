/** Words of an experiment's card. */
import type { ExperimentSpec } from "../spec/experiment.ts";
import { plural } from "../numeric/counted.ts";
import { listed } from "./strings.ts";

export const words = {
  title: (name: string) => `Experiment: ${name}`,
  settingsOf: (name: string) => `Settings: ${name}`,
  close: "Close settings",
  unrun: (count: number) => `${count} ${plural(count, "change")}, not yet run`,
  facts: ({ environment, optimisation, preset, seed }: ExperimentSpec, game: string) => [
    `Preset ${preset}`,
    `${game}, at most ${environment.maxTurns} ${plural(environment.maxTurns, "turn")}`,
    `${optimisation.iterations} iterations of ${optimisation.tasksPerIteration * optimisation.groupSize} episodes`,
    `Seed ${seed}`,
  ],
  differs: (changes: readonly string[]) =>
    changes.length === 0
      ? "Other settings as in the preset."
      : `Changed from the preset: ${listed(changes)}.`,
  fingerprint: (hex: string) => `Fingerprint ${hex}`,
};
