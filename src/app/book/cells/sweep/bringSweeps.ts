/** Finished runs of sweeps that came with a notebook's file are kept as if they had been trained here. */
import { parseNotebook } from "../../../../notebook/document.ts";
import { definitionsIn, experimentShownBy } from "../../../../notebook/cell.ts";
import { readExperiment } from "../../../../notebook/cells/experiment/experiment.ts";
import { sweepCells, type SweepRun } from "../../../../notebook/cells/sweep/plan.ts";
import { canonicalJson } from "../../../../spec/canonical.ts";
import { placeOfSweepRun } from "../../../../store/sweepShelf.ts";
import type { SweptRun } from "../../../../store/filesWorker.ts";
import { keepWhole } from "../../../keptRuns.ts";
import { planOfSweep } from "./bookSweeps.ts";
import { words } from "../../words.ts";

/**
 * Only those that the notebook's sweeps need, so that a file cannot fill the storage with anything
 * else.
 * @param hash the notebook's address. @returns how many are kept, and why the others are not; null:
 * all are.
 */
export async function bringSweeps(
  hash: string,
  text: string,
  swept: readonly SweptRun[],
): Promise<{ kept: number; why: string | null }> {
  const names = swept.length === 0 ? new Map<string, string>() : namesOfRuns(text);
  let kept = 0;
  for (const { spec, lines, events, iteration } of swept) {
    const key = canonicalJson(spec);
    const name = names.get(key);
    if (name === undefined) continue;
    const place = placeOfSweepRun(hash, { key });
    const answer = await keepWhole(
      { place, name, state: "finished", spec, iteration },
      { lines: [{ bytes: lines, events }], checkpoint: null },
    );
    if (!answer.kept) return { kept, why: answer.why };
    kept++;
  }
  return { kept, why: null };
}

/** What the sweeps of a notebook train, and each run's name, by the run's key. */
function namesOfRuns(text: string): Map<string, string> {
  const { cells } = parseNotebook(text).notebook;
  const definitions = definitionsIn(cells);
  const nameIn = (id: string) => (run: SweepRun) =>
    [run.key, words.sweep.runName(id, run.setting, run.seed)] as const;
  return new Map(
    sweepCells(cells).flatMap((cell) => {
      const base = experimentShownBy(cells, cell);
      if (!base) return [];
      const plan = planOfSweep(cell, readExperiment(base.body, definitions).spec);
      return plan?.settings.flatMap(({ runs }) => runs.map(nameIn(cell.id))) ?? [];
    }),
  );
}
