/** Where the shipped models are. */
import type { ExperimentSpec } from "./experiment.ts";

/** Folder under public/ of the checkpoint that a model preset starts from. */
export function checkpointFolder(spec: ExperimentSpec): string {
  const { environment, model } = spec;
  return `models/${model.preset}-${environment.kind}${environment.think ? "-think" : ""}`;
}
