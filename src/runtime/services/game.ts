/** An episode in progress. */
import type { Environment } from "../../env/environment.ts";
import type { EpisodeTurn } from "../../rollout/rollout.ts";
import type { TurnInfo } from "../../rollout/world.ts";
import type { State } from "../../train/oracle/branches.ts";

/** An episode in progress in its own environment. */
export interface OpenGame {
  environment: Environment<TurnInfo>;
  state: State;
  turns: EpisodeTurn[];
  terminated: boolean;
  truncated: boolean;
  success: boolean;
}
