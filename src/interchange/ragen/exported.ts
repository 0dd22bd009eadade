/** An algorithm prepared for export. */
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { Keys } from "../yaml.ts";
import type { AlgorithmMapping } from "./algorithmKeys.ts";
import type { MappedSetting } from "./setting.ts";

/** One algorithm of the experiment on both targets. */
export interface ExportedAlgorithm {
  config: AlgorithmConfig;
  ragen: AlgorithmMapping;
  verl: AlgorithmMapping;
  settings: MappedSetting[];
  /** Complete keys of RAGEN's run; null if the algorithm has no counterpart there. */
  ragenKeys: Keys | null;
  /** Overrides of verl's own trainer; null if it has no counterpart there either. */
  verlKeys: Keys | null;
}
