/** The task families a spec can name, each as a world to roll out in plus its levels and demonstrations. */
import type { SokobanInfo } from "../env/sokoban/sokobanEnv.ts";
import type { World } from "../rollout/world.ts";
import type { LevelSeeds } from "./levels.ts";

/** An expert's episode: its responses turn by turn as token ids, stop token included. */
export interface Demonstration {
  seed: number;
  responses: number[][];
}

export interface TaskFamily {
  /** Name in metrics, e.g. "sokoban" in val-env/sokoban/success. */
  name: string;
  world: World<SokobanInfo>;
  levels: LevelSeeds;
  /** An expert's episode on the level of this seed; null where it cannot finish within the limits. */
  demonstrate(seed: number): Demonstration | null;
}
