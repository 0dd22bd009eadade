/** The runs that a notebook's sweep makes, as the command line trains and checks them. */
import { experimentShownBy, definitionsIn, type TypedCell } from "../notebook/cell.ts";
import { sweepCells, planSweepCell } from "../notebook/cells/sweep/plan.ts";
import { readFields } from "../notebook/cellFields.ts";
import { readExperiment } from "../notebook/cells/experiment/experiment.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";

interface SweepOfCell {
  runs: {
    /** `CELL/SETTING/seed N`. */
    id: string;
    /** Its folder below that of all runs. */
    place: string;
    spec: ExperimentSpec;
  }[];
  /** Settings that cannot be trained, each as a sentence. */
  problems: string[];
}

const NONE: SweepOfCell = { runs: [], problems: [] };

/** Empty for other cells, and for a sweep whose fields are invalid or whose experiment is missing: remarks on those explain why. */
export function sweepRuns(cell: TypedCell, cells: readonly TypedCell[]): SweepOfCell {
  const { id, body } = cell;
  const base = experimentShownBy(cells, cell);
  const fields = sweepCells([cell]).length > 0 ? readFields("sweep", body).value : null;
  if (!base || !fields) return NONE;
  const { spec } = readExperiment(base.body, definitionsIn(cells));
  const { settings, problems } = planSweepCell(spec, fields);
  const runs = settings.flatMap((setting, i) =>
    setting.runs.map((run) => ({
      id: [id, setting.name, `seed ${run.seed}`].filter((part) => part !== "").join("/"),
      place: `${id}/${i + 1}-seed-${run.seed}`,
      spec: run.spec,
    })),
  );
  return { runs, problems };
}
