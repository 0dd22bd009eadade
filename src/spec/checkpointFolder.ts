/** Where the shipped models are. */
import type { ExperimentSpec } from "./experiment.ts";

/** Folder under public/ of the checkpoint that a model preset starts from. */
export function checkpointFolder(spec: ExperimentSpec): string {
  const { environment, model } = spec;
  const thinks = environment.kind === "webshop" && environment.think;
  return `models/${model.preset}-${environment.kind}${thinks ? "-think" : ""}`;
}
