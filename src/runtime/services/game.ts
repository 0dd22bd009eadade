/** An episode under way. */
import type { Environment } from "../../env/environment.ts";
import type { EpisodeTurn } from "../../rollout/rollout.ts";
import type { TurnInfo } from "../../rollout/world.ts";
import type { State } from "../../train/oracle/branches.ts";

/** An episode under way in an environment of its own. */
export interface OpenGame {
  environment: Environment<TurnInfo>;
  state: State;
  turns: EpisodeTurn[];
  terminated: boolean;
  truncated: boolean;
  success: boolean;
}
