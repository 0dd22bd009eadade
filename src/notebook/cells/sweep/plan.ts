/** What a sweep cell trains: an experiment with every combination of values, once for each seed. */
import { canonicalJson } from "../../../spec/canonical.ts";
import type { ExperimentSpec } from "../../../spec/experiment.ts";
import { InputError } from "../../../numeric/inputError.ts";
import { changedSpec } from "../../../spec/specChanges.ts";
import { revised } from "../../../spec/revise.ts";
import { gridTrials, type FieldValue } from "../../../spec/sweepGrid.ts";
import { typedCells, type Cell, type TypedCell } from "../../cell.ts";
import type { FieldsOf } from "../../cellFields.ts";

export interface SweepRun {
  /** The same for the same experiment, whatever else the sweep holds. */
  key: string;
  /** E.g. `actorLr 0.001`; empty where only seeds differ. */
  setting: string;
  seed: number;
  spec: ExperimentSpec;
}

/** What a sweep compares: runs that differ in their seed only. */
export interface SweepSetting {
  name: string;
  changes: readonly FieldValue[];
  runs: readonly SweepRun[];
}

/** The sweeps of a notebook. */
export function sweepCells(cells: readonly Cell[]): TypedCell[] {
  return typedCells(cells).filter(({ type }) => type === "sweep");
}

/** Settings in order. Combinations that cannot be trained are left out, each with a sentence. */
export function planSweepCell(
  base: ExperimentSpec,
  { over, seeds = [base.seed] }: FieldsOf<"sweep">,
): { settings: SweepSetting[]; problems: string[] } {
  const settings: SweepSetting[] = [];
  const problems = new Set<string>();
  for (const trial of gridTrials(over)) {
    try {
      const spec = changedSpec(base, trial.changes);
      const name = nameOf(trial.changes);
      const runs = seeds.map((seed) => {
        const own = revised({ ...spec, seed }, spec);
        return { key: canonicalJson(own), setting: name, seed, spec: own };
      });
      settings.push({ name, changes: trial.changes, runs });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.add(`${error.message}.`);
    }
  }
  return { settings, problems: [...problems] };
}

/** By the last part of each field's name, which distinguishes them in most sweeps. */
function nameOf(changes: readonly FieldValue[]): string {
  return changes.map(([field, value]) => `${field.split(".").at(-1)} ${value}`).join(", ");
}
