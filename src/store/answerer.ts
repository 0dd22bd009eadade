/** Which models answer questions about the run shown: those of a live run, of a recording with its checkpoints, or none. */
import { recordedSource } from "../reading/log/columnar.ts";
import type { ExperimentState } from "./experimentState.ts";

export type Answerer = "live" | "recorded" | null;

export function answererOf({ state, view }: Pick<ExperimentState, "state" | "view">): Answerer {
  if (state === "running" || state === "paused" || state === "finished") return "live";
  if (state === "loading" || view.origin === "live") return null;
  return recordedSource(view.log)?.canAnswer ? "recorded" : null;
}
