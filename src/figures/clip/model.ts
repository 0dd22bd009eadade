/** Everything that the clip panel draws of the iteration at the cursor. */
import { bandOf, type Band } from "../../method/clip/band.ts";
import type { UpdateRecord } from "../../record/runEvent.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { runConfig } from "../../reading/runConfig.ts";
import { countDual } from "../../reading/dual.ts";
import { lastUse, withoutClipData } from "../../reading/lastUse.ts";
import { readSteps } from "../../reading/updateSteps.ts";

export interface ClipModel {
  /** Null if the run does not give its settings. */
  config: AlgorithmConfig | null;
  band: Band | null;
  /** `log`: the iteration's steps; `lastUse`: computed from the recorded turns; `none`: neither. */
  source: "log" | "lastUse" | "none";
  steps: readonly UpdateRecord[];
  refused: number;
  /**
   * Turns of `lastUse` that are not counted: whether a clip cut them, or on which side, is unknown.
   */
  unknown: number;
  /** Of the recorded turns cut with A < 0, those that the dual clip cut. */
  duals: { dual: number; low: number };
  /** Whether the log says that the actor took no step. */
  still: boolean;
}

export function clipModel(view: RunView, at: ResolvedChoice): ClipModel {
  const config = runConfig(view.log.start?.spec, at.algorithm);
  const raw = view.log.updates(at.algorithm, at.iteration);
  const { steps, refused } = readSteps(raw);
  // About the run: its recorded turns, also if the cursor is at a fork.
  const episodes = view.log.episodes(at.algorithm, at.iteration);
  const duals = countDual(episodes, config);
  const about = { config, band: config && bandOf(config), refused, unknown: 0, duals };
  if (steps.length > 0) return { ...about, source: "log", steps, still: false };
  const still = raw !== null && refused === 0;
  const last = still ? null : lastUse(episodes, about.band);
  if (!last) return { ...about, source: "none", steps: [], still };
  return { ...about, source: "lastUse", steps: [last], still, unknown: withoutClipData(episodes) };
}
