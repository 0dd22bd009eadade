/** An experiment cell's body: `preset = nano` and changes in the words of links. */
import type { ExperimentSpec } from "../spec/experiment.ts";
import { specFromChanges } from "../spec/link.ts";
import type { TypedCell } from "./document.ts";

/** Field that names a recorded run to show until a live one takes over. */
const RECORDING = "recording";
/** Field that names a file of recorded seeds to draw as bands behind the run. */
const SEEDS = "seeds";

interface ExperimentCell {
  spec: ExperimentSpec;
  /** Address relative to the page, or null. */
  recording: string | null;
  /** The same, of recorded seeds. */
  seeds: string | null;
  warnings: string[];
}

/** Never throws: what cannot be used becomes a warning and the preset's value. */
export function readExperimentCell(cell: TypedCell): ExperimentCell {
  const fields = new Map(cell.fields);
  const changes = cell.fields.filter(([key]) => !["preset", RECORDING, SEEDS].includes(key));
  const { spec, warnings } = specFromChanges(fields.get("preset") ?? "nano", changes);
  const paths = [RECORDING, SEEDS].map((name) => pathOf(name, fields.get(name)));
  const [recording, seeds] = paths.map(({ path }) => path);
  return {
    spec,
    recording: recording ?? null,
    seeds: seeds ?? null,
    warnings: [...warnings, ...paths.flatMap(({ warning }) => warning)],
  };
}

function pathOf(
  name: string,
  path: string | undefined,
): { path: string | null; warning: string[] } {
  if (path === undefined || isLocalPath(path)) return { path: path ?? null, warning: [] };
  return { path: null, warning: [`${name} is "${path}"; it must be a path below the page.`] };
}

/** Only files beside the page: a notebook must not make the reader's browser call elsewhere. */
function isLocalPath(path: string): boolean {
  return /^[\w-][\w./-]*$/.test(path) && !path.split("/").includes("..");
}
