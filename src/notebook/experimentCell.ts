/** An experiment cell's body: `preset = nano` and changes in the words of links. */
import type { ExperimentSpec } from "../spec/experiment.ts";
import { specFromChanges } from "../spec/link.ts";
import type { TypedCell } from "./document.ts";

/** Field that names a recorded run to show until a live one takes over. */
const RECORDING = "recording";

export interface ExperimentCell {
  spec: ExperimentSpec;
  /** Address relative to the page, or null. */
  recording: string | null;
  warnings: string[];
}

/** Never throws: what cannot be used becomes a warning and the preset's value. */
export function readExperimentCell(cell: TypedCell): ExperimentCell {
  const fields = new Map(cell.fields);
  const changes = cell.fields.filter(([key]) => key !== "preset" && key !== RECORDING);
  const { spec, warnings } = specFromChanges(fields.get("preset") ?? "nano", changes);
  const path = fields.get(RECORDING) ?? null;
  if (path === null || isLocalPath(path)) return { spec, recording: path, warnings };
  return {
    spec,
    recording: null,
    warnings: [...warnings, `recording is "${path}"; it must be a path below the page.`],
  };
}

/** Only files beside the page: a notebook must not make the reader's browser call elsewhere. */
function isLocalPath(path: string): boolean {
  return /^[\w-][\w./-]*$/.test(path) && !path.split("/").includes("..");
}
