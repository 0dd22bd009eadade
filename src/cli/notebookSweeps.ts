/** The runs of a notebook's sweep, as the command line trains and checks them. */
import { readFields } from "../notebook/cellFields.ts";
import type { TypedCell } from "../notebook/document.ts";
import { definitionsIn, readExperiment } from "../notebook/experimentCell.ts";
import { planSweepCell } from "../notebook/sweepCell.ts";
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
export function sweepRuns(
  { type, id, of, body }: TypedCell,
  cells: readonly TypedCell[],
): SweepOfCell {
  const base = cells.find((cell) => cell.type === "experiment" && cell.id === of);
  const fields = type === "sweep" ? readFields("sweep", body).value : null;
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
