/** The location of the shipped models. */
import type { ExperimentSpec } from "./experiment.ts";

/** Folder under public/ of the checkpoint that a run starts from. */
export function checkpointFolder(spec: ExperimentSpec): string {
  const { environment, model } = spec;
  if (model.checkpoint !== undefined) return `models/${model.checkpoint}`;
  // A model that speaks does so at every length of thought: it has one folder.
  return `models/${model.preset}-${environment.kind}${environment.think ? "-think" : ""}`;
}
